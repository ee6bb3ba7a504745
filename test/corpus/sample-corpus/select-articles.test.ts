import { createHash } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import { mediaWikiPages } from "../../../src/corpus/sample-corpus/package-archive.ts";
import {
  dropReason,
  sampleFilename,
  selectArticles,
  type WikiPage,
} from "../../../src/corpus/sample-corpus/select-articles.ts";
import { mediaWikiXml, proseOf } from "./sample-fixtures.ts";

const page = (title: string, wikitext = proseOf(title)): WikiPage => ({ title, revision: 1, wikitext });

async function* piecesOf(text: string, size: number): AsyncGenerator<string> {
  for (let i = 0; i < text.length; i += size) yield text.slice(i, i + size);
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

describe("a MediaWiki export", () => {
  it("is read page by page however the stream is split", async () => {
    const pages = [
      page("Tower & <keep>", 'A "tower" &ndash; &amp; more'),
      page("Sea", "line\n\nline"),
      page("Empty", ""),
    ];
    const xml = mediaWikiXml(pages);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: xml.length }), async (size) => {
        expect(await Array.fromAsync(mediaWikiPages(piecesOf(xml, size)))).to.deep.equal(pages);
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  it("loses the last page when it is cut off", async () => {
    const xml = mediaWikiXml([page("One"), page("Two")]);
    const read = await Array.fromAsync(mediaWikiPages(piecesOf(xml.slice(0, -40), 100)));
    expect(read.map(({ title }) => title)).to.deep.equal(["One"]);
  });
});

describe("the rules on pages", () => {
  const reasons: readonly (readonly [title: string, wikitext: string | undefined, reason: string | null])[] =
    [
      ["Tower", undefined, null],
      ["Batman: The Tower", undefined, null],
      ["1903 World Series", undefined, null],
      ["May Fourth Movement", undefined, null],
      ["March", undefined, "date_or_year"],
      ["April 12", undefined, "date_or_year"],
      ["October 2003", undefined, "date_or_year"],
      ["1984", undefined, "date_or_year"],
      ["450s BC", undefined, "date_or_year"],
      ["2001 in music", undefined, "date_or_year"],
      ["19th century", undefined, "date_or_year"],
      ["List of towers", undefined, "list"],
      ["Historic list of cities of Europe", undefined, "list"],
      ["Timeline of computing", undefined, "list"],
      ["Table football", undefined, null],
      ["Wikipedia:Towers", undefined, "other_namespace"],
      ["User talk:Keeper", undefined, "other_namespace"],
      ["Tower (disambiguation)", undefined, "disambiguation"],
      ["Mercury", `${proseOf("x")}\n{{disambig}}`, "disambiguation"],
      ["ABC", `${proseOf("x")}\n{{TLAdisambig}}`, "disambiguation"],
      ["Stub", "A tower.", "too_short"],
      ["Towers", "#REDIRECT [[Tower]]", "redirect"],
      ["Wikipedia:Towers", "#redirect [[Tower]]", "redirect"],
    ];
  for (const [title, wikitext, reason] of reasons) {
    it(`${reason === null ? "keep" : `drop as ${reason}`}: ${title}`, () => {
      expect(dropReason(page(title, wikitext))).to.equal(reason);
    });
  }
});

describe("the selection", () => {
  const hash = (title: string) => createHash("sha1").update(title).digest("hex");
  const titles = Array.from({ length: 60 }, (_, i) => `Article ${i}`);
  const byHash = titles.toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1));

  it("takes the first articles by the SHA-1 of their titles, in whatever order they come", async () => {
    for (const order of [titles, titles.toReversed()]) {
      const { articles, pages } = await selectArticles(each(order.map((title) => page(title))), 10);
      expect(articles.map(({ title }) => title)).to.deep.equal(byHash.slice(0, 10));
      expect(pages).to.equal(60);
    }
  });

  it("continues with the next title when an article has too little prose, and counts every reason", async () => {
    const poor = new Set(byHash.slice(0, 3));
    const list = "* an item that is no prose\n".repeat(60);
    const pages = titles.map((title) => page(title, poor.has(title) ? list : proseOf(title)));
    const { articles, dropped } = await selectArticles(
      each([...pages, page("Towers", "#REDIRECT [[Tower]]")]),
      10,
    );
    expect(articles.map(({ title }) => title)).to.deep.equal(byHash.slice(3, 13));
    expect(dropped).to.deep.equal({ redirect: 1, too_short: 3 });
  });

  it("gives the exact revision and a file name", async () => {
    const { articles } = await selectArticles(each([{ ...page("Input/output"), revision: 41990856 }]), 1);
    expect(articles[0]).to.include({
      title: "Input/output",
      sourceUrl: "https://en.wikipedia.org/w/index.php?oldid=41990856",
      filename: "Input_output.txt",
    });
  });

  it("gives file names that every file system accepts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (title) => {
        const name = sampleFilename(title);
        expect(name).to.match(/^[^\\/:*?"<>|\p{Cc}]+\.txt$/u);
        expect(name).not.to.match(/^[. ]/);
        expect(Buffer.byteLength(name)).to.be.at.most(255);
      }),
      { seed: 3 },
    );
  });
});

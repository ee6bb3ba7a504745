import { expect } from "chai";
import { documentedCases } from "../../../src/statistics/sources/cases/documented-cases.ts";
import { listPages } from "../../../src/statistics/sources/cases/list-page.ts";
import { refusal, withFile } from "../written-file.ts";

const REF = " This was plagiarism.<ref>A newspaper</ref>";

function casesOf(...lines: string[]) {
  return documentedCases({ title: "List of cases", revisionId: 1, wikitext: lines.join("\n") });
}

const titlesOf = (...lines: string[]) => casesOf(...lines).map(({ title }) => title);

describe("decisions, Statistics: the entries of a list page", () => {
  it("say what they say in their own words", () => {
    const [one] = casesOf(
      "== Medicine ==",
      `* '''[[Ada Example|Ada E.]]''' ({{flag|Germany}}; later in the US), of the [[University of Heidelberg#History|university]], published by [[Oxford University Press]], had copied her ''thesis''.<ref name="a">{{cite web`,
      "|title = On 1 May 1999",
      "}}</ref> In 2012 the degree was revoked.",
      "** She appealed (Italy).",
    );
    expect(one).to.deep.include({
      type: "dissertation",
      title: "Ada E.",
      year: 2012,
      countries: ["DE", "IT", "US"],
      institution: "University of Heidelberg",
      discipline: "Medicine",
      outcome: "In 2012 the degree was revoked.",
    });
    expect(one?.summary).to.match(
      /^Ada E\. \(.*Germany; later in the US\), of the university, .* She appealed \(Italy\)\.$/,
    );
  });

  it("show HTML entities as the characters that they stand for, decoded once", () => {
    const [one] = casesOf(
      `* '''Ada&#32;&amp; &Eacute;ve''' of the [[Texas A&amp;M University]] said&#58; &#x201C;x&nbsp;&lt;i&gt;&rdquo; &mdash; &amp;#58; AT&T &unknown;${REF}`,
    );
    expect(one?.title).to.equal("Ada & Éve");
    expect(one?.institution).to.equal("Texas A&M University");
    expect(one?.summary).to.equal(
      "Ada & Éve of the Texas A&M University said: “x <i>” — &#58; AT&T &unknown; This was plagiarism.",
    );
  });

  it("need a reference that is there", () => {
    const names = titlesOf(
      `* '''Plain'''${REF}`,
      "* '''Named''' plagiarised <ref name=b>Book</ref>",
      "* '''Repeats''' plagiarised <ref name='b' />",
      "* '''Listed''' plagiarised <ref name=\"later\"/>",
      "* '''Template''' plagiarised {{r|b}}",
      "* '''Short''' plagiarised {{sfn|Miller|2010|p=1}}",
      "* '''None''' plagiarised nothing",
      "* '''Needed''' plagiarised {{citation needed|date=May 2020}}",
      "* '''Needed in a reference''' plagiarised <ref>{{cn}}</ref>",
      "* '''Commented''' plagiarised <!-- <ref>hidden</ref> -->",
      "* '''Empty''' plagiarised <ref></ref>",
      "* '''Unknown name''' plagiarised <ref name=\"nowhere\" /> {{r|nowhere}}",
      "* '''Shown, not meant''' plagiarised <nowiki><ref>x</ref></nowiki>",
      "<!-- * '''Commented whole'''<ref>x</ref> -->",
      "{{reflist|refs=",
      '<ref name="later">Defined at the end</ref>',
      "}}",
    );
    expect(names).to.deep.equal(["Plain", "Named", "Repeats", "Listed", "Template", "Short"]);
  });

  it("stand in the body of the page, under a heading that may name a discipline", () => {
    const cases = casesOf(
      `* '''First'''${REF}`,
      "== Physics ==",
      `* '''Second'''${REF}`,
      "=== 1990s ===",
      `* '''Third'''${REF}`,
      "== Germany ==",
      `* '''Fourth'''${REF}`,
      "== See also ==",
      `* [[Fifth]]${REF}`,
    );
    expect(cases.map(({ title, discipline }) => [title, discipline])).to.deep.equal([
      ["First", undefined],
      ["Second", "Physics"],
      ["Third", "Physics"],
      ["Fourth", undefined],
    ]);
  });

  it("do not stand in the appendices of a page in any language in which a case can be certain", () => {
    const pages: [wiki: string, claim: string, body: string, appendices: string[]][] = [
      [
        "de",
        "Die Arbeit ist ein Plagiat.",
        "Medizin",
        ["Siehe auch", "Einzelnachweise", "Weblinks", "Literatur"],
      ],
      ["es", "La obra es un plagio.", "Medicina", ["Véase también", "Referencias", "Enlaces externos"]],
      [
        "fr",
        "L’ouvrage est un plagiat.",
        "Médecine",
        ["Voir aussi", "Notes et références", "Liens externes"],
      ],
      ["it", "L’opera è un plagio.", "Medicina", ["Voci correlate", "Note", "Collegamenti esterni"]],
      ["pt", "A obra é um plágio.", "Medicina", ["Ver também", "Referências", "Ligações externas"]],
      ["pl", "Praca jest plagiatem.", "Medycyna", ["Zobacz też", "Przypisy", "Linki zewnętrzne"]],
      ["ru", "Работа является плагиатом.", "Медицина", ["См. также", "Примечания", "Ссылки"]],
      ["ja", "論文は盗用である。", "医学", ["関連項目", "脚注", "外部リンク"]],
      ["zh", "论文是抄袭。", "医学", ["参见", "參考文獻", "外部链接"]],
    ];
    for (const [wiki, claim, body, appendices] of pages) {
      const sections = [body, ...appendices].flatMap((heading) => [
        `== ${heading} ==`,
        `* '''${heading}'''. ${claim}<ref>A newspaper</ref>`,
      ]);
      const cases = documentedCases({
        ...{ title: "List", revisionId: 1, wikitext: sections.join("\n") },
        wiki: `https://${wiki}.wikipedia.org/w/index.php`,
      });
      expect(
        cases.map(({ title }) => title),
        wiki,
      ).to.deep.equal([body]);
    }
  });

  it("are titled by their first words where no name is bold", () => {
    expect(titlesOf(`* [[Elias Example]] (Iraq, US), was a doctor.${REF}`)).to.deep.equal(["Elias Example"]);
    const long = `* One two three four five six seven eight nine ten${REF}`;
    expect(titlesOf(long)).to.deep.equal(["One two three four five six seven eight"]);
  });

  it("have a year when exactly one stands there", () => {
    const years = (text: string) => casesOf(`* '''A''' ${text}${REF}`)[0]?.year;
    expect(years("in 2011 and again in 2011")).to.equal(2011);
    expect(years("in 2011 and 2012")).to.equal(undefined);
    expect(years("from 2011–2013")).to.equal(undefined);
    expect(years("from 2011-2013")).to.equal(undefined);
    expect(years("on 2011-05-31")).to.equal(2011);
    expect(years("of 1,950 pages, 20110 words")).to.equal(undefined);
    expect(years("without")).to.equal(undefined);
  });

  it("are of the type that their words say", () => {
    const type = (text: string) => casesOf(`* '''A''' ${text}${REF}`)[0]?.type;
    expect(type("copied a doctoral dissertation, published as a book")).to.equal("dissertation");
    expect(type("used a manuscript seen in peer review")).to.equal("peer_review");
    expect(type("copied his textbook")).to.equal("book");
    expect(type("copied twelve papers")).to.equal("article");
    expect(type("copied a speech")).to.equal("other");
  });

  it("go when the newest revision has them no longer, or clears somebody", () => {
    const entries = ["Ada", "Bob", "Cleo"].map((name) => `* '''${name}'''${REF}`);
    const newest = entries.slice(0, 2).map((entry) => entry.replace("Bob'''", "Bob''' was later cleared."));
    const page = { title: "List", revisionId: 1, wikitext: entries.join("\n") };
    const cases = documentedCases({ ...page, newestWikitext: newest.join("\n") });
    expect(cases.map(({ title }) => title)).to.deep.equal(["Ada"]);
  });

  it("keep their identifiers when they are edited, moved, or others come and go", () => {
    const one = `* '''Ada''' (Italy) copied a text.${REF}`;
    const [before] = casesOf(one);
    const [, after] = casesOf(
      "== New ==",
      `* '''Bob'''${REF}`,
      "== Other ==",
      one.replace("copied", "copied a book in 2001"),
    );
    expect(after?.caseId).to.equal(before?.caseId);
    const twins = casesOf(one, one);
    expect(new Set(twins.map(({ caseId }) => caseId)).size).to.equal(2);
  });
});

describe("decisions, Running it: MediaWiki's answer", () => {
  const read = (answer: unknown) =>
    withFile("C.json", JSON.stringify(answer), (input) => listPages(input, () => undefined));

  it("is read in both format versions, alone or several", async () => {
    const page = { title: "List", revisionId: 7, wikitext: "* text" };
    const two = { parse: { title: "List", pageid: 1, revid: 7, wikitext: "* text" } };
    const one = { parse: { title: "List", pageid: 1, revid: 7, wikitext: { "*": "* text" } } };
    expect(await read(two)).to.deep.equal([page]);
    expect(await read([one, two])).to.deep.equal([page, page]);
  });

  it("is refused when it is an error or lacks the revision", async () => {
    const error = { error: { code: "missingtitle", info: "The page does not exist." } };
    expect(await refusal(read(error))).to.equal(
      'C.json, row 1, column error: MediaWiki answered "The page does not exist.".',
    );
    const lacking = { parse: { title: "List", wikitext: "x" } };
    expect(await refusal(read(lacking))).to.match(/^C\.json, row 1, column parse\.revid: /);
  });
});

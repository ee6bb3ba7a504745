import { expect } from "chai";
import type { Page } from "playwright-core";
import { expectAddress } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 120_000;

const HOSTILE = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>&amp;`;

const ARABIC =
  "كانت المدينة القديمة مركزًا للتجارة بين القوافل التي عبرت الصحراء الكبرى في كل شتاء، وقد كتب عنها رحالة كثيرون وصفوا أسواقها وأبوابها السبعة ومكتباتها التي ضاعت";
const COMBINING = `re\u0301sume\u0301 nai\u0308ve ${prose(5, 25)}`;
const EMOJI = `👩🏽‍🎓 ${prose(6, 15)} 👍🏿 ${prose(7, 15)} 🇩🇪`;
const MARKUP = `${HOSTILE} ${prose(8, 30)} ${HOSTILE}`;
const COPIES = [ARABIC, COMBINING, EMOJI, MARKUP];

describe("the text of a report in a browser", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();

  before(async () => {
    for (const [index, copy] of COPIES.entries())
      await engine.client.addDocument(`${index}.txt`, [prose(30 + index, 40), copy, "🙂"].join("\n\n"), {
        title: `${index} ${HOSTILE}`,
        source_url: `https://example.org/?q=${index}"><script>`,
      });
  });

  const openText = async (text: string, title?: string) => {
    const checkId = await engine.client.submit(text, title === undefined ? {} : { title });
    await engine.client.ended(checkId);
    const opened = await browser.open(`${engine.client.base}/checks/${checkId}`);
    await opened.page.locator(".text").waitFor();
    return { ...opened, checkId };
  };

  it("is the submitted text, marked correctly after emoji, Arabic and combining marks", async () => {
    const text = COPIES.flatMap((copy, index) => [`🧑‍🚀 ${prose(40 + index, 30)} e\u0301`, copy]).join(
      "\n\n",
    );
    const { page, complaints } = await openText(text, HOSTILE);
    expect(await page.locator(".text").textContent()).to.equal(text);
    const marks = await marksOf(page);
    expect(marks).to.have.length(COPIES.length);
    await page.getByText(`${count([...text].length)} characters ·`).waitFor();
    await page.getByText(new RegExp(`^[\\d,]+ of ${count([...text].length)} characters match`)).waitFor();
    for (const [index, copy] of COPIES.entries())
      expect(bare(marks[index] ?? ""), `copy ${index}`).to.equal(bare(copy));
    expect(complaints).to.deep.equal([]);
  });

  it("shows titles, texts and addresses as plain text", async () => {
    const text = [HOSTILE, MARKUP, HOSTILE].join("\n\n");
    const { page, complaints } = await openText(text, HOSTILE);
    await page.getByRole("heading", { name: HOSTILE }).waitFor();
    await page.getByRole("button", { name: `3 ${HOSTILE}` }).waitFor();
    await page.keyboard.press("n");
    const compared = page.locator(".comparison .compared");
    await compared.nth(1).waitFor();
    for (const side of await compared.allTextContents()) expect(side).to.include("<script>");
    expect(await page.locator("main img, main script").count()).to.equal(0);
    expect(await page.title()).to.equal(`${HOSTILE} · Similarity Check`);
    const links = page.locator("main a[target]");
    for (const link of await links.all()) {
      expect(await link.getAttribute("rel")).to.equal("noopener noreferrer");
      expect(await link.getAttribute("href")).to.match(/^https?:/);
    }
    expect(complaints).to.deep.equal([]);
  });

  it("links to a passage in code points, whatever unit the browser counts in", async () => {
    const text = `👩🏽‍🎓👍🏿 ${prose(50, 30)}\n\n${COMBINING}`;
    const { page, checkId } = await openText(text);
    await page.keyboard.press("n");
    await page.locator(".comparison").waitFor();
    const [source] = (await engine.client.report(checkId)).sources;
    const passage = source?.passages[0];
    await expectAddress(
      page,
      `#q${passage?.query_start}-${passage?.query_end}-${source?.source_document_id}`,
    );
    const marked = [...text].slice(passage?.query_start, passage?.query_end);
    expect(await page.locator(".text mark.chosen").textContent()).to.equal(marked.join(""));
    await page.getByText(`characters ${passage?.query_start}–${passage?.query_end}`).waitFor();
  });

  it("makes invisible characters visible, and does not change the reading direction", async () => {
    const text = `${prose(60, 20)} The b\u0430nana dif\u200bfi\u200bcult \u202eevil\u202c end. ${prose(61, 20)}`;
    const { page } = await openText(text);
    expect(await page.locator(".text").textContent()).to.equal(text);
    const codes = await page
      .locator(".text .sign")
      .evaluateAll((signs) => signs.map((sign) => sign.getAttribute("data-code")));
    expect(codes).to.deep.equal(["U+200B", "U+200B", "U+202E", "U+202C"]);
    expect(await page.locator(".text .foreign-letter").allTextContents()).to.deep.equal(["\u0430"]);
    const notes = page.locator("details.notice", { hasText: "Signs of disguised text" });
    await notes
      .getByText("1 word with letters from another alphabet, invisible characters in 1 place")
      .waitFor();
    await notes.locator("summary").press("Enter");
    await notes.getByText("Cyrillic \u0430 in a Latin word").waitFor();
    await notes.getByText("U+202E RIGHT-TO-LEFT OVERRIDE").waitFor();
    const [e, l] = await page.evaluate<readonly [number, number]>(LETTERS_OF_EVIL);
    expect(e, "the letters of “evil” stand in the order in which they were typed").to.be.below(l);
    await notes.getByRole("button").last().press("Enter");
  });

  it("shows right-to-left paragraphs from right to left", async () => {
    const { page } = await openText(`${ARABIC}\n\n${prose(70, 20)}`);
    const [arabic, latin] = await page.evaluate<readonly [number, number]>(STARTS_OF_LINES);
    expect(arabic, "the Arabic paragraph begins on the right").to.be.above(latin + 300);
  });

  it("compares long passages part by part", async () => {
    const long = prose(80, 3_000);
    await engine.client.addDocument("long.txt", long, { title: "Long source" });
    const { page } = await openText(`${prose(81, 30)}\n\n${long}`);
    await page.keyboard.press("n");
    const comparison = page.locator(".comparison");
    for (let parts = 1; ; parts++) {
      await comparison.locator(".matching-words").waitFor();
      const more = comparison.getByRole("button", { name: "Compare the next part" });
      if ((await more.count()) === 0) break;
      expect(parts).to.be.below(10);
      const before = await comparison.locator(".matching-words").textContent();
      await more.click();
      while ((await comparison.locator(".matching-words").textContent()) === before)
        await page.waitForTimeout(20);
    }
    expect(await comparison.locator(".matching-words").textContent()).to.equal("3,000 of 3,000 words match");
    expect(await comparison.locator(".compared").allTextContents()).to.deep.equal([long, long]);
  });
});

/** What is marked, stretch by stretch; marks of one passage that blocks or flags have parted are joined. */
async function marksOf(page: Page): Promise<string[]> {
  const marks = await page
    .locator(".text mark")
    .evaluateAll((found) =>
      found.map((mark) => [mark.getAttribute("data-passage"), mark.textContent] as const),
    );
  const passages = Map.groupBy(marks, ([passage]) => passage);
  return [...passages.values()].map((parts) => parts.map(([, text]) => text).join(""));
}

/** Punctuation and symbols at the borders of a match may belong to it or not. */
function bare(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
}

function count(value: number): string {
  return value.toLocaleString("en");
}

const LETTERS_OF_EVIL = `(() => {
  const signs = document.querySelectorAll(".text .sign");
  const word = signs[2].closest(".flagged").nextSibling;
  const at = (index) => {
    const range = document.createRange();
    range.setStart(word, index);
    range.setEnd(word, index + 1);
    return range.getBoundingClientRect().left;
  };
  return [at(0), at(3)];
})()`;

const STARTS_OF_LINES = `(() => {
  const walker = document.createTreeWalker(document.querySelector(".text"), NodeFilter.SHOW_TEXT);
  const starts = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const range = document.createRange();
    const letter = node.nodeValue.search(/\\p{L}/u);
    if (letter < 0) continue;
    range.setStart(node, letter);
    range.setEnd(node, letter + 1);
    starts.push(range.getBoundingClientRect().left);
  }
  return [starts[0], starts.at(-1)];
})()`;

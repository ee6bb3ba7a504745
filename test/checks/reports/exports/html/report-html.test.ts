import { createHash } from "node:crypto";
import { expect } from "chai";
import type { BrowserContextOptions } from "playwright-core";
import { FALLBACK } from "../../../../../src/http/languages/languages.ts";
import { reportHtml } from "../../../../../src/report/exports/html/report-html.ts";
import { faultsInBothSchemes } from "../../../../support/browser/accessibility.ts";
import { useBrowser } from "../../../../support/browser/use-browser.ts";
import { expectProblem } from "../../../../support/expect-problem.ts";
import { useEngine } from "../../../../support/use-engine.ts";
import { prose } from "../../../../support/work/prose.ts";
import { markedStretches, shownText, targetOf } from "./report-page.ts";

const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1_100, height: 900 };

const HOSTILE = `"><script>document.title="run"</script><img src=x onerror="document.title='run'">&amp;</style>`;
const ARABIC =
  "كان الفنار برجا عاليا يرشد السفن إلى المرفأ في الليالي المظلمة وكان الحارس يصعد الدرج كل مساء حاملا الزيت";

describe("GET /v1/checks/{check_id}/report.html", function () {
  this.timeout(120_000);
  const browser = useBrowser();
  const engine = useEngine();
  const [shared, own, quoted] = [prose(1, 40), prose(2, 40), prose(3, 30)];
  const changed = own
    .split(" ")
    .map((word, at) => (at === 12 ? "altogether" : word))
    .join(" ");
  /** Both sides of a copied sentence hold markup. */
  const markup = `${prose(4, 15)} ${HOSTILE} ${prose(5, 15)}`;
  const text = [
    `😀 ${prose(6, 20)} e\u0301 𠮷野家`,
    "",
    `👩‍🚀 ${shared}\r`,
    `${prose(7, 20)} ${changed}`,
    ARABIC,
    `“${quoted}” ${prose(8, 20)}`,
    markup,
    `Hi\u200Bdden and \u202Eturned\u202C c\u043Epy.`,
  ].join("\n");
  let checkId: string;

  before(async () => {
    await engine.client.addDocument(`${HOSTILE}.txt`, `${prose(11, 20)} ${shared} ${markup}`, {
      title: `One ${HOSTILE}`,
      source_url: `https://example.org/?q=${HOSTILE}`,
    });
    await engine.client.addDocument("two.txt", `🎻 ${prose(12, 20)} ${shared}`, { title: "Two" });
    await engine.client.addDocument("three.txt", `🎻 ${own}\r\n${quoted}`, { title: "Three" });
    await engine.client.addDocument("four.txt", ARABIC, { title: "المنارات", language: "ar" });
    checkId = await engine.client.submit(text, { title: `Essay ${HOSTILE}` });
    await engine.client.ended(checkId);
  });

  const urlOf = (query = "", id = checkId) => `${engine.client.base}/v1/checks/${id}/report.html${query}`;
  const open = (options: BrowserContextOptions = {}, query = "") =>
    browser.open(urlOf(query), { viewport: LAPTOP, ...options });
  const headings = `[...document.querySelectorAll(".sources strong[dir]")].map((one) => one.textContent)`;

  it("runs no script, loads nothing, and shows hostile titles and texts as plain text", async () => {
    const { page, complaints } = await open();
    expect(complaints).to.deep.equal([]);
    expect(await page.title()).to.equal(`Essay ${HOSTILE} · Similarity report`);
    expect(await page.locator("h1").innerText()).to.equal(`Essay ${HOSTILE}`);
    expect(await page.evaluate<string[]>(headings)).to.include(`One ${HOSTILE}`);
    expect(await page.locator("script, img, link, iframe, object, [style], [onerror]").count()).to.equal(0);
    expect(await page.evaluate("performance.getEntriesByType('resource').length")).to.equal(0);
    const html = await (await fetch(urlOf())).text();
    expect(html.match(/<script|<img|<link/gi)).to.equal(null);
  });

  it("says which languages the texts are in, and that their meaning was not compared", async () => {
    const { page } = await open();
    await page.locator(".facts").getByText("English (assumed").waitFor();
    await page.locator(".sources li", { hasText: "المنارات" }).getByText("· in Arabic").waitFor();
    await page.getByText("comparing by meaning is switched off").waitFor();
    await page.getByRole("heading", { name: /^Source \d, in Arabic$/ }).waitFor();
    expect(await page.locator('blockquote[lang="ar"]').count()).to.equal(1);
  });

  it("allows nothing but its own style, even as a saved file", async () => {
    const response = await fetch(urlOf());
    const html = await response.text();
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    const rules = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
    expect(response.headers.get("content-security-policy")).to.equal(`${rules}; frame-ancestors 'none'`);
    const meta = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1] ?? "";
    expect(meta.replaceAll("&#39;", "'")).to.equal(rules);
    const { page } = await open();
    expect(await page.evaluate("getComputedStyle(document.querySelector('mark')).backgroundColor")).to.match(
      /^rgb\((?!0, 0, 0\b)/,
    );
  });

  it("contains the whole submitted text, marked as in the report", async () => {
    const { page } = await open();
    const lines = text.replace(/[\u200B\u202E\u202C]/g, "").split(/\r\n|\n/);
    expect(await shownText(page)).to.deep.equal(lines);
    const report = await engine.client.report(checkId, "?offset_unit=utf16");
    const unique = report.unique_passages.map(([start, end]) => text.slice(start, end));
    const marked = await markedStretches(page);
    expect(marked.join("")).to.equal(unique.join("").replace(/[\r\n]/g, ""));
    expect(marked).to.include.members([shared, ARABIC, quoted]);
    const direction = `getComputedStyle([...document.querySelectorAll(".sheet p")].find(
      (line) => line.textContent.includes(${JSON.stringify(ARABIC)}))).direction`;
    expect(await page.evaluate(direction)).to.equal("rtl");
  });

  it("numbers both sources of a shared passage, and links to each passage and back", async () => {
    const { page } = await open();
    const line = page.locator(".sheet p", { hasText: shared });
    const report = await engine.client.report(checkId);
    const numbers = report.sources.flatMap(({ title }, at) =>
      /^(One|Two)/.test(title) ? [String(at + 1)] : [],
    );
    expect(await line.locator("a.ref").allInnerTexts()).to.deep.equal(numbers);
    expect(await line.locator("mark.also").count()).to.equal(1);
    const passages = report.sources.flatMap((source) => source.passages).length;
    expect(await page.locator("article.pair").count()).to.equal(passages);
    for (let number = 1; number <= passages; number += 1) {
      expect(await targetOf(page, `#place-${number}`)).to.equal(`passage-${number}`);
      expect(await targetOf(page, `#passage-${number} a`)).to.equal(`place-${number}`);
    }
    for (let number = 1; number <= report.sources.length; number += 1) {
      expect(await targetOf(page, `.sources li:nth-child(${number}) a`)).to.equal(`source-${number}`);
    }
  });

  it("shows each passage beside its source, with differing words marked", async () => {
    const { page } = await open();
    const pair = page.locator("article.pair", { hasText: "altogether" });
    const [query, source] = await pair.locator("blockquote").allTextContents();
    expect([query, source]).to.deep.equal([changed, own]);
    expect(await pair.locator("u").allTextContents()).to.deep.equal([
      "altogether",
      own.split(" ")[12]?.replace(/[.,]$/, ""),
    ]);
  });

  it("shows signs of disguise, and makes invisible characters visible", async () => {
    const { page } = await open();
    const report = await engine.client.report(checkId);
    const flags = page.locator(".flags li");
    expect(await flags.count()).to.equal(report.integrity_flags.length);
    expect(await page.locator(".sheet .code").allInnerTexts()).to.deep.equal(["U+200B", "U+202E", "U+202C"]);
    expect(await page.locator(".sheet .foreign-letter").allInnerTexts()).to.deep.equal(["\u043E"]);
    expect(await flags.last().innerText()).to.include("Cyrillic");
    for (let number = 1; number <= report.integrity_flags.length; number += 1) {
      expect(await targetOf(page, `#flag-${number} a`)).to.equal(`sign-${number}`);
      expect(await targetOf(page, `#sign-${number}`)).to.equal(`flag-${number}`);
    }
  });

  it("applies the report's filters, and states them and the unfiltered score", async () => {
    const query = "?exclude_quotes=true&min_words=5";
    const [whole, filtered] = [
      await engine.client.report(checkId),
      await engine.client.report(checkId, query),
    ];
    const { page } = await open({}, query);
    const score = await page.locator(".score").innerText();
    expect(score).to.include(`${filtered.overall_similarity_pct.toFixed(2)}%`);
    expect(score).to.include(`filtered (${whole.overall_similarity_pct.toFixed(2)}% without filters)`);
    expect(score).to.include("Filters: quotations excluded; only passages of at least 5 words.");
    expect(await markedStretches(page))
      .to.include(shared)
      .and.not.to.include(quoted);
    const wrong = await engine.client.request(`/v1/checks/${checkId}/report.html?min_words=few`);
    await expectProblem(wrong, 422, "invalid-input", ["min_words"]);
  });

  it("has no accessibility findings, light or dark, and fits a phone", async () => {
    const { page } = await open({ viewport: PHONE });
    expect(await faultsInBothSchemes(page)).to.deep.equal([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).to.equal(PHONE.width);
  });

  it("prints dark on white with its marks, whatever the screen's scheme", async () => {
    const { page } = await open({ colorScheme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const style = await page.evaluate<string[]>(`[getComputedStyle(document.body).color,
      getComputedStyle(document.documentElement).backgroundColor,
      getComputedStyle(document.querySelector("mark")).printColorAdjust]`);
    expect(style).to.deep.equal(["rgb(27, 31, 38)", "rgb(255, 255, 255)", "exact"]);
    expect((await page.pdf()).subarray(0, 5).toString()).to.equal("%PDF-");
  });

  it("explains a partial search", async () => {
    const partialId = await engine.client.submit(prose(21, 30));
    await engine.client.ended(partialId);
    await engine.database.query("update checks set coverage = 'partial' where check_id = $1", [partialId]);
    const { page } = await browser.open(urlOf("", partialId));
    expect(await page.locator(".notice").innerText()).to.match(
      /^Only part of the text was searched\s+Time ran out after/,
    );
    const heading = await page.locator("h1").innerText();
    expect(heading).to.match(/…$/);
    expect(prose(21, 30).startsWith(heading.slice(0, -1))).to.equal(true);
    expect(await page.locator(".score").innerText()).to.include("No matches found in the corpus.");
  });

  it("marks matches of documents deleted since in grey", async () => {
    const gone = prose(31, 40);
    const { document_id } = await engine.client.addDocument("gone.txt", gone);
    const { check_id } = await engine.client.checked(`${prose(32, 20)} ${gone}`);
    await engine.client.request(`/v1/corpus/documents/${document_id}`, { method: "DELETE" });
    const { page } = await browser.open(urlOf("", check_id));
    expect(await page.locator("mark.orphan").allTextContents()).to.deep.equal([gone]);
    expect(await page.locator(".legend").innerText()).to.include("have since been deleted");
  });

  it("is saved under the check's title", async () => {
    const { headers } = await fetch(urlOf());
    expect(headers.get("content-type")).to.equal("text/html; charset=utf-8");
    expect(headers.get("content-disposition")).to.match(/^inline; filename="Essay [^"<>/]+\.html"$/);
    const { check_id } = await engine.client.checked(prose(41, 20), { title: "Эссе" });
    expect((await fetch(urlOf("", check_id))).headers.get("content-disposition")).to.equal(
      `inline; filename="${check_id}.html"; filename*=UTF-8''%D0%AD%D1%81%D1%81%D0%B5.html`,
    );
  });

  it("answers errors like the report does", async () => {
    const missing = "/v1/checks/01a1fdd2-fc66-74d3-872a-6fcc3985a6fd/report.html";
    await expectProblem(await engine.client.request(missing), 404, "check-not-found");
  });

  it("is made in turns with other work, also when the text has 100,000 lines", async () => {
    const report = await engine.client.report(checkId, "?offset_unit=utf16");
    const marks = { sources: [], unique_passages: [], integrity_flags: [] };
    const lines = { ...report, ...marks, query_text: "a\n".repeat(100_000) };
    let passes = 0;
    let counting = setImmediate(function count() {
      passes += 1;
      counting = setImmediate(count);
    });
    let length = 0;
    for await (const chunk of reportHtml(lines, { advice: "", groups: [] }, async () => [], FALLBACK))
      length += chunk.length;
    clearImmediate(counting);
    expect(length).to.be.above(1_000_000);
    expect(passes).to.be.above(5);
  });
});

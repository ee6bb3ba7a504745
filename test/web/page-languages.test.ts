import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { CATALOGUES, textsIn } from "../../src/http/languages/catalogues.ts";
import type { LanguageTag } from "../../src/http/languages/languages.ts";
import { BatchClient } from "../batches/batch-client.ts";
import { faultsInBothSchemes } from "../support/browser/accessibility.ts";
import { expectSoon } from "../support/browser/page-state.ts";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

const PROBES = join(import.meta.dirname, "..", "support", "browser", "page-probes.js");
const WIDTHS = [360, 1_440];

/** The texts of the page outside those of documents, with the labels of its controls. */
const SHOWN = `[
  ...document.querySelectorAll("body *")
].flatMap((element) => {
  if (element.closest("script, .text, bdi, #language, kbd, .source-title, h1, .compared, .context, code")) return [];
  const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim());
  const labels = ["aria-label", "aria-description", "placeholder", "title"].map((name) => element.getAttribute(name));
  return [...own, ...labels].filter(Boolean);
})`;

/** English messages without values, of two words or more: a page in another language shows none of them. */
function englishTexts(tag: LanguageTag): Set<string> {
  const translated = new Map<string, unknown>(Object.entries(CATALOGUES[tag]));
  return new Set(
    Object.entries(CATALOGUES.en).flatMap(([key, text]) =>
      typeof text === "string" && !text.includes("{") && translated.get(key) !== text ? [text.trim()] : [],
    ),
  );
}

describe("the pages in the reader's language", function () {
  this.timeout(120_000);
  const engine = useEngine();
  const browser = useBrowser();
  const batches = new BatchClient(() => engine.client);
  let checkId = "";
  let batchPath = "";
  let pairPath = "";
  let documentPath = "";

  before(async () => {
    const copies = [prose(1, 60), prose(2, 60)];
    for (const [index, copy] of copies.entries()) {
      const document = await engine.client.addDocument(
        `${index}.txt`,
        [prose(90 + index, 60), copy].join("\n\n"),
        { source_url: `https://example.org/${index}`, collection: "essays" },
      );
      documentPath = `/corpus/${document.document_id}`;
    }
    const text = [prose(50, 40), copies[0], prose(51, 40), `“${copies[1]}”`, "The b\u0430nana \u200b\u200b"];
    checkId = await engine.client.submit(text.join("\n\n"), { title: "1984" });
    await engine.client.ended(checkId);
    const { report } = await batches.compared([
      { name: "a.txt", text: `${prose(60, 200)} ${copies[0]}` },
      { name: "b.txt", text: `${copies[0]} ${prose(61, 200)}`, group: "2" },
      { name: "c.txt", text: prose(62, 200) },
    ]);
    const [pair] = report.pairs;
    batchPath = `/batches/${report.batch_id}`;
    pairPath = `${batchPath}/pairs/${pair?.a.member_id}/${pair?.b.member_id}`;
  });

  const open = async (path: string, locale: string, width = 1_440) => {
    const viewport = { width, height: 900 };
    const options = { locale, viewport, reducedMotion: "reduce" } as const;
    const opened = await browser.open(`${engine.client.base}${path}`, options, [PROBES]);
    await opened.page.locator("h1").first().waitFor();
    return opened;
  };
  const withComparison = async (page: Page, tag: LanguageTag) => {
    await page.locator(".text").waitFor();
    await page.keyboard.press("n");
    await page.getByRole("button", { name: textsIn(tag).say("report.why") }).click();
    await page.locator(".matching-words").waitFor();
    await page.locator(".why").waitFor();
    await page.evaluate("probes.openAll()");
  };

  for (const { tag, locale, lang, dir } of [
    { tag: "de", locale: "de-AT", lang: "de", dir: "" },
    { tag: "ar", locale: "ar-EG", lang: "ar", dir: "rtl" },
    { tag: "ja", locale: "ja-JP", lang: "ja", dir: "" },
    { tag: "ru", locale: "ru-RU", lang: "ru", dir: "" },
  ] as const) {
    it(`are in ${lang} for a browser that asks for ${locale}, without English left or overflow`, async () => {
      const english = englishTexts(tag);
      for (const { path, loaded } of [
        { path: `/checks/${checkId}`, loaded: ".text" },
        { path: "/", loaded: ".composer" },
        { path: "/checks", loaded: ".row" },
        { path: "/compare", loaded: ".composer" },
        { path: "/batches", loaded: ".row" },
        { path: `${batchPath}?view=pairs`, loaded: ".batch-table" },
        { path: `${batchPath}?view=clusters`, loaded: ".cluster-list" },
        { path: `${batchPath}?view=matrix`, loaded: ".matrix-caption" },
        { path: `${batchPath}?view=members`, loaded: ".batch-table" },
        { path: pairPath, loaded: ".pair mark" },
        { path: "/corpus", loaded: ".collections" },
        { path: documentPath, loaded: ".document-text" },
      ]) {
        const { page, complaints } = await open(path, locale);
        expect(
          await page.evaluate("[document.documentElement.lang, document.documentElement.dir]"),
        ).to.deep.equal([lang, dir]);
        await page.locator(loaded).first().waitFor();
        if (path.endsWith(checkId)) await withComparison(page, tag);
        else {
          await page.waitForLoadState("networkidle");
          await page.evaluate("probes.openAll()");
        }
        const shown = await page.evaluate<readonly string[]>(SHOWN);
        expect(shown.length, path).to.be.above(20);
        expect(
          shown.filter((text) => english.has(text)),
          path,
        ).to.deep.equal([]);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          await expectSoon(() => page.evaluate("probes.sticksOutOfPage()"), [], `${path} at ${width}`);
        }
        // The styles of the schemes and the labels do not depend on the language, except for its direction.
        if (dir === "rtl") expect(await faultsInBothSchemes(page), path).to.deep.equal([]);
        expect(complaints, path).to.deep.equal([]);
      }
    });
  }

  it("keep the direction of the document and put the comparison at the end of the line", async () => {
    const { page } = await open(`/checks/${checkId}`, "ar");
    await withComparison(page, "ar");
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('.text .block')).direction"),
    ).to.equal("ltr");
    const [text, comparison] = await Promise.all(
      [".reading", ".comparison"].map((one) => page.locator(one).boundingBox()),
    );
    expect(comparison?.x ?? Number.NaN).to.be.below(text?.x ?? 0);
    const handle = page.locator(".resize-handle");
    const size = async () => Number(await handle.getAttribute("aria-valuenow"));
    const before = await size();
    await handle.press("ArrowRight");
    await expectSoon(async () => (await size()) > before, true);
  });

  it("connect the passages of two texts, move through tabs and set the threshold in the direction of the language", async () => {
    const { page } = await open(pairPath, "ar");
    await page.locator(".pair-bands .band").first().waitFor();
    const boxes = await page.locator(".pair-scroller").evaluateAll((all) =>
      all.map((one) => {
        const mark = one.querySelector("mark")?.getBoundingClientRect();
        return { x: one.getBoundingClientRect().x, top: mark?.top ?? Number.NaN };
      }),
    );
    const [first, second] = boxes;
    expect(first?.x).to.be.above(second?.x ?? Number.NaN);
    const leftTop = await page
      .locator(".pair-bands .band")
      .first()
      .evaluate((band) => {
        const start = Number.parseFloat(band.getAttribute("d")?.slice(3) ?? "");
        return start + (band.closest("svg")?.getBoundingClientRect().top ?? 0);
      });
    expect(Math.abs(leftTop - (second?.top ?? Number.NaN))).to.be.below(6);

    await page.goto(`${engine.client.base}${batchPath}`);
    await page.getByRole("tab", { selected: true }).press("ArrowLeft");
    await page.waitForURL(/view=clusters/);
    await page.getByRole("slider").press("ArrowRight");
    await page.waitForURL(/min_similarity=4/);
  });

  it("count in the plural forms of the language and write numbers as it does", async () => {
    const { page } = await open(`${batchPath}?view=members`, "ru");
    const ru = textsIn("ru");
    await page.getByText(ru.sayCount("count.texts", 3), { exact: false }).first().waitFor();
    expect(ru.sayCount("count.texts", 3)).to.equal("3 текста");
    const share = await page.locator(".top-pairs .pct").first().textContent();
    expect(share).to.match(/^\d+,\d\d\u00a0%$/);
  });

  it("follow the reader's choice, and keep it", async () => {
    const { page } = await open("/checks", "de");
    await page.locator("#language").selectOption("fr");
    await page.locator("html[lang=fr]").waitFor();
    await page.goto(`${engine.client.base}/`);
    await page.locator("h1", { hasText: textsIn("fr").say("submit.title") }).waitFor();
    expect(await page.locator("#language").inputValue()).to.equal("fr");
    await page.goto(`${engine.client.base}/checks/${checkId}`);
    const exported = (file: string) =>
      page.locator(`a[href*="/v1/checks/${checkId}/${file}"]`).getAttribute("href");
    for (const file of ["report.pdf", "report.html"])
      expect(new URL((await exported(file)) ?? "", page.url()).search).to.equal("?language=fr");
    expect(await exported("passages.csv")).to.match(/passages\.csv$/);
  });

  it("load only the texts of their language", async () => {
    const { page } = await open("/checks", "pl");
    const loaded = await page.evaluate<readonly string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => name)",
    );
    const catalogues = loaded.filter((url) => /\/pages\/[a-z]{2}-[^/]+\.js$/.test(url));
    expect(catalogues.map((url) => /\/([a-z]{2})-/.exec(url)?.[1])).to.deep.equal(["pl"]);
  });

  it("say with Vary and Content-Language that their language was chosen", async () => {
    const get = async (headers: Record<string, string>) =>
      (await fetch(`${engine.client.base}/`, { headers })).headers;
    const asked = await get({ "Accept-Language": "zh-TW, de;q=.5" });
    expect(asked.get("Content-Language")).to.equal("zh-Hans");
    expect(asked.get("Vary")).to.include("Accept-Language").and.include("Cookie");
    const chosen = await get({ "Accept-Language": "de", Cookie: "language=ar" });
    expect(chosen.get("Content-Language")).to.equal("ar");
    expect((await get({ Cookie: "language=../x" })).get("Content-Language")).to.equal("en");
  });
});

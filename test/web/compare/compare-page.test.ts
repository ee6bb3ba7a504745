import { join } from "node:path";
import { expect } from "chai";
import type { BrowserContextOptions, Page } from "playwright-core";
import { extractText } from "../../../src/extract/extract-text.ts";
import { textsIn } from "../../../src/http/languages/catalogues.ts";
import { makeDocx, paragraph } from "../../extract/made-documents.ts";
import { faultsInBothSchemes } from "../../support/browser/accessibility.ts";
import { expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 240_000;
const PROBES = join(import.meta.dirname, "..", "..", "support", "browser", "page-probes.js");
const UNKNOWN_LINK = "/compare/6f1e0b1c-58a4-4d0e-9b7e-2f3c8d1a7b55";
const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1_440, height: 900 };

/** How far the lines that begin a passage may stand apart on both sides, in pixels. */
const LEVEL_PX = 4;

const COPIED = [prose(881, 70), prose(882, 70), prose(883, 70)] as const;
const own = (seed: number, words = 400) => prose(seed, words);
const QUERY = [own(891), COPIED[0], own(892), COPIED[1], own(893), COPIED[2], own(894)].join("\n\n");
const SOURCE = [own(895, 900), COPIED[0], own(896, 50), COPIED[1], own(897, 700), COPIED[2], own(898)].join(
  "\n\n",
);

describe("the page that compares two texts", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();

  const open = (options: BrowserContextOptions = { viewport: LAPTOP }) =>
    browser.open(`${engine.client.base}/compare`, { reducedMotion: "reduce", ...options }, [PROBES]);

  async function compared(query = QUERY, source = SOURCE, options?: BrowserContextOptions) {
    const opened = await open(options);
    await opened.page.getByLabel("First text", { exact: true }).fill(query);
    await opened.page.getByLabel("Second text", { exact: true }).fill(source);
    await opened.page.getByRole("button", { name: "Compare", exact: true }).click();
    await opened.page.locator(".pair").waitFor();
    return opened;
  }

  const column = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
  const passage = (page: Page, side: "query" | "source", number: number) =>
    page.locator(`#${side}-passage-${number}`);
  const topOf = async (page: Page, side: "query" | "source", number: number) =>
    (await passage(page, side, number).boundingBox())?.y ?? Number.NaN;

  /** Waits until a passage stands level on both sides and in view. */
  async function untilLevel(page: Page, number: number): Promise<void> {
    for (let before = Number.NaN; ; ) {
      const [one, other] = [await topOf(page, "query", number), await topOf(page, "source", number)];
      // Both stand still: the next step is measured from here.
      if (Math.abs(one - other) <= LEVEL_PX && one > 0 && one < LAPTOP.height && one === before) return;
      before = one;
      await page.waitForTimeout(50);
    }
  }

  it("shows both texts whole, with the share of each and their passages", async () => {
    const { page, complaints } = await compared();
    await expectSoon(() => column(page, "First text").textContent(), QUERY);
    await expectSoon(() => column(page, "Second text").textContent(), SOURCE);
    const names = await page.evaluate(
      `[...document.querySelectorAll(".pair-scroller")].map((one) => getComputedStyle(one, "::before").content)`,
    );
    expect(names).to.deep.equal(['"First text"', '"Second text"']);
    await page.getByText("3 passages").waitFor();
    for (const [number, text] of COPIED.entries())
      for (const name of ["First text", "Second text"])
        expect(
          (await column(page, name).locator(`mark[data-passage="${number}"]`).allTextContents())
            .join("")
            .trim(),
        ).to.equal(text);
    expect(complaints).to.deep.equal([]);
  });

  it("keeps the passage in view level while one text is scrolled", async () => {
    const { page } = await compared();
    for (const number of [1, 2, 3, 2]) {
      await column(page, "First text").hover();
      const top = await topOf(page, "query", number);
      const box = await column(page, "First text").boundingBox();
      await page.mouse.wheel(0, top - (box?.y ?? 0) - 0.25 * (box?.height ?? 0));
      await untilLevel(page, number);
    }
    await column(page, "Second text").hover();
    await page.mouse.wheel(0, (await topOf(page, "source", 3)) - 300);
    await untilLevel(page, 3);
  });

  it("goes through the passages by buttons and keys", async () => {
    const { page } = await compared();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Passage 1 of 3").waitFor();
    await untilLevel(page, 1);
    await page.keyboard.press("n");
    await untilLevel(page, 2);
    await page.keyboard.press("p");
    await page.keyboard.press("p");
    await page.getByText("Passage 3 of 3").waitFor();
    await untilLevel(page, 3);
    await page.keyboard.press("Escape");
    await page.getByText("3 passages").waitFor();
  });

  it("highlights the counterpart under the pointer and with the focus, and connects both", async () => {
    const { page } = await compared();
    await page.keyboard.press("n");
    await untilLevel(page, 1);
    await expectSoon(() => page.locator("path.band.chosen").count(), 1);
    await page.keyboard.press("Escape");
    await column(page, "First text").locator("mark").first().hover();
    await page.locator("path.band.lit").waitFor({ state: "attached" });
    const lit = (name: string) => () => column(page, name).locator("mark.lit").allTextContents();
    await expectSoon(lit("Second text"), [COPIED[0]]);
    await page.mouse.move(5, 5);
    await page.locator(".lit").first().waitFor({ state: "detached" });
    await passage(page, "source", 1).focus();
    await expectSoon(lit("First text"), [COPIED[0]]);
  });

  it("scrolls the other text to a passage that is clicked, also where the order differs", async () => {
    const source = [own(895), COPIED[2], own(896, 600), COPIED[0], own(897)].join("\n\n");
    const { page } = await compared(QUERY, source);
    await page.keyboard.press("n");
    await untilLevel(page, 1);
    await passage(page, "query", 2).scrollIntoViewIfNeeded();
    await passage(page, "query", 2).click();
    await untilLevel(page, 2);
    await page.getByText("Passage 2 of 2").waitFor();
  });

  it("hides a kind of passages and swaps the sides", async () => {
    const { page } = await compared();
    await page.getByRole("checkbox", { name: "identical" }).uncheck();
    await page.getByText("0 of 3 passages").waitFor();
    await expectSoon(() => page.locator(".pair mark").count(), 0);
    await page.getByRole("checkbox", { name: "identical" }).check();
    await page.getByText("3 passages").waitFor();
    await page.getByRole("button", { name: "Swap" }).click();
    const leftOf = async (name: string) => (await column(page, name).boundingBox())?.x ?? Number.NaN;
    await expectSoon(async () => (await leftOf("Second text")) < (await leftOf("First text")), true);
    await page.keyboard.press("n");
    await untilLevel(page, 1);
  });

  it("compares files, which may be dropped or chosen, and a text with a file", async () => {
    const { page } = await open();
    const docx = {
      name: "essay.docx",
      mimeType: "",
      buffer: Buffer.from(makeDocx({ body: paragraph(COPIED[0]) })),
    };
    await page.locator("#query-file").setInputFiles(docx);
    await page.getByLabel("Second text", { exact: true }).fill(SOURCE);
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("heading", { name: "essay.docx" }).waitFor();
    await page.locator(".pair-score").getByText("100.00%").waitFor();
    await page.goBack();
    // Over the second text, a file takes its place; that of the first stays.
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(SOURCE)}], "notes.txt", { type: "text/plain" }));
      return data;
    })()`);
    await page.locator("#source-text").dispatchEvent("drop", { dataTransfer: dropped });
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("heading", { name: "notes.txt" }).waitFor();
    await page.getByRole("heading", { name: "essay.docx" }).waitFor();
  });

  it("keeps what was typed after a failed attempt, and says what was wrong", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByText("First text: Paste a text or choose a file first.").waitFor();
    await page.getByLabel("First text", { exact: true }).fill(QUERY);
    await page.getByLabel("Second text", { exact: true }).fill(SOURCE);
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("First text", { exact: true }).inputValue()).to.equal(QUERY);
    expect(await page.getByLabel("Second text", { exact: true }).inputValue()).to.equal(SOURCE);
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".pair").waitFor();
    await page.goBack();
    expect(await page.getByLabel("First text", { exact: true }).inputValue()).to.equal(QUERY);
    await page.goForward();
    await page.locator(".pair").waitFor();
  });

  it("says when two texts have nothing in common", async () => {
    const { page } = await compared(own(899), own(900));
    await page.getByText("The two texts share no passage").waitFor();
    expect(await page.getByRole("button", { name: "Next" }).isDisabled()).to.equal(true);
  });

  it("shows the form under its address with a slash at the end, too", async () => {
    const { page, complaints } = await browser.open(`${engine.client.base}/compare/`);
    await page.getByRole("button", { name: "Compare", exact: true }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it("says in the reader's language that links are off, with the way to a new comparison", async () => {
    const { page } = await browser.open(engine.client.base + UNKNOWN_LINK, { locale: "de-DE" });
    const { say } = textsIn("de");
    await page.getByText(say("problem.comparison_links_off"), { exact: true }).waitFor();
    await page.getByText(say("comparison.linksOff"), { exact: true }).waitFor();
    await page
      .getByRole("main")
      .getByRole("link", { name: say("compare.title") })
      .click();
    await page.getByRole("button", { name: say("nav.compare"), exact: true }).waitFor();
  });

  it("is reached from the start page and from the navigation", async () => {
    const { page } = await browser.open(engine.client.base);
    await page.getByRole("link", { name: "Compare two texts" }).click();
    await page.getByRole("heading", { name: "Compare two texts" }).waitFor();
    expect(
      await page.getByRole("link", { name: "Compare", exact: true }).getAttribute("aria-current"),
    ).to.equal("page");
  });

  it("stacks the texts in a narrow window, where they scroll in step as well", async () => {
    const { page } = await compared(QUERY, SOURCE, { viewport: PHONE });
    const boxes = await Promise.all(
      ["First text", "Second text"].map((name) => column(page, name).boundingBox()),
    );
    expect(boxes[1]?.y).to.be.at.least((boxes[0]?.y ?? 0) + (boxes[0]?.height ?? 0) - 1);
    await page.keyboard.press("n");
    for (const [at, side] of (["query", "source"] as const).entries())
      for (;;) {
        const top =
          (await topOf(page, side, 1)) -
          ((await column(page, at === 0 ? "First text" : "Second text").boundingBox())?.y ?? 0);
        if (top > 0 && top < (boxes[at]?.height ?? 0)) break;
        await page.waitForTimeout(50);
      }
  });

  for (const viewport of [LAPTOP, PHONE]) {
    it(`has no accessibility findings and keeps its layout: light or dark, ${viewport.width} wide`, async () => {
      const { page } = await open({ viewport });
      await page.getByRole("button", { name: "Compare", exact: true }).click();
      await page.getByRole("alert").waitFor();
      expect(await faultsInBothSchemes(page, "sticksOutOfPage"), "the form").to.deep.equal([]);
      await page.getByLabel("First text", { exact: true }).fill(QUERY);
      await page.getByLabel("Second text", { exact: true }).fill(SOURCE);
      await page.getByRole("button", { name: "Compare", exact: true }).click();
      await page.locator(".pair").waitFor();
      await page.keyboard.press("n");
      await column(page, "First text").locator("mark").first().hover();
      expect(await faultsInBothSchemes(page, "sticksOutOfPage"), "the result").to.deep.equal([]);
    });
  }
});

describe("the page that compares two texts, where the operator allows links", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine({ comparisonLinkDays: 3 });
  const browser = useBrowser();

  it("saves a PDF, makes a link that shows the same comparison, and deletes it", async () => {
    const { page, complaints } = await browser.open(`${engine.client.base}/compare`, { viewport: LAPTOP });
    await page.getByLabel("First text", { exact: true }).fill(QUERY);
    await page.getByLabel("Second text", { exact: true }).fill(SOURCE);
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "PDF report" }).click(),
    ]);
    expect(download.suggestedFilename()).to.equal("First text – comparison.pdf");
    expect(await engine.database.query("select 1 from comparison_links")).to.deep.equal([]);
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = page.getByRole("link", { name: /\/compare\// });
    const address = await link.getAttribute("href");
    const score = await page.locator(".pair-score").first().textContent();
    expect(await faultsInBothSchemes(page)).to.deep.equal([]);

    const kept = await browser.open(new URL(address ?? "", engine.client.base).href, { viewport: PHONE });
    await expectSoon(() => kept.page.locator(".pair-score").first().textContent(), score);
    expect(await kept.page.locator(".pair").count()).to.equal(1);
    expect(await kept.page.getByRole("link", { name: "PDF report" }).getAttribute("href")).to.equal(
      `/v1/comparisons/${address?.split("/").at(-1)}/comparison.pdf?language=en`,
    );
    expect(await faultsInBothSchemes(kept.page)).to.deep.equal([]);

    await page.getByRole("button", { name: "Delete the link" }).click();
    await page.getByRole("button", { name: "Make a link" }).waitFor();
    await kept.page.reload();
    await kept.page.getByText("Comparison not found").waitFor();
    expect(await kept.page.getByRole("link", { name: "Compare two texts" }).count()).to.equal(1);
    expect(complaints).to.deep.equal([]);
  });

  it("says in the reader's language that a link leads nowhere, with the way to a new comparison", async () => {
    const { page } = await browser.open(engine.client.base + UNKNOWN_LINK, { locale: "de-DE" });
    const { say } = textsIn("de");
    await page.getByText(say("problem.comparison_not_found"), { exact: true }).waitFor();
    await page.getByText(say("comparison.gone"), { exact: true }).waitFor();
    const way = page.getByRole("main").getByRole("link", { name: say("compare.title") });
    expect(await way.getAttribute("href")).to.equal("/compare");
  });

  it("names and writes the PDF in the language of the page, whatever the browser prefers", async () => {
    const { page } = await browser.open(`${engine.client.base}/compare`, { locale: "en-GB" });
    const { say } = textsIn("de");
    await page.locator("#language").selectOption("de");
    await page.locator("html[lang=de]").waitFor();
    const file = { name: "essay.md", mimeType: "text/markdown", buffer: Buffer.from(QUERY) };
    await page.locator("#query-file").setInputFiles(file);
    await page.getByLabel(say("compare.second"), { exact: true }).fill(SOURCE);
    await page.getByRole("button", { name: say("nav.compare"), exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: say("report.pdf") }).click(),
    ]);
    expect(download.suggestedFilename()).to.equal(`essay – ${say("comparison.fileName")}.pdf`);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const options = { filename: "", accept: ["application/pdf"] as const, textCharsMax: 1_000_000 };
    const { text } = await extractText(Buffer.concat(chunks), options);
    expect(text).to.include(say("comparison.title"));
  });
});

import { join } from "node:path";
import { expect } from "chai";
import type { BrowserContextOptions, Page } from "playwright-core";
import { BatchClient } from "../../batches/batch-client.ts";
import { faultsInBothSchemes } from "../../support/browser/accessibility.ts";
import { expectFocus, expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { adoptModel, ENCODER_DATA_DIR, useEncoderFiles } from "../../support/encoder.ts";
import { useEngine } from "../../support/use-engine.ts";
import { GLASSWORKS, GLASSWORKS_TRANSLATED, OWN_GERMAN } from "../../support/work/glassworks.ts";
import { MILL, MILL_TRANSLATED } from "../../support/work/mill.ts";
import { prose } from "../../support/work/prose.ts";

const PROBES = join(import.meta.dirname, "..", "..", "support", "browser", "page-probes.js");
const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1_440, height: 900 };

/** No window of a phone is as wide as this name. */
const LONG_NAME = `${"essay_".repeat(20)}german.txt`;

const COPIED = prose(771, 60);
const GERMAN = `${OWN_GERMAN}\n\n${GLASSWORKS_TRANSLATED}\n\n${COPIED}`;
const ENGLISH = `${prose(772, 40)}\n\n${GLASSWORKS}\n\n${COPIED}`;

describe("a translated passage of two texts in the browser", function () {
  this.timeout(240_000);
  useEncoderFiles();
  const engine = useEngine({ semantic: true, dataDir: ENCODER_DATA_DIR });
  const browser = useBrowser();
  const batches = new BatchClient(() => engine.client);
  let pairPath = "";

  before(async () => {
    await adoptModel(engine.client);
    const { report } = await batches.compared([
      { name: "english.txt", text: ENGLISH, language: "en" },
      { name: LONG_NAME, text: GERMAN, language: "de" },
    ]);
    const [pair] = report.pairs;
    pairPath = `/batches/${report.batch_id}/pairs/${pair?.a.member_id}/${pair?.b.member_id}`;
  });

  const open = (path: string, options: BrowserContextOptions) =>
    browser.open(`${engine.client.base}${path}`, { reducedMotion: "reduce", ...options }, [PROBES]);

  const openComparison = async (options: BrowserContextOptions, first = GERMAN, second = ENGLISH) => {
    const opened = await open("/compare", options);
    await opened.page.getByLabel("First text", { exact: true }).fill(first);
    await opened.page.getByLabel("Second text", { exact: true }).fill(second);
    await opened.page.getByRole("button", { name: "Compare", exact: true }).click();
    return opened;
  };
  const openPair = (options: BrowserContextOptions) => open(pairPath, options);

  const showSentences = async (page: Page) => {
    await page.locator(".pair-texts mark").first().waitFor();
    await page.keyboard.press("n");
    await page.getByText("Passage 1 of 2: translated from English").waitFor();
    await page.getByRole("button", { name: "Sentences", exact: true }).click();
    await page.locator(".sentence-pairs").waitFor();
  };
  const panel = (page: Page) => page.getByRole("region", { name: "Sentences that correspond" });
  const languages = (page: Page) =>
    page
      .locator(".sentence-pairs > li")
      .evaluateAll((all) =>
        all.map((row) =>
          [...row.querySelectorAll(".sentence-text")].map((side) => side.getAttribute("lang")),
        ),
      );
  const colourOf = (page: Page, text: string) =>
    page.evaluate<string>(
      `getComputedStyle([...document.querySelectorAll(".sentence-pair")].find((row) => row.textContent.includes("${text}"))).backgroundColor`,
    );

  for (const [name, openPage, first, second] of [
    ["the page that compares two texts", openComparison, "First text", "Second text"],
    ["the page of a pair", openPair, LONG_NAME, "english.txt"],
  ] as const)
    describe(name, () => {
      it("puts sentences that correspond side by side, lists what they share, and swaps the sides", async () => {
        const { page, complaints } = await openPage({ viewport: LAPTOP });
        await showSentences(page);
        // The page of a pair begins with the earlier text on the left.
        if (first === LONG_NAME) await page.getByRole("button", { name: "Swap" }).click();
        await panel(page)
          .locator(".matching-words")
          .getByText(new RegExp(`^3 sentences of ${first} correspond to ${second}, which is in English[.;]`))
          .waitFor();
        expect(await languages(page)).to.deep.equal([["de", "en"], ["de", "en"], ["en"], ["de", "en"]]);
        await panel(page)
          .getByRole("heading", { name: `${second}, in English` })
          .waitFor();
        const words = panel(page)
          .getByRole("list", { name: "Names, numbers and rare words on both sides" })
          .getByRole("listitem");
        expect(await words.allTextContents()).to.include.members(["Brunnfeld", "1702"]);
        await page.getByRole("button", { name: "Swap" }).click();
        await expectSoon(() => languages(page), [["en", "de"], ["en", "de"], ["en"], ["en", "de"]]);
        expect(complaints).to.deep.equal([]);
      });

      it("is operated by the keyboard alone", async () => {
        const { page } = await openPage({ viewport: LAPTOP });
        await page.locator(".pair-texts mark").first().waitFor();
        await page.keyboard.press("n");
        await page.getByRole("button", { name: "Sentences", exact: true }).focus();
        await page.keyboard.press("Enter");
        await page.locator(".sentence-pairs").waitFor();
        const reached: string[] = [];
        for (const _ of ["previous", "next", "swap", "panel", "why", "first", "second"]) {
          await page.keyboard.press("Tab");
          reached.push(await page.evaluate<string>("document.activeElement.textContent.slice(0, 6)"));
        }
        expect(reached.slice(4)).to.deep.equal(["Why?", "Pair 1", "Pair 2"]);
        expect(await colourOf(page, "Nordhang")).not.to.equal(await colourOf(page, "Eisenbahn"));
        await page.keyboard.press("Escape");
        await page.locator(".sentence-pairs").waitFor({ state: "detached" });
        await expectFocus(page, "Sentences");
        await page.getByText("Passage 1 of 2").waitFor();
      });

      it("explains each pair, and shows the texts again at a passage that words have found", async () => {
        const { page } = await openPage({ viewport: LAPTOP });
        await showSentences(page);
        await page.getByRole("button", { name: "Why?" }).click();
        const why = panel(page).getByText(/^Pair \d: /);
        await expectSoon(() => why.count(), 3);
        for (const line of await why.allTextContents())
          expect(line).to.match(/ more alike than usual \(\+0\.\d\d\)$/);
        await page.keyboard.press("n");
        await page.getByText("Passage 2 of 2: identical").waitFor();
        await panel(page).waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Sentences", exact: true }).waitFor({ state: "detached" });
        await expectFocus(page, /Next/);
      });

      for (const viewport of [LAPTOP, PHONE])
        it(`has no accessibility findings and keeps its layout: light or dark, ${viewport.width} wide`, async () => {
          const { page } = await openPage({ viewport });
          await showSentences(page);
          await page.getByText("burned them to ash").last().hover();
          expect(await faultsInBothSchemes(page), "with a highlight").to.deep.equal([]);
          await page.getByRole("button", { name: "Why?" }).click();
          await panel(page).getByText("Pair 1:").waitFor();
          expect(await faultsInBothSchemes(page, "sticksOutOfPage"), "with the reasons").to.deep.equal([]);
          const beyond = "(panel => panel.scrollWidth - panel.clientWidth)";
          expect(
            await page.evaluate(`${beyond}(document.querySelector(".pair-sentences"))`),
            "names wrap",
          ).to.equal(0);
        });
    });

  it("keeps the focus among the sentences from one passage to the next", async () => {
    const first = `${MILL_TRANSLATED}\n\n${OWN_GERMAN}\n\n${GLASSWORKS_TRANSLATED}`;
    const second = `${GLASSWORKS}\n\n${prose(773, 200)}\n\n${MILL}`;
    const { page } = await openComparison({ viewport: LAPTOP }, first, second);
    await showSentences(page);
    await page.locator(".sentence-pairs > li").first().focus();
    await page.keyboard.press("n");
    await page.getByText("Passage 2 of 2: translated from English").waitFor();
    await expectFocus(page, "Sentences that correspond");
    await page.getByRole("button", { name: "Why?" }).focus();
    await page.keyboard.press("p");
    await page.getByText("Passage 1 of 2").waitFor();
    await expectFocus(page, "Why?");
    await page.getByRole("button", { name: "Sentences", exact: true }).focus();
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.getByText("2 passages", { exact: true }).waitFor();
    await expectFocus(page, /Next/);
  });
});

import { join } from "node:path";
import { expect } from "chai";
import type { BrowserContextOptions, Page } from "playwright-core";
import { BatchClient } from "../batches/batch-client.ts";
import { accessibilityFaults, colourFaults } from "../support/browser/accessibility.ts";
import { expectSoon } from "../support/browser/page-state.ts";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

const PROBES = join(import.meta.dirname, "..", "support", "browser", "page-probes.js");
const TIMEOUT_MS = 120_000;

const LONG_WORD = "Donaudampfschifffahrt".repeat(9);
const PHONE = { viewport: { width: 360, height: 740 } };
/** The second differs from the first by its colours alone. */
const LOOKS = [
  { name: "on a phone, light", ...PHONE, colorScheme: "light", faults: accessibilityFaults },
  { name: "on a phone, dark", ...PHONE, colorScheme: "dark", faults: colourFaults },
  {
    name: "on a tablet, light",
    viewport: { width: 800, height: 1_000 },
    colorScheme: "light",
    faults: accessibilityFaults,
  },
  {
    name: "on a laptop, dark",
    viewport: { width: 1_280, height: 900 },
    colorScheme: "dark",
    faults: accessibilityFaults,
  },
] as const;

/** Changes the look of an open page. Loading these pages anew would give the same: no script of theirs asks for the width or scheme at its start. */
async function show(page: Page, { viewport, colorScheme }: (typeof LOOKS)[number]): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  // The drawings of a batch follow the width a frame later.
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
}

describe("the pages for browsers: layout and accessibility", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  let documentPath = "";
  let batchPath = "";

  before(async () => {
    const source = "https://example.org/".concat("very-long-path/".repeat(20));
    const document = await engine.client.addDocument("one.txt", `The first document. ${LONG_WORD}`, {
      title: LONG_WORD,
      source_url: source,
    });
    documentPath = `/corpus/${document.document_id}`;
    const members = [{ text: prose(1, 60), name: LONG_WORD }, { text: prose(1, 60) }];
    const { batch } = await new BatchClient(() => engine.client).compared(members, { title: LONG_WORD });
    batchPath = `/batches/${batch.batch_id}`;
    for (const title of [LONG_WORD, "مقال عن تاريخ المدينة", "A paper", undefined])
      await engine.client.checked("The first document. It is copied.", title === undefined ? {} : { title });
  });

  const scenes: Readonly<Record<string, { path: () => string; prepare: (page: Page) => Promise<void> }>> = {
    "the form": {
      path: () => "/",
      prepare: async (page) => {
        await page.getByRole("link", { name: LONG_WORD }).waitFor();
        await page.getByRole("button", { name: "Check", exact: true }).click();
        await page.getByRole("alert").waitFor();
      },
    },
    "the form with a file that is empty": {
      path: () => "/",
      prepare: async (page) => {
        const buffer = Buffer.alloc(0);
        await page
          .locator("#file")
          .setInputFiles({ name: `${LONG_WORD}.pdf`, mimeType: "application/pdf", buffer });
        await page.getByRole("alert").waitFor();
      },
    },
    "the list of checks": {
      path: () => "/checks",
      prepare: async (page) => {
        await page.getByRole("button", { name: "Rename A paper" }).click();
        await page.getByRole("textbox", { name: "Title" }).waitFor();
      },
    },
    "the question before deleting": {
      path: () => "/checks",
      prepare: async (page) => {
        await page.getByRole("button", { name: `Delete ${LONG_WORD}` }).click();
        await page.getByRole("dialog").waitFor();
      },
    },
    "a search without a result": {
      path: () => `/checks?title=${LONG_WORD}x`,
      prepare: (page) => page.getByRole("button", { name: "Clear search" }).waitFor(),
    },
    "the corpus, with uploads": {
      path: () => "/corpus",
      prepare: async (page) => {
        const file = (name: string, content: string) => ({
          name,
          mimeType: "text/plain",
          buffer: Buffer.from(content),
        });
        await page
          .locator("#files")
          .setInputFiles([file(`${LONG_WORD}.txt`, "The first document."), file("b", "")]);
        await page.getByText("1 not added").waitFor();
        await page.getByText("1 of 2 files ready").waitFor();
      },
    },
    "a batch with a long name": {
      path: () => batchPath,
      prepare: (page) => page.locator(".batch-table").waitFor(),
    },
    "the list of batches, while one is renamed": {
      path: () => "/batches",
      prepare: (page) => page.getByRole("button", { name: `Rename ${LONG_WORD}` }).click(),
    },
    "a document": { path: () => documentPath, prepare: (page) => page.locator(".document-text").waitFor() },
    "the correction of a document's language": {
      path: () => documentPath,
      prepare: async (page) => {
        await page.getByRole("button", { name: "Change language" }).click();
        await page.getByRole("dialog").getByLabel("Language").waitFor();
      },
    },
    "a document that is not there": {
      path: () => "/corpus/01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf",
      prepare: (page) => page.getByRole("alert").waitFor(),
    },
  };

  for (const [name, { path, prepare }] of Object.entries(scenes)) {
    it(`has no accessibility findings and keeps its layout: ${name}`, async () => {
      const { page, complaints } = await openStill(path(), PHONE);
      await prepare(page);
      for (const look of LOOKS) {
        await show(page, look);
        expect(await look.faults(page), look.name).to.deep.equal([]);
        await expectSoon(() => page.evaluate("probes.sticksOutOfPage()"), [], look.name);
      }
      // The browser itself notes an answer of 404 as an error.
      expect(complaints.filter((one) => !one.includes("status of 404"))).to.deep.equal([]);
    });
  }

  it("shows a focus outline on every focusable element", async () => {
    for (const path of ["/", "/compare", "/checks", "/batches", batchPath, "/corpus", documentPath]) {
      const { page } = await openStill(path, {});
      await page.waitForLoadState("networkidle");
      const unseen: string[] = [];
      for (;;) {
        await page.keyboard.press("Tab");
        const focused = await page.evaluate<{ name: string; isSeen: boolean; isEnd: boolean }>(FOCUSED);
        if (focused.isEnd) break;
        if (!focused.isSeen) unseen.push(focused.name);
      }
      expect(unseen, path).to.deep.equal([]);
    }
  });

  it("keeps the text of a button readable under the pointer", async () => {
    const { page } = await openStill("/", PHONE);
    for (const look of LOOKS) {
      await show(page, look);
      await page.getByRole("button", { name: "Check", exact: true }).hover();
      expect(await colourFaults(page), look.name).to.deep.equal([]);
    }
  });

  it("animates nothing for readers who have asked for reduced motion", async () => {
    for (const path of ["/", "/compare", "/checks", "/batches", batchPath, "/corpus"]) {
      const { page } = await openStill(path, {});
      const moving = await page.evaluate<
        readonly string[]
      >(`[...document.querySelectorAll("*")].filter((one) => {
        const { animationName, transitionDuration } = getComputedStyle(one);
        return animationName !== "none" || !/^0s(, 0s)*$/.test(transitionDuration);
      }).map((one) => one.outerHTML)`);
      expect(moving).to.deep.equal([]);
      expect(await page.evaluate("getComputedStyle(document.documentElement).scrollBehavior")).to.equal(
        "auto",
      );
    }
  });

  function openStill(path: string, options: BrowserContextOptions) {
    const url = `${engine.client.base}${path}`;
    return browser.open(url, { reducedMotion: "reduce", ...options }, [PROBES]);
  }
});

/**
 * The element that has the focus: whether an outline is drawn on it, or for it, as on the label of a field that is not shown
 * itself. The end is where the focus leaves the page.
 */
const FOCUSED = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return { name: "", isSeen: true, isEnd: true };
  const around = [focused, focused.closest(".composer"), focused.nextElementSibling].filter((one) => one !== null);
  const isSeen = around.some((one) => getComputedStyle(one).outlineStyle === "solid");
  return { name: focused.outerHTML, isSeen, isEnd: false };
})()`;

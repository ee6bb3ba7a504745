import { expect } from "chai";
import type { Page } from "playwright-core";
import { BatchClient } from "../batches/batch-client.ts";
import { COLOUR_SCHEMES } from "../support/browser/accessibility.ts";
import { type ControlContrast, controlContrasts } from "../support/browser/contrast.ts";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

const TIMEOUT_MS = 240_000;

/** WCAG 2.2, 1.4.3 for text and 1.4.11 for the boundaries of fields and for focus rings. */
const TEXT_MIN = 4.5;
const LINE_MIN = 3;

describe("the contrast of every control in every state", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  let checkPath = "";
  let documentPath = "";
  let batchPath = "";

  before(async () => {
    const copies = [1, 2, 3].map((number) => prose(number, 40));
    const ids = [];
    for (const [at, copy] of copies.entries()) {
      const title = `Source ${at + 1}`;
      const added = await engine.client.addDocument(`${at}.txt`, `${copy} ${prose(20 + at, 40)}`, {
        title,
        source_url: "https://example.org/page",
      });
      ids.push(added.document_id);
    }
    const report = await engine.client.checked(copies.join("\n\n"), { title: "A paper" });
    await engine.client.checked("A text of its own.");
    const members = copies.map((copy, at) => ({ text: `${copies[0]} ${copy}`, name: `Text ${at}` }));
    const { batch } = await new BatchClient(() => engine.client).compared(members, { title: "A class" });
    batchPath = `/batches/${batch.batch_id}`;
    checkPath = `/checks/${report.check_id}`;
    documentPath = `/corpus/${ids[0]}`;
  });

  const scenes: Readonly<Record<string, { path: () => string; prepare: (page: Page) => Promise<void> }>> = {
    "the form": {
      path: () => "/",
      prepare: async (page) => {
        await page.getByRole("link", { name: "A paper" }).waitFor();
      },
    },
    "the form with a file": {
      path: () => "/",
      prepare: async (page) => {
        const file = { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) };
        await page.locator("#file").setInputFiles(file);
        await page.getByRole("alert").waitFor();
      },
    },
    "the list of checks, while one is renamed and others are picked": {
      path: () => "/checks?status=complete",
      prepare: async (page) => {
        await page.getByRole("button", { name: "Rename A paper" }).click();
        await page.getByRole("checkbox", { name: "Select all on this page" }).check();
        await page.getByRole("button", { name: "Delete 2 selected…" }).waitFor();
      },
    },
    "the question before several checks are deleted": {
      path: () => "/checks",
      prepare: async (page) => {
        await page.getByRole("checkbox", { name: "Select all on this page" }).check();
        await page.getByRole("button", { name: "Delete 2 selected…" }).click();
        await page.getByRole("dialog").waitFor();
      },
    },
    "the second page of a list": {
      path: () => "/checks?page=2",
      prepare: (page) => page.getByRole("button", { name: "Go to the first page" }).waitFor(),
    },
    "the corpus": {
      path: () => "/corpus",
      prepare: (page) => page.getByRole("link", { name: "Source 1" }).waitFor(),
    },
    "a document": { path: () => documentPath, prepare: (page) => page.locator(".document-text").waitFor() },
    "the correction of a language": {
      path: () => documentPath,
      prepare: async (page) => {
        await page.getByRole("button", { name: "Change language" }).click();
        await page.getByRole("dialog").waitFor();
      },
    },
    "the list of batches and its form with files": {
      path: () => "/batches",
      prepare: async (page) => {
        await page.getByRole("link", { name: "A class" }).waitFor();
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
        const file = { name: "anna.txt", mimeType: "text/plain", buffer: Buffer.from("Her text.") };
        await page.locator("#batch-files").setInputFiles(file);
        await page.getByRole("button", { name: "Remove anna.txt" }).waitFor();
      },
    },
    ...Object.fromEntries(
      ["pairs", "clusters", "matrix", "members"].map((view) => [
        `a batch: ${view}`,
        {
          path: () => `${batchPath}?view=${view}`,
          prepare: (page: Page) => page.locator(".tab-panel > *").first().waitFor(),
        },
      ]),
    ),
    "a report with all its parts open": {
      path: () => checkPath,
      prepare: async (page) => {
        await page.locator(".text").waitFor();
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      },
    },
    "a report beside a source": {
      path: () => checkPath,
      prepare: async (page) => {
        await page.locator(".text").waitFor();
        await page.keyboard.press("n");
        await page.locator(".comparison").waitFor();
        await page.getByRole("button", { name: "Whole source" }).click();
        await page.getByRole("button", { name: "Why?" }).click();
        await page.getByText("Why this is reported").waitFor();
      },
    },
  };

  for (const [name, { path, prepare }] of Object.entries(scenes)) {
    it(`is enough: ${name}, light and dark`, async () => {
      const { page } = await browser.open(engine.client.base + path(), { reducedMotion: "reduce" });
      await prepare(page);
      await page.waitForLoadState("networkidle");
      const measured: string[][] = [];
      for (const colorScheme of COLOUR_SCHEMES) {
        await page.emulateMedia({ colorScheme });
        const states = await controlContrasts(page);
        for (const [state, controls] of Object.entries(states)) {
          expect(controls.length, `${colorScheme}, ${state}`).to.be.at.least(2);
          expect(controls.flatMap(textFaults), `texts, ${colorScheme}, ${state}`).to.deep.equal([]);
          // A field that is disabled needs no boundary.
          if (state !== "disabled")
            expect(controls.filter(hasFaintBoundary), `fields, ${colorScheme}, ${state}`).to.deep.equal([]);
        }
        expect(
          states["focus-visible"].filter(({ ring }) => ring < LINE_MIN),
          `rings, ${colorScheme}`,
        ).to.deep.equal([]);
        measured.push(states.normal.map((control) => control.name));
      }
      expect(measured[1], "the same controls in both schemes").to.deep.equal(measured[0]);
    });
  }

  it("would be found too low: white text on the hover colour of other buttons", async () => {
    const { page } = await browser.open(engine.client.base, { colorScheme: "light" });
    await page.evaluate(`{
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("button:hover:not(:disabled):not(.x) { background: var(--ground) }");
      document.adoptedStyleSheets.push(sheet);
    }`);
    const { normal, hover } = await controlContrasts(page);
    expect(normal.flatMap(textFaults)).to.deep.equal([]);
    expect(hover.flatMap(textFaults)).to.have.lengthOf(1);
  });
});

function textFaults({ texts }: ControlContrast): string[] {
  return texts.flatMap(({ name, contrast }) => (contrast < TEXT_MIN ? [`${name}: ${contrast}`] : []));
}

function hasFaintBoundary({ boundary }: ControlContrast): boolean {
  return boundary !== null && boundary < LINE_MIN;
}

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { EngineClient } from "../client.ts";
import { prose } from "../work/prose.ts";
import type { SampleWork } from "../work/sample-work.ts";

export type Shooting = {
  readonly browser: Browser;
  /** An engine with documents and checks, and an empty one. */
  readonly base: string;
  readonly emptyBase: string;
  /** The statistics with data. */
  readonly statisticsBase: string;
  readonly work: SampleWork;
  readonly moreScenes: readonly Scene[];
  readonly folder: string;
  /** Takes only screenshots whose name contains one of these. */
  readonly only: readonly string[];
  readonly say: (line: string) => void;
};

const WIDE = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const LOOKS: readonly { readonly look: string; readonly options: BrowserContextOptions }[] = [
  { look: "light", options: { ...WIDE, colorScheme: "light" } },
  { look: "dark", options: { ...WIDE, colorScheme: "dark" } },
  { look: "phone-light", options: { ...PHONE, colorScheme: "light" } },
  { look: "phone-dark", options: { ...PHONE, colorScheme: "dark" } },
];

/** Takes a screenshot of every scene in every look: `SCENE-LOOK.png`. */
export async function takeScreenshots(shooting: Shooting): Promise<void> {
  const { browser, folder, only, say } = shooting;
  for (const { name, url, prepare } of [...scenes(shooting), ...shooting.moreScenes]) {
    for (const { look, options } of LOOKS) {
      const file = `${name}-${look}.png`;
      if (!only.some((one) => file.includes(one))) continue;
      const context = await browser.newContext({ reducedMotion: "reduce", ...options });
      const page = await context.newPage();
      await page.goto(url);
      await page.waitForLoadState("networkidle");
      await prepare?.(page);
      // A dialog, a comparison and a scrolled page belong to the window, not to the page.
      const isInWindow =
        (await page.locator("dialog[open], .comparison").count()) > 0 ||
        (await page.evaluate<number>("scrollY")) > 0;
      const area = isInWindow ? {} : { fullPage: true, clip: await upperPart(page) };
      await page.screenshot({ path: join(folder, file), ...area });
      await context.close();
      say(join(folder, file));
    }
  }
}

/**
 * Draws the pages of a PDF report with two excluded passages and a note: `report-pdf-1.png` and so on. This needs the program
 * `pdftoppm`.
 */
export async function drawPdfReport({ base, work, folder, say }: Shooting): Promise<void> {
  const checkId = work.checkIds[0] ?? "";
  const client = new EngineClient(base);
  const report = await client.report(checkId);
  const references = report.sources.flatMap(({ source_document_id: id, passages }) =>
    passages.map(({ query_start: start, query_end: end }) => `${start}-${end}-${id}`),
  );
  const [noted = "", ...others] = references;
  const written = await client.json("PUT", `/v1/checks/${checkId}/notes/${noted}`, {
    text: "Quoted with its source in chapter 2.",
  });
  if (!written.ok) throw new Error(`note: ${written.status} ${await written.text()}`);
  const excluded = [noted, ...others.slice(0, 1)].join(",");
  const answer = await client.request(`/v1/checks/${checkId}/report.pdf?exclude_passages=${excluded}`);
  if (!answer.ok) throw new Error(`report.pdf: ${answer.status} ${await answer.text()}`);
  const file = join(folder, "report.pdf");
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  try {
    await promisify(execFile)("pdftoppm", ["-r", "80", "-png", file, join(folder, "report-pdf")]);
  } catch (error) {
    throw new Error("report-pdf: pdftoppm failed. Install it with: apt-get install poppler-utils", {
      cause: error,
    });
  }
  say(`${join(folder, "report-pdf")}-*.png`);
}

/** Long lists repeat themselves further down. */
const HEIGHT_MAX = 1_500;

async function upperPart(page: Page) {
  const width = page.viewportSize()?.width ?? 0;
  const height: number = await page.evaluate("document.documentElement.scrollHeight");
  return { x: 0, y: 0, width, height: Math.min(height, HEIGHT_MAX) };
}

/** Two drafts of a text, one of which was rearranged. */
async function compareTexts(page: Page): Promise<void> {
  const [one, two, three] = [TYPED, prose(1, 120), prose(2, 120)];
  await page
    .getByLabel("First text", { exact: true })
    .fill([prose(3, 60), one, two, prose(4, 60)].join("\n\n"));
  await page.getByLabel("Second text", { exact: true }).fill([three, one, prose(5, 90), two].join("\n\n"));
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await showFirstPassage(page);
}

/** Shows the first passage of two texts side by side. */
export async function showFirstPassage(page: Page): Promise<void> {
  await page.locator(".pair").waitFor();
  await page.keyboard.press("n");
  // On a phone the texts stand below the window, where the browser draws none of their blocks.
  await page.locator(".pair-reading").scrollIntoViewIfNeeded();
  await page.waitForTimeout(SETTLED_MS);
}

/** Both texts are laid out around the passage, and the bands are drawn. */
const SETTLED_MS = 300;

export type Scene = {
  readonly name: string;
  readonly url: string;
  readonly prepare?: (page: Page) => Promise<void>;
};

function scenes({ base, emptyBase, statisticsBase, work }: Shooting): Scene[] {
  return [
    { name: "submit", url: `${base}/` },
    {
      name: "submit-typed",
      url: `${base}/`,
      prepare: async (page) => {
        await page.getByLabel("Text to check").fill(TYPED);
        await page.getByLabel("Title").fill("Seminar paper, third draft");
      },
    },
    {
      name: "submit-file",
      url: `${base}/`,
      prepare: (page) =>
        page.locator("#file").setInputFiles({
          name: "thesis-final-FINAL2.pdf",
          mimeType: "application/pdf",
          buffer: Buffer.alloc(11 * 1024 * 1024, "a"),
        }),
    },
    {
      name: "submit-offline",
      url: `${base}/`,
      prepare: async (page) => {
        await page.getByLabel("Text to check").fill(TYPED);
        await page.context().setOffline(true);
        await page.getByRole("button", { name: "Check", exact: true }).click();
        await page.getByRole("alert").waitFor();
      },
    },
    { name: "submit-empty", url: `${emptyBase}/` },
    { name: "compare", url: `${base}/compare` },
    { name: "compare-texts", url: `${base}/compare`, prepare: compareTexts },
    { name: "checks", url: `${base}/checks` },
    { name: "checks-running", url: `${base}/checks`, prepare: showRunning },
    {
      name: "checks-rename",
      url: `${base}/checks?title=thesis`,
      prepare: (page) => page.getByRole("button", { name: /^Rename Thesis/ }).click(),
    },
    {
      name: "checks-delete",
      url: `${base}/checks`,
      prepare: (page) => page.getByRole("button", { name: /^Delete Seminar/ }).click(),
    },
    {
      name: "checks-filtered",
      url: `${base}/checks?score_min=20&sort=score&order=desc`,
    },
    {
      name: "checks-selected",
      url: `${base}/checks`,
      prepare: (page) => selectRows(page, 3),
    },
    { name: "checks-nothing-found", url: `${base}/checks?title=nowhere` },
    { name: "checks-empty", url: `${emptyBase}/checks` },
    { name: "report", url: `${base}/checks/${work.checkIds[0]}` },
    {
      name: "report-passage",
      url: `${base}/checks/${work.checkIds[0]}`,
      prepare: openPassage,
    },
    {
      name: "report-source",
      url: `${base}/checks/${work.checkIds[0]}?exclude_quotes=true&min_words=12`,
      prepare: async (page) => {
        await page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true");
        await page.locator(".source-choice:enabled").first().click();
      },
    },
    {
      name: "report-why",
      url: `${base}/checks/${work.checkIds[0]}`,
      prepare: async (page) => {
        await page.locator(".text mark").first().click();
        await page.getByRole("button", { name: "Why?" }).click();
        await page.getByText("Why this is reported").waitFor();
      },
    },
    {
      name: "report-shortcuts",
      url: `${base}/checks/${work.checkIds[0]}`,
      prepare: (page) => page.getByRole("button", { name: "Shortcuts" }).click(),
    },
    {
      name: "report-menu",
      url: `${base}/checks/${work.checkIds[0]}`,
      prepare: (page) => page.getByText("More", { exact: true }).click(),
    },
    {
      name: "report-whole-source",
      url: `${base}/checks/${work.checkIds[0]}`,
      prepare: async (page) => {
        await openPassage(page);
        await page.getByRole("button", { name: "Whole source" }).click();
        await page.locator(".source-text mark.chosen").first().waitFor();
        await page.waitForTimeout(SETTLED_MS);
      },
    },
    {
      name: "report-pages",
      url: `${base}/checks/${work.pdfCheckId}?view=original`,
      prepare: untilPagesDrawn,
    },
    {
      name: "report-pages-passage",
      url: `${base}/checks/${work.pdfCheckId}?view=original`,
      prepare: async (page) => {
        await untilPagesDrawn(page);
        await openPassage(page);
        await page.waitForTimeout(SETTLED_MS);
      },
    },
    {
      name: "report-document",
      url: `${base}/checks/${work.docxCheckId}?view=original`,
      prepare: (page) => page.locator(".word mark").first().waitFor(),
    },
    { name: "report-nothing-found", url: `${base}/checks/${work.checkIds.at(-1)}` },
    { name: "report-running", url: `${base}/checks/${work.checkIds[0]}`, prepare: showProgress },
    { name: "report-missing", url: `${base}/checks/${work.documentIds[0]}` },
    { name: "report-export", url: `${base}/v1/checks/${work.checkIds[0]}/report.html` },
    { name: "corpus", url: `${base}/corpus` },
    {
      name: "corpus-selected",
      url: `${base}/corpus?sort=title&order=asc`,
      prepare: (page) => selectRows(page, 4),
    },
    { name: "corpus-uploads", url: `${base}/corpus`, prepare: upload },
    { name: "corpus-empty", url: `${emptyBase}/corpus` },
    { name: "document-missing", url: `${base}/corpus/${work.checkIds[0]}` },
    { name: "document", url: `${base}/corpus/${work.documentIds[0]}` },
    { name: "statistics-story", url: `${statisticsBase}/story/en` },
    {
      name: "statistics-story-logarithmic",
      url: `${statisticsBase}/story/ar`,
      prepare: (page) => page.locator("#countries input[name=log]").check(),
    },
    { name: "statistics-country", url: `${statisticsBase}/countries/FR/en` },
    {
      name: "statistics-papers",
      url: `${statisticsBase}/countries/FR/ar?from=2013&to=2022&papers.offset=20`,
    },
    { name: "statistics-discipline", url: `${statisticsBase}/disciplines/27/de` },
    { name: "statistics-map", url: `${statisticsBase}/story/ja?countries.view=map` },
    { name: "statistics-cases", url: `${statisticsBase}/cases/en` },
    { name: "statistics-news", url: `${statisticsBase}/news/en` },
    { name: "statistics-developers", url: `${statisticsBase}/developers/en` },
    { name: "statistics-missing", url: `${statisticsBase}/countries/XK/en` },
  ];
}

async function selectRows(page: Page, rows: number): Promise<void> {
  for (let row = 0; row < rows; row++) await page.locator(".picker").nth(row).check();
}

async function openPassage(page: Page): Promise<void> {
  await page.locator(":is(.text, .page-marks) mark").first().waitFor();
  await page.keyboard.press("n");
  await page.locator(".comparison .matching-words").waitFor();
}

/** The first page is drawn, and the places of the passages on the pages are known. */
async function untilPagesDrawn(page: Page): Promise<void> {
  await page.locator("canvas[data-drawn]").first().waitFor();
  await page.locator(".page-marks mark").first().waitFor();
}

const TYPED =
  "We stayed at the harbour. The ferry to the island leaves at six in the morning, and whoever misses it waits until the tide turns.\n\nWe did not sleep much.";

/** Shows a check as if it were running: real checks end too soon. */
async function showProgress(page: Page): Promise<void> {
  await page.route("**/v1/checks/*", async (route) => {
    const check = await (await route.fetch()).json();
    await route.fulfill({ json: { ...check, status: "running", stage: "retrieving" } });
  });
  await page.route("**/v1/checks/*/progress", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: 'data: {"stage":"retrieving","chunks_done":3,"chunks_total":7}\n\n',
    }),
  );
  await page.reload();
  await page.getByText("3 of 7 parts searched").waitFor();
}

/** Shows the first checks as if they were waiting, running and failed. */
async function showRunning(page: Page): Promise<void> {
  const states = [
    { status: "pending", stage: null },
    { status: "running", stage: "retrieving" },
    {
      status: "failed",
      error_message:
        "The check failed 3 times because of an internal error. Submit the text again; if that fails too, ask your " +
        "administrator: the service's log has the cause under this check's identifier.",
    },
  ];
  await page.route("**/v1/checks?*", async (route) => {
    const list = await (await route.fetch()).json();
    for (const [index, state] of states.entries())
      Object.assign(list.items[index], {
        overall_similarity_pct: null,
        chunks_done: 3,
        chunks_total: 7,
        ...state,
      });
    await route.fulfill({ json: list });
  });
  await page.reload();
  await page.getByText("Waiting to start").waitFor();
}

async function upload(page: Page): Promise<void> {
  const file = (name: string, content: string) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(content),
  });
  await page.route("**/v1/corpus/documents", (route) =>
    route.request().postData()?.includes("on-its-way") === true ? undefined : route.continue(),
  );
  await page
    .locator("#files")
    .setInputFiles([
      file("lecture-notes.txt", "The notes of a lecture."),
      file("scan-without-text.txt", " "),
      file("empty.docx", ""),
      file("a-large-thesis-on-its-way.txt", "on-its-way"),
    ]);
  await page.getByText("1 of 4 files ready, 2 not added").waitFor();
}

import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
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
  /** Takes only screenshots whose name contains this. */
  readonly only: string;
  readonly say: (line: string) => void;
};

const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true };

const LOOKS: readonly { readonly look: string; readonly options: BrowserContextOptions }[] = [
  { look: "light", options: { viewport: { width: 1280, height: 1040 }, colorScheme: "light" } },
  { look: "dark", options: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" } },
  { look: "phone-light", options: { ...PHONE, colorScheme: "light" } },
  { look: "phone-dark", options: { ...PHONE, colorScheme: "dark" } },
];

/** Takes a screenshot of every scene in every look: `SCENE-LOOK.png`. */
export async function takeScreenshots(shooting: Shooting): Promise<void> {
  const { browser, folder, only, say } = shooting;
  for (const { name, url, prepare } of [...scenes(shooting), ...shooting.moreScenes]) {
    for (const { look, options } of LOOKS) {
      const file = `${name}-${look}.png`;
      if (!file.includes(only)) continue;
      const context = await browser.newContext({ reducedMotion: "reduce", ...options });
      const page = await context.newPage();
      await page.goto(url);
      await page.waitForLoadState("networkidle");
      await prepare?.(page);
      // A dialog or a comparison belongs to the window, not to the page.
      const isInWindow = (await page.locator("dialog[open], .comparison").count()) > 0;
      const area = isInWindow ? {} : { fullPage: true, clip: await upperPart(page) };
      await page.screenshot({ path: join(folder, file), ...area });
      await context.close();
      say(join(folder, file));
    }
  }
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
  await page.locator(".pair").waitFor();
  await page.keyboard.press("n");
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
    { name: "checks-nothing-found", url: `${base}/checks?title=nowhere` },
    { name: "checks-empty", url: `${emptyBase}/checks` },
    { name: "report", url: `${base}/checks/${work.checkIds[0]}` },
    {
      name: "report-passage",
      url: `${base}/checks/${work.checkIds[0]}`,
      prepare: async (page) => {
        await page.keyboard.press("n");
        await page.locator(".comparison .matching-words").waitFor();
      },
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
    { name: "report-nothing-found", url: `${base}/checks/${work.checkIds.at(-1)}` },
    { name: "report-running", url: `${base}/checks/${work.checkIds[0]}`, prepare: showProgress },
    { name: "report-missing", url: `${base}/checks/${work.documentIds[0]}` },
    { name: "report-export", url: `${base}/v1/checks/${work.checkIds[0]}/report.html` },
    { name: "corpus", url: `${base}/corpus` },
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
    { name: "statistics-cases", url: `${statisticsBase}/cases/en` },
    { name: "statistics-news", url: `${statisticsBase}/news/en` },
    { name: "statistics-developers", url: `${statisticsBase}/developers/en` },
    { name: "statistics-missing", url: `${statisticsBase}/countries/XK/en` },
  ];
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
    { status: "failed", error_message: "The text could not be searched for after three attempts." },
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

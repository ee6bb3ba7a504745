import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { zipSync } from "fflate";
import type { BrowserContextOptions, Page } from "playwright-core";
import { BatchClient } from "../../batches/batch-client.ts";
import { faultsInBothSchemes } from "../../support/browser/accessibility.ts";
import { expectRows, expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 240_000;
const PROBES = join(import.meta.dirname, "..", "..", "support", "browser", "page-probes.js");
const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1_440, height: 900 };

const COPIED = prose(701, 300);
const own = (seed: number, words = 120) => prose(seed, words);

/** A ring of three that copied a third of their long texts, two that share a little, and one text of its own. */
const CLASS = [
  { name: "anna.txt", text: `${own(711, 500)} ${COPIED}` },
  { name: "ben.txt", text: `${own(712, 300)} ${COPIED} ${own(718, 300)}` },
  { name: "carl.txt", text: `${own(713, 400)} ${COPIED} ${own(714, 300)}`, group: "late" },
  { name: "dora.txt", text: `${own(715, 300)} ${prose(702, 40)}` },
  { name: "emil.txt", text: `${prose(702, 40)} ${own(716, 300)}` },
  { name: "frida.txt", text: own(717) },
];

describe("the pages of batches", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  const batches = new BatchClient(() => engine.client);
  let batchId = "";

  before(async () => {
    const { batch } = await batches.compared(CLASS, { title: "Essays on ferries" });
    batchId = batch.batch_id;
  });

  const open = (path: string, options: BrowserContextOptions = { viewport: LAPTOP }) =>
    browser.open(`${engine.client.base}${path}`, { reducedMotion: "reduce", ...options }, [PROBES]);
  const openView = (view: string, options?: BrowserContextOptions) =>
    open(`/batches/${batchId}?view=${view}`, options);
  const submit = (page: Page) => page.getByRole("button", { name: "Compare", exact: true }).click();
  const text = (name: string, content: string) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(content),
  });
  const setThreshold = async (page: Page, pct: number) => {
    await page.getByRole("slider").fill(String(pct));
    await page.getByText(`Pairs of at least ${pct}%`, { exact: true }).waitFor();
  };

  it("submit files and an archive, follow them, and lead to their pairs", async () => {
    const { page, complaints } = await open("/batches");
    const archive = zipSync({ "class/carl/essay.txt": Buffer.from(`${own(721)} ${COPIED}`) });
    await page
      .locator("#batch-files")
      .setInputFiles([
        text("anna.txt", `${COPIED} ${own(722)}`),
        text("broken.pdf", "%PDF-1.7 and nothing else"),
        { name: "more.zip", mimeType: "application/zip", buffer: Buffer.from(archive) },
      ]);
    await page.locator(".batch-files-head", { hasText: "3 files" }).waitFor();
    await page.getByRole("textbox", { name: "Title (optional)" }).fill("From a form");
    await submit(page);
    await page.waitForURL(/\/batches\/[0-9a-f-]{36}/);
    await page.getByRole("heading", { name: "From a form" }).waitFor();
    await page.getByRole("link", { name: "Compare anna.txt and class/carl/essay.txt" }).waitFor();
    await page.getByText("1 text could not be read").click();
    await page.getByText(/broken\.pdf: .*PDF/).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it("take a folder that is chosen or dropped, by the paths of its files and without hidden ones", async () => {
    const folder = await mkdtemp(join(tmpdir(), "class-"));
    try {
      await mkdir(join(folder, "essays", "anna"), { recursive: true });
      await writeFile(join(folder, "essays", "anna", "one.txt"), `${COPIED} ${own(731)}`);
      await writeFile(join(folder, "essays", "two.txt"), `${own(732)} ${COPIED}`);
      await writeFile(join(folder, "essays", ".hidden"), "x");
      const { page } = await open("/batches");
      await page.locator("#batch-folder").setInputFiles(join(folder, "essays"));
      await page.locator(".batch-files-head", { hasText: "2 files" }).waitFor();
      const names = () => page.locator(".batch-files-list bdi").allTextContents();
      expect((await names()).toSorted()).to.deep.equal(["essays/anna/one.txt", "essays/two.txt"]);
      await page.getByRole("button", { name: "Remove all" }).click();
      const session = await page.context().newCDPSession(page);
      const drag = (type: "dragEnter" | "dragOver" | "drop") =>
        session.send("Input.dispatchDragEvent", {
          ...{ type, x: 600, y: 300 },
          data: { items: [], files: [join(folder, "essays")], dragOperationsMask: 1 },
        });
      await drag("dragEnter");
      await drag("dragOver");
      await drag("drop");
      await page.locator(".batch-files-head", { hasText: "2 files" }).waitFor();
      expect((await names()).toSorted()).to.deep.equal(["essays/anna/one.txt", "essays/two.txt"]);
      await submit(page);
      await page.getByRole("link", { name: "Compare anna/one.txt and two.txt" }).waitFor();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("say what is missing, and keep the form after a failed attempt", async () => {
    const { page } = await open("/batches");
    await submit(page);
    await page.getByText("Choose the texts first").waitFor();
    await page.locator("#batch-files").setInputFiles([text("anna.txt", COPIED), text("ben.txt", COPIED)]);
    await page.context().setOffline(true);
    await submit(page);
    await page.getByRole("alert").waitFor();
    await page.locator(".batch-files-head", { hasText: "2 files" }).waitFor();
    await page.context().setOffline(false);
    await submit(page);
    await page.getByRole("link", { name: "Compare anna.txt and ben.txt" }).waitFor();
  });

  it("list, find, rename and delete batches", async () => {
    await batches.compared(CLASS.slice(0, 2), { title: "To be deleted" });
    const { page } = await open("/batches?title=to+be");
    await expectRows(page, ["To be deleted"]);
    await page.getByRole("button", { name: "Rename To be deleted" }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).last().fill("To be gone");
    await page.getByRole("button", { name: "Save" }).click();
    await expectRows(page, ["To be gone"]);
    await page.getByRole("button", { name: "Delete To be gone" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Nothing matches").waitFor();
  });

  it("rank the pairs, sort and filter them, and keep it all in the address", async () => {
    const { page } = await openView("pairs");
    const links = () =>
      page
        .locator(".row-link > a")
        .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
    await page.getByText("4 pairs", { exact: true }).waitFor();
    const ranked = await links();
    expect(ranked[0]).to.equal("Compare anna.txt and ben.txt");
    expect(ranked.at(-1)).to.equal("Compare dora.txt and emil.txt");
    await page.getByLabel("Order").selectOption("By name");
    await page.waitForURL(/sort=name/);
    await expectSoon(links, ranked.toSorted());
    await page.getByLabel("Name or group").fill("LATE");
    await page.getByText("2 pairs", { exact: true }).waitFor();
    await page.getByLabel("Name or group").fill("");
    await setThreshold(page, 30);
    await page.waitForURL(/min_similarity=30/);
    await page.getByText("3 pairs", { exact: true }).waitFor();
    await page.getByLabel("Name or group").fill("ben");
    await page.waitForURL(/name=ben/);
    await page.reload();
    await page.getByText("2 pairs", { exact: true }).waitFor();
    expect(await page.getByLabel("Name or group").inputValue()).to.equal("ben");
  });

  it("split clusters when the threshold rises", async () => {
    const { page } = await openView("clusters");
    await page.getByText("2 clusters").waitFor();
    await expectSoon(() => page.locator(".graph circle.node").count(), 5);
    await setThreshold(page, 25);
    await page.getByText("1 cluster", { exact: true }).waitFor();
    await expectSoon(() => page.locator(".graph circle.node").count(), 3);
    await setThreshold(page, 100);
    await page.getByText("No pairs of at least 100%").waitFor();
    await setThreshold(page, 3);
    await page.getByText("2 clusters").waitFor();
  });

  it("show the pairs of a member that is clicked and of a cluster that is chosen from the list", async () => {
    const { page } = await openView("clusters");
    await page.locator(".graph circle.node").first().click();
    await page.locator(".cluster-side").getByText("2 pairs · Report").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: /^2 texts/ }).press("Enter");
    await page.getByRole("heading", { name: "Pairs of this cluster" }).waitFor();
    await expectSoon(() => page.locator(".graph circle.node").count(), 2);
    await page
      .locator(".cluster-side")
      .getByRole("link", { name: /dora.*emil/s })
      .click();
    await page.waitForURL(/\/pairs\//);
  });

  it("show the matrix of a cluster, lead from its pairs to each other only, and back to it", async () => {
    const { page } = await openView("clusters");
    await page.getByLabel("Order").selectOption("Most similar first");
    await page.waitForURL(/cluster_sort=similarity/);
    await page.getByRole("button", { name: /^3 texts/ }).click();
    await page.getByRole("button", { name: "Show matrix" }).click();
    await page.getByText("3 texts", { exact: true }).first().waitFor();
    // The page writes its address a frame after it has drawn.
    await page.waitForURL(({ search }) => /view=matrix/.test(search) && /cluster=/.test(search));
    const address = page.url();
    const matrix = page.getByRole("application", { name: "Similarity matrix" });
    const place = async () => JSON.stringify(await matrix.boundingBox());
    // The focus scrolls it into view.
    await matrix.focus();
    const before = await place();
    await page.keyboard.press("ArrowRight");
    await page.locator(".matrix-caption .pair-line").waitFor();
    expect(await place()).to.equal(before);
    await page.keyboard.press("Enter");
    await page.getByText("Pair 1 of 3 in the cluster").waitFor();
    await page.getByRole("link", { name: "Next pair" }).click();
    await page.getByText("Pair 2 of 3 in the cluster").waitFor();
    await page.getByRole("link", { name: "Essays on ferries" }).click();
    await matrix.waitFor();
    const shown = (url: string) => [...new URL(url).searchParams].map(String).toSorted();
    await expectSoon(async () => shown(page.url()), shown(address));
    await page.getByLabel("Cluster").selectOption("All clusters");
    await page.getByText("5 texts", { exact: true }).waitFor();
  });

  it("move through the matrix by keys and open the pair", async () => {
    const { page } = await openView("matrix");
    const matrix = page.getByRole("application", { name: "Similarity matrix" });
    await matrix.focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".matrix-caption .pair-line").waitFor();
    expect(await page.locator(".matrix-caption bdi").allTextContents()).to.deep.equal([
      "anna.txt",
      "ben.txt",
    ]);
    await page.keyboard.press("End");
    await page.locator(".matrix-caption").getByText(": No pairs of at least 3%").waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("Control+ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/pairs\//);
    await page.getByRole("region", { name: "anna.txt" }).waitFor();
  });

  it("name the pair under the pointer in the matrix and open it with a click", async () => {
    const { page } = await openView("matrix");
    const box = await page.locator(".matrix-scroller canvas").boundingBox();
    if (box === null) throw new Error("the matrix is not drawn");
    // Five cells of 28 pixels and a border come after the names.
    const names = box.width - 5 * 28 - 2;
    const position = { x: names + 28 * 1.5, y: names + 14 };
    await page.locator(".matrix-scroller").hover({ position });
    await page.locator(".matrix-caption .pair-line").waitFor();
    await page.locator(".matrix-scroller").click({ position });
    await page.waitForURL(/\/pairs\//);
  });

  it("write the percentages into the cells of the matrix, and explain the others", async () => {
    const { page } = await openView("matrix", { viewport: PHONE, hasTouch: true, isMobile: true });
    await page.addInitScript(`window.written = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        written.push(text);
        return fillText.call(this, text, ...rest);
      };`);
    await page.reload();
    await page.getByText(/^Point at a cell or tap it .* empty cells are no pair of at least 3%/).waitFor();
    const { pairs } = await batches.graph(batchId);
    const pcts = [...pairs.a_similarity_pct, ...pairs.b_similarity_pct];
    const written = () => page.evaluate<string[]>("written");
    // The cells are drawn once the page has read the colours of its styles.
    await expectSoon(async () => {
      const texts = new Set(await written());
      return pcts.map((pct) => String(Math.round(pct))).filter((pct) => !texts.has(pct));
    }, []);
  });

  it("save the drawings as SVG files", async () => {
    for (const [view, label] of [
      ["pairs", "Save as SVG (Overview)"],
      ["clusters", "Save as SVG (Clusters)"],
      ["matrix", "Save as SVG (Matrix)"],
    ] as const) {
      const { page } = await openView(view);
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: label }).click();
      const download = await saved;
      const stream = await download.createReadStream();
      const content = (await stream.toArray()).join("");
      expect(content, view).to.match(/^<svg[^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      expect(content, view).to.include("fill=");
      expect(content, view).to.not.include("class=");
    }
  });

  it("rank the texts with links to their reports", async () => {
    const { page } = await openView("members");
    await page.getByText("6 texts, 5 with a pair of at least 3%", { exact: true }).waitFor();
    await setThreshold(page, 25);
    await page.getByText("6 texts, 3 with a pair of at least 25%", { exact: true }).waitFor();
    await page.getByRole("link", { name: "frida.txt" }).click();
    await page.waitForURL(/\/checks\//);
  });

  it("are reached from the report of a member, as are its pairs", async () => {
    const [anna] = (await batches.batch(batchId)).members;
    const { page } = await open(`/checks/${anna?.check_id}`);
    // It leads with the batch, because it was not compared with the corpus.
    await page.getByText("of this text is also in 2 other texts of the batch").waitFor();
    await page.getByText("not compared with the corpus").first().waitFor();
    const [{ similarity_pct: pct } = { similarity_pct: 0 }] = (await batches.graph(batchId)).members.filter(
      ({ name }) => name === "anna.txt",
    );
    expect(await page.locator(".score-number").textContent()).to.equal(`${pct.toFixed(2)}%`);
    await page.getByRole("link", { name: "See pair with ben.txt" }).click();
    await page.waitForURL(/\/pairs\//);
    const side = page.getByRole("region", { name: "anna.txt" });
    await expectSoon(() => side.textContent(), CLASS[0]?.text ?? "");
    await page.goBack();
    await page.getByRole("link", { name: "Essays on ferries" }).click();
    await page.waitForURL(new RegExp(`/batches/${batchId}$`));
  });

  it("write the numbers of the bars beside the line of the threshold", async () => {
    for (const viewport of [LAPTOP, PHONE]) {
      const { page } = await openView("pairs", { viewport });
      const crossed = () =>
        page.evaluate<string[]>(`(() => {
          const line = document.querySelector(".distribution .threshold").getBoundingClientRect();
          return [...document.querySelectorAll(".distribution text.number")]
            .filter((one) => {
              const box = one.getBoundingClientRect();
              return box.left < line.left && box.right > line.right;
            })
            .map((one) => one.textContent);
        })()`);
      await page.locator(".distribution text.number").first().waitFor();
      for (const pct of [3, 8, 13, 33]) {
        await setThreshold(page, pct);
        await expectSoon(crossed, [], `${viewport.width} px, ${pct}%`);
      }
    }
  });

  it("show both texts of a pair side by side in step, and lead on to the next pair", async () => {
    const { page } = await openView("pairs");
    await page.getByRole("link", { name: "ben.txt", exact: true }).first().click();
    const anna = page.getByRole("region", { name: "anna.txt" });
    const ben = page.getByRole("region", { name: "ben.txt" });
    await expectSoon(() => anna.textContent(), CLASS[0]?.text ?? "");
    await expectSoon(() => ben.textContent(), CLASS[1]?.text ?? "");
    for (const side of [anna, ben])
      expect((await side.locator("mark").allTextContents()).join("")).to.equal(COPIED);
    // The first passage is in view at first, and the focus stays where it was.
    for (const side of [anna, ben]) {
      const box = await side.boundingBox();
      const inView = async () => {
        const mark = await side.locator("mark").first().boundingBox();
        return box !== null && mark !== null && mark.y >= box.y && mark.y < box.y + box.height;
      };
      while (!(await inView())) await page.waitForTimeout(20);
    }
    expect(await page.evaluate("document.activeElement.localName")).to.equal("body");
    await page.keyboard.press("n");
    await page.getByText("Passage 1 of 1: identical").waitFor();
    const topOf = async (side: typeof anna) =>
      (await side.locator("mark").first().boundingBox())?.y ?? Number.NaN;
    await expectSoon(async () => Math.abs((await topOf(anna)) - (await topOf(ben))) <= 4, true);
    await page.getByText("Pair 1 of 4").waitFor();
    await page.getByRole("link", { name: "Next pair" }).click();
    await page.getByText("Pair 2 of 4").waitFor();
    await page.getByRole("link", { name: "Essays on ferries" }).click();
    await page.getByText("4 pairs", { exact: true }).waitFor();
  });

  it("show both texts of a pair at their passage on a phone", async () => {
    const { page } = await open(`/batches/${batchId}?view=pairs`, { viewport: PHONE });
    await page.getByRole("link", { name: "Compare anna.txt and ben.txt" }).click();
    await page.locator(".pair mark").first().waitFor();
    await page.keyboard.press("n");
    await page.getByText("Passage 1 of 1: identical").waitFor();
    await page.locator(".pair-reading").scrollIntoViewIfNeeded();
    const shown = (name: string) =>
      page.getByRole("region", { name }).evaluate((pane) => {
        const { x, y, width, height } = pane.getBoundingClientRect();
        const marks = [...pane.querySelectorAll("mark")].flatMap((mark) => [...mark.getClientRects()]);
        const inView = marks.some((mark) => mark.top >= y && mark.bottom <= y + height && mark.height > 0);
        return inView && width > 0 && x >= 0;
      });
    for (const name of ["anna.txt", "ben.txt"]) while (!(await shown(name))) await page.waitForTimeout(50);
  });

  it("leave out text that many share, in the pairs and in the view of a pair", async () => {
    const common = prose(741, 60);
    const { batch } = await batches.compared(
      Array.from({ length: 11 }, (_, at) => ({
        name: `text ${at}`,
        text: `${at < 2 ? COPIED : ""} ${own(750 + at)} ${common}`,
      })),
    );
    const { page } = await open(`/batches/${batch.batch_id}`);
    await page.getByText("1 pair", { exact: true }).waitFor();
    const shared = page.getByRole("checkbox", { name: "Text that 10 or more texts share" });
    await shared.uncheck();
    await page.getByText("55 pairs", { exact: true }).waitFor();
    await shared.check();
    await page.getByText("1 pair", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Compare text 0 and text 1" }).click();
    const marks = page.getByRole("region", { name: "text 0" }).locator("mark");
    await marks.first().waitFor();
    expect((await marks.allTextContents()).join("")).to.equal(COPIED);
  });

  it("add latecomers, whose pairs are shown once they are compared", async () => {
    const { batch } = await batches.compared(CLASS.slice(0, 2), { title: "Early ones" });
    const { page } = await open(`/batches/${batch.batch_id}`);
    await page.getByRole("button", { name: "Add texts" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Add texts" }).click();
    await dialog.getByText("Choose the texts first").waitFor();
    await dialog.locator("#batch-files").setInputFiles([text("late.txt", `${own(761)} ${COPIED}`)]);
    await dialog.getByRole("button", { name: "Add texts" }).click();
    await page.getByRole("link", { name: "Compare anna.txt and late.txt" }).waitFor();
    await page.getByText("3 texts").first().waitFor();
  });

  it("add latecomers under the same key when their first attempt fails", async () => {
    const { batch } = await batches.compared(CLASS.slice(0, 2));
    const { page } = await open(`/batches/${batch.batch_id}`);
    const keys: (string | undefined)[] = [];
    await page.route("**/members", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      await (keys.length === 3 ? route.continue() : route.abort());
    });
    await page.getByRole("button", { name: "Add texts" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("#batch-files").setInputFiles([text("late.txt", `${own(762)} ${COPIED}`)]);
    const add = dialog.getByRole("button", { name: "Add texts" });
    for (const attempt of [1, 2]) {
      await add.click();
      while (keys.length < attempt) await page.waitForTimeout(50);
      await dialog.getByRole("alert").waitFor();
    }
    expect(keys[0])
      .to.match(/^[\da-f]{32}$/)
      .and.equal(keys[1]);
    await dialog.getByRole("textbox", { name: "Group" }).fill("late");
    await add.click();
    await page.getByText("3 texts").first().waitFor();
    expect(keys[2])
      .to.match(/^[\da-f]{32}$/)
      .and.not.equal(keys[1]);
  });

  it("say so where no texts were compared because all are in one group", async () => {
    const { batch } = await batches.compared(CLASS.slice(0, 2).map((one) => ({ ...one, group: "class" })));
    const { page } = await open(`/batches/${batch.batch_id}`);
    await page.getByText("All texts are in one group, so none were compared with each other.").waitFor();
  });

  it("say that a batch or a pair is not there", async () => {
    const unknown = "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf";
    const { page } = await open(`/batches/${unknown}`);
    await page.getByText("Batch not found").waitFor();
    await page.goto(`${engine.client.base}/batches/${batchId}/pairs/${unknown}/${unknown}`);
    await page.getByText("Pair not found").waitFor();
  });

  for (const viewport of [LAPTOP, PHONE]) {
    it(`have no accessibility findings and keep their layout: light or dark, ${viewport.width} wide`, async () => {
      const expectNoFaults = async (page: Page, what: string) =>
        expect(await faultsInBothSchemes(page, "sticksOutOfPage"), what).to.deep.equal([]);
      const { page } = await open("/batches", { viewport });
      await page.locator("#batch-files").setInputFiles([text(`${"long".repeat(40)}.txt`, COPIED)]);
      await page.getByText("More options").click();
      await page.getByRole("link", { name: "Essays on ferries" }).waitFor();
      await expectNoFaults(page, "the list");
      for (const view of ["pairs", "clusters", "matrix", "members"]) {
        await page.goto(`${engine.client.base}/batches/${batchId}?view=${view}`);
        await page.locator(".tab-panel > *").first().waitFor();
        await expectNoFaults(page, view);
      }
      await page.getByRole("button", { name: "Add texts" }).click();
      await expectNoFaults(page, "the dialog");
      await page.goto(`${engine.client.base}/batches/${batchId}`);
      await page.getByRole("link", { name: "Compare anna.txt and ben.txt" }).click();
      await page.locator(".pair mark").first().waitFor();
      await page.getByText("Pair 1 of 4").waitFor();
      await expectNoFaults(page, "the pair");
    });
  }
});

import { expect } from "chai";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { startTestService } from "../../support/service.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 120_000;
const UNKNOWN = "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf";

/** So little that only part of a long text is searched. */
const SHORT_BUDGET_MS = 15;

describe("a check in a browser without a complete report", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine({ roles: ["engine"] });
  const browser = useBrowser();
  const open = (checkId: string) => browser.open(`${engine.client.base}/checks/${checkId}`);

  const withWorker = async (work: () => Promise<void>, settings: { checkTimeBudgetMs?: number } = {}) => {
    const { databaseUrl, opensearchIndexPrefix } = engine.options;
    const worker = await startTestService({
      databaseUrl,
      opensearchIndexPrefix,
      ...settings,
      roles: ["worker"],
    });
    try {
      await work();
    } finally {
      await worker.stop();
    }
  };

  it("shows progress, also after a reload, and then the report without a reload", async () => {
    const checkId = await engine.client.submit(prose(1, 200), { title: "Waiting" });
    const { page, complaints } = await open(checkId);
    await page.getByText("Waiting to start").waitFor();
    await page.reload();
    await page.getByText("Waiting to start").waitFor();
    expect(await page.getByRole("progressbar").count()).to.equal(1);
    await page.evaluate("globalThis.loadedOnce = true");
    await withWorker(async () => {
      await page.getByText("No matches found in the corpus.").waitFor();
    });
    expect(await page.evaluate("globalThis.loadedOnce")).to.equal(true);
    expect(await page.locator(".text").textContent()).to.equal(prose(1, 200));
    await page.getByText("No document in the corpus matches this text.").waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it("loads the report again after a failure at the end of the check", async () => {
    const checkId = await engine.client.submit(prose(8, 200), { title: "Read late" });
    const { page } = await open(checkId);
    await page.getByText("Waiting to start").waitFor();
    await page.route(`**/v1/checks/${checkId}`, (route) => route.abort());
    await withWorker(async () => {
      await page.getByText("Can’t reach the service").waitFor();
    });
    await page.unroute(`**/v1/checks/${checkId}`);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No matches found in the corpus.").waitFor();
  });

  it("holds no connection while it is hidden, and follows the check again afterwards", async () => {
    const checkId = await engine.client.submit(prose(9, 200), { title: "In the background" });
    const { page } = await open(checkId);
    await page.getByText("Waiting to start").waitFor();
    const ofProgress = (request: { url(): string }) => request.url().endsWith("/progress");
    // The page shows the check a moment before it follows it.
    await Promise.all([page.waitForRequest(ofProgress), page.reload()]);
    const [ended] = await Promise.all([
      page.waitForEvent("requestfailed", ofProgress),
      page.evaluate(visibilityOf("hidden")),
    ]);
    expect(ended.failure()?.errorText).to.equal("net::ERR_ABORTED");
    await withWorker(async () => void (await engine.client.ended(checkId)));
    expect(await page.getByText("No matches found").count()).to.equal(0);
    await page.evaluate(visibilityOf("visible"));
    await page.getByText("No matches found in the corpus.").waitFor();
  });

  it("reports an unknown check, and one that is deleted meanwhile", async () => {
    for (const id of [UNKNOWN, "nonsense"]) {
      const { page } = await open(id);
      await page.getByText("Check not found").waitFor();
    }
    const checkId = await engine.client.submit(prose(2, 200));
    const { page } = await open(checkId);
    await page.getByText("Waiting to start").waitFor();
    await engine.client.request(`/v1/checks/${checkId}`, { method: "DELETE" });
    await page.getByText("Check not found").waitFor();
    expect(await page.getByRole("link", { name: "See all checks" }).getAttribute("href")).to.equal("/checks");
  });

  it("reports a check that is deleted before the page can follow its progress", async () => {
    const checkId = await engine.client.submit(prose(2, 200));
    const { page } = await browser.open(`${engine.client.base}/checks`);
    await page.route("**/progress", async (route) => {
      await engine.client.request(`/v1/checks/${checkId}`, { method: "DELETE" });
      await route.continue();
    });
    await page.goto(`${engine.client.base}/checks/${checkId}`);
    await page.getByRole("link", { name: "See all checks" }).waitFor();
  });

  it("shows why a check failed and what to do", async () => {
    const checkId = await engine.client.submit(prose(3, 200), { title: "Broken" });
    await engine.database.query(
      "update checks set status = 'failed', error_message = 'Submit it again.' where check_id = $1",
      [checkId],
    );
    const { page } = await open(checkId);
    await page.getByText("The check failed").waitFor();
    await page.getByText("Submit it again.").waitFor();
    await page.getByRole("link", { name: "Check the text again" }).waitFor();
  });

  it("says that only part of the text was searched", async () => {
    const text = prose(4, 30_000);
    const checkId = await engine.client.submit(text);
    await withWorker(async () => void (await engine.client.ended(checkId)), {
      checkTimeBudgetMs: SHORT_BUDGET_MS,
    });
    const { checked_chunks: done, total_chunks: all } = await engine.client.report(checkId);
    expect(done).to.be.below(all);
    const { page } = await open(checkId);
    await page.getByText("Only part of the text was searched").click();
    await page.getByText(`${done} of ${all} parts`).waitFor();
  });

  it("says at once why nothing may have been found, and what was not looked for", async () => {
    const checkId = await engine.client.submit(prose(9, 80));
    await withWorker(async () => void (await engine.client.ended(checkId)));
    const { page } = await open(checkId);
    const notice = page.getByText("Only words were compared");
    await notice.waitFor({ state: "visible" });
    await page.getByRole("checkbox", { name: /^translated not looked for$/i }).waitFor();
    await page.getByText("Translated and strongly reworded text was not looked for").waitFor();
    await page.getByRole("checkbox", { name: /^paraphrased close rewording only$/i }).waitFor();
  });

  it("says that a source has been deleted, and keeps the score", async () => {
    const [copied, also] = [prose(5, 60), prose(6, 60)];
    let checkId = "";
    let documentId = "";
    await withWorker(async () => {
      documentId = (await engine.client.addDocument("gone.txt", copied, { title: "Gone" })).document_id;
      await engine.client.addDocument("there.txt", also, { title: "There" });
      checkId = await engine.client.submit(`${copied} ${prose(7, 60)} ${also}`);
      await engine.client.ended(checkId);
    });
    const { page } = await open(checkId);
    await page.locator(".passage-bar").getByText("2 passages").waitFor();
    await engine.client.request(`/v1/corpus/documents/${documentId}`, { method: "DELETE" });
    await page.locator(".text mark", { hasText: copied.slice(0, 30) }).click();
    await page.getByText("The source has been deleted from the corpus").waitFor();

    await page.reload();
    await page.locator(".passage-bar").getByText("1 passage").waitFor();
    expect(await page.locator(".text mark.orphan").textContent()).to.equal(copied);
    const { overall_similarity_pct } = await engine.client.report(checkId);
    await page
      .getByText(`${overall_similarity_pct.toFixed(2)}%`)
      .first()
      .waitFor();
  });

  it("keeps the report on the page when the service can't be reached, and says so", async () => {
    let checkId = "";
    await withWorker(async () => {
      checkId = await engine.client.submit(prose(8, 60));
      await engine.client.ended(checkId);
    });
    const { page } = await open(checkId);
    await page.locator(".text").waitFor();
    await page.context().setOffline(true);
    await page.getByLabel("Exclude quotations").check();
    await page.getByRole("alert").getByText("You’re offline").waitFor();
    expect(await page.locator(".text").textContent()).to.equal(prose(8, 60));
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".score").getByText("Filtered").waitFor();
    await page.getByRole("alert").waitFor({ state: "detached" });
  });
});

/** What happens when a tab goes into the background, and comes back. */
function visibilityOf(state: "hidden" | "visible"): string {
  return `Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
document.dispatchEvent(new Event("visibilitychange"));`;
}

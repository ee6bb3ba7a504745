import { expect } from "chai";
import { CheckList } from "../../src/checks/api/schema.ts";
import { expectAddress, expectFocus } from "../support/browser/page-state.ts";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>`;
const RIGHT_TO_LEFT = "مقال عن تاريخ المدينة القديمة";
const LONG_WORD = "Donaudampfschifffahrt".repeat(9);
const TIMEOUT_MS = 120_000;

/** The list asks each second. */
const SLOW_ANSWER_MS = 1_500;

describe("the list of checks", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  const open = (query = "") => browser.open(`${engine.client.base}/checks${query}`);

  before(async () => {
    for (let number = 1; number <= 22; number++)
      await engine.client.submit("A short text.", { title: `Paper ${number}` });
    await engine.client.submit("<b>A text</b> without a title");
    for (const title of [LONG_WORD, RIGHT_TO_LEFT, HOSTILE])
      await engine.client.submit("A short text.", { title });
    // While a check runs, the page reads the list again each second.
    const { items } = CheckList.parse(await (await engine.client.request("/v1/checks?page_size=100")).json());
    for (const { check_id: checkId } of items) await engine.client.ended(checkId);
  });

  it("shows titles and texts as plain text", async () => {
    const { page, complaints } = await open();
    for (const title of [HOSTILE, RIGHT_TO_LEFT, LONG_WORD])
      await page.getByRole("link", { name: title, exact: true }).waitFor();
    await page.getByRole("link", { name: "<b>A text</b> without a title", exact: true }).waitFor();
    expect(await page.title()).to.equal("Checks · Similarity Check");
    expect(await page.locator("main img, main script, main b").count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });

  it("searches by title, and keeps search and page in the address", async () => {
    const { page } = await open();
    await page.getByText("26 checks").waitFor();
    await page.getByRole("searchbox").fill("PAPER 1");
    await page.getByText("11 checks with “PAPER 1” in the title").waitFor();
    await expectAddress(page, "?title=PAPER+1");
    await page.reload();
    await page.getByText("11 checks with").waitFor();
    expect(await page.getByRole("searchbox").inputValue()).to.equal("PAPER 1");
    await page.getByRole("searchbox").fill("100%");
    await page.getByText("Nothing matches “100%”").waitFor();
    await page.getByRole("button", { name: "Clear search" }).click();
    await page.getByText("26 checks").waitFor();
    await expectAddress(page, "");
    expect(await page.getByRole("searchbox").inputValue()).to.equal("");
  });

  it("has links to its pages, which the back button follows", async () => {
    const { page } = await open();
    await page.getByRole("link", { name: "Next" }).press("Enter");
    await page.getByText("21–26 of 26").waitFor();
    await page.getByRole("link", { name: "Paper 1", exact: true }).waitFor();
    await expectAddress(page, "?page=2");
    await page.goBack();
    await page.getByText("1–20 of 26").waitFor();
    await page.goto(`${engine.client.base}/checks?page=9`);
    await page.getByRole("button", { name: "Go to the first page" }).click();
    await page.getByText("1–20 of 26").waitFor();
  });

  it("renames by keyboard, and returns the focus", async () => {
    const { page } = await open("?title=Paper+22");
    const rename = page.getByRole("button", { name: "Rename Paper 22" });
    await rename.press("Enter");
    await page.keyboard.type("Not this");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Paper 22" }).waitFor();
    await expectFocus(page, "Rename Paper 22");
    await page.keyboard.press("Enter");
    await page.keyboard.type(`Paper 22 <b>new</b>`);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Paper 22 <b>new</b>" }).waitFor();
    await expectFocus(page, "Rename Paper 22 <b>new</b>");
    await page.reload();
    await page.getByRole("link", { name: "Paper 22 <b>new</b>" }).waitFor();
  });

  it("keeps a new title in its field if saving fails", async () => {
    const { page } = await open("?title=Paper+21");
    await page.getByRole("button", { name: "Rename Paper 21" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("Another");
    await page.context().setOffline(true);
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("no connection").waitFor();
    expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).to.equal("Another");
  });

  it("deletes only after a confirmation, and moves the focus to the next row", async () => {
    const { page } = await open("?title=Paper+1");
    await page.getByRole("button", { name: "Delete Paper 15" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Delete this check?" });
    await dialog.getByText("Paper 15").waitFor();
    await expectFocus(page, "Cancel");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expectFocus(page, "Delete Paper 15");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("10 checks with").waitFor();
    await expectFocus(page, "Paper 14");
    await page.reload();
    await page.getByText("10 checks with").waitFor();
    expect(await page.getByRole("link", { name: "Paper 15" }).count()).to.equal(0);
  });

  it("asks again when a deletion is cancelled and asked for in the same moment", async () => {
    const { page } = await open("?title=Paper+14");
    await page.getByRole("button", { name: "Delete Paper 14" }).click();
    await expectFocus(page, "Cancel");
    await page.evaluate(`
      document.querySelector("dialog").requestClose();
      document.querySelector("[aria-label='Delete Paper 14']").click();
    `);
    // The browser reports a closed dialog in a later task.
    await page.evaluate("new Promise((done) => setTimeout(done, 100))");
    await page.getByRole("dialog", { name: "Delete this check?" }).waitFor();
  });

  it("accepts that another window has deleted a check", async () => {
    const { page } = await open("?title=Paper+2");
    const link = page.getByRole("link", { name: "Paper 21" });
    const address = (await link.getAttribute("href")) ?? "";
    await page.getByRole("button", { name: "Delete Paper 21" }).click();
    expect((await engine.client.request(`/v1${address}`, { method: "DELETE" })).status).to.equal(204);
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await link.waitFor({ state: "detached" });
  });

  it("shows in the dialog why a check could not be deleted", async () => {
    const { page } = await open("?title=Paper+2");
    await page.getByRole("button", { name: "Delete Paper 20" }).click();
    await page.context().setOffline(true);
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("alert").getByText("You’re offline").waitFor();
  });
});

describe("the list of checks while checks run", function () {
  this.timeout(TIMEOUT_MS);
  // Without a worker a check stays as it is, until this test says otherwise.
  const engine = useEngine({ roles: ["engine"] });
  const browser = useBrowser();

  it("shows the progress and the outcome of each without a reload", async () => {
    const checkId = await engine.client.submit("A short text.", { title: "Under way" });
    const { page } = await browser.open(`${engine.client.base}/checks`);
    await page.getByText("Waiting to start").waitFor();
    const set = (values: string) =>
      engine.database.query(`update similarity.checks set ${values} where check_id = $1`, [checkId]);
    await set(
      "status = 'running', stage = 'retrieving', chunks_done = 3, chunks_total = 6, started_at = now()",
    );
    await page.getByRole("progressbar", { name: "Searching the corpus" }).waitFor();
    expect(await page.getByRole("progressbar").getAttribute("value")).to.equal("45");
    await page.getByRole("button", { name: "Rename Under way" }).focus();
    await set(
      "status = 'failed', stage = null, error_message = 'The text could not be read.', completed_at = now()",
    );
    await page.getByText("The text could not be read.").waitFor();
    await expectFocus(page, "Rename Under way");
  });

  it("waits for responses that take longer than the polling interval", async () => {
    const checkId = await engine.client.submit("A short text.", { title: "Slow" });
    const { page } = await browser.open(`${engine.client.base}/checks?title=Slow`);
    await page.getByText("Waiting to start").waitFor();
    await page.route("**/v1/checks?*", async (route) => {
      await page.waitForTimeout(SLOW_ANSWER_MS);
      // A request that the page gave up meanwhile is no longer there to be sent on.
      await route.continue().catch(() => {});
    });
    await engine.database.query(
      `update similarity.checks set status = 'failed', error_message = 'It ended.', started_at = now(), completed_at = now()
       where check_id = $1`,
      [checkId],
    );
    await page.getByText("It ended.").waitFor();
  });

  it("shows an empty state before the first check", async () => {
    await engine.database.query("delete from similarity.checks", []);
    const { page } = await browser.open(`${engine.client.base}/checks`);
    await page.getByText("No checks yet").waitFor();
    expect(await page.locator("main").getByRole("combobox").count()).to.equal(0);
    await page.locator("main").getByRole("link", { name: "Check a text" }).click();
    await page.getByRole("textbox", { name: "Text to check" }).waitFor();
  });
});

import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { parse as parseCsv } from "csv-parse/sync";
import type { Page } from "playwright-core";
import { expectAddress, expectFocus, expectRows, expectSoon } from "../support/browser/page-state.ts";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

const TIMEOUT_MS = 120_000;

describe("the order, the filters and the selection of lists", function () {
  this.timeout(TIMEOUT_MS);
  // Without a worker the checks stay as they are made here.
  const engine = useEngine({ roles: ["engine"] });
  const browser = useBrowser();
  const open = (path: string) => browser.open(`${engine.client.base}${path}`);
  const titles = (page: Page) => page.locator(".row-title").allTextContents();

  before(async () => {
    const checks = [
      { title: "Alpha", words: 30, share: 0.5 },
      { title: "Beta", words: 10, share: undefined },
      { title: "Gamma", words: 20, share: 0.123 },
      { title: "Delta", words: 40, share: 0 },
    ];
    for (const [at, { title, words, share }] of checks.entries()) {
      const checkId = await engine.client.submit(prose(at, words), { title });
      if (share === undefined) continue;
      await engine.database.query(
        `update checks set status = 'complete', coverage = 'full', completed_at = now(), char_count = 1000,
                total_matched_chars = 1000 * $2::numeric where check_id = $1`,
        [checkId, share],
      );
    }
    for (const title of ["bees", "Apes"])
      await engine.client.upload("/v1/corpus/documents", { name: `${title}.txt`, content: title }, { title });
  });

  it("are sorted and filtered, and the address keeps both", async () => {
    const { page, complaints } = await open("/checks");
    await expectRows(page, ["Delta", "Gamma", "Beta", "Alpha"]);
    await page.getByLabel("Order").selectOption("Highest score first");
    await expectRows(page, ["Alpha", "Gamma", "Delta", "Beta"]);
    await expectAddress(page, "?sort=score&order=desc");
    await page.getByLabel("Score from (%)").fill("12.3");
    await page.keyboard.press("Enter");
    await expectRows(page, ["Alpha", "Gamma"]);
    await page.getByText("2 checks with these filters").waitFor();
    await expectAddress(page, "?sort=score&order=desc&score_min=12.3");
    await page.reload();
    await expectRows(page, ["Alpha", "Gamma"]);
    expect(await page.getByLabel("Order").inputValue()).to.equal("score desc");
    await page.getByLabel("Status").selectOption("Waiting");
    await page.getByText("Nothing matches these filters").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).last().click();
    await expectRows(page, ["Alpha", "Gamma", "Delta", "Beta"]);
    await page.getByLabel("Order").selectOption("Newest first");
    await expectAddress(page, "");
    await page.goBack();
    await expectRows(page, ["Alpha", "Gamma", "Delta", "Beta"]);
    expect(complaints).to.deep.equal([]);
  });

  it("refuse a score that is none, and ignore nonsense in an address", async () => {
    const { page } = await open("/checks?sort=nothing&order=up&status=done&score_min=x&page=0");
    await expectRows(page, ["Delta", "Gamma", "Beta", "Alpha"]);
    await page.getByLabel("Score from (%)").fill("120");
    await page.keyboard.press("Enter");
    expect(await page.locator("input:invalid").count()).to.equal(1);
    expect(await titles(page)).to.have.lengthOf(4);
  });

  it("sort the corpus by title", async () => {
    const { page } = await open("/corpus");
    await expectRows(page, ["Apes", "bees"]);
    await page.getByLabel("Order").selectOption("Title Z to A");
    await expectRows(page, ["bees", "Apes"]);
    await page.getByLabel("Status").selectOption("Searchable");
    await page.getByText("Nothing matches these filters").waitFor();
    await expectAddress(page, "?sort=title&order=desc&fingerprint_status=fingerprinted");
  });

  it("are downloaded as CSV as they are shown, over all pages", async () => {
    const { page } = await open("/checks?sort=words&order=asc&status=complete");
    await expectRows(page, ["Gamma", "Alpha", "Delta"]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).to.equal("checks.csv");
    const rows: Record<string, string>[] = parseCsv(await readFile(await download.path()), {
      columns: true,
      bom: true,
    });
    expect(rows.map(({ display_title: title }) => title)).to.deep.equal(["Gamma", "Alpha", "Delta"]);
  });

  it("show the score as a number and as the length of a bar", async () => {
    const { page } = await open("/checks?title=gamma");
    const outcome = page.locator(".row-outcome");
    await outcome.getByText("12.30%").waitFor();
    const [full, part] = await Promise.all(
      [".percent-bar", ".percent-bar > span"].map((one) => outcome.locator(one).boundingBox()),
    );
    expect((part?.width ?? 0) / (full?.width ?? 1)).to.be.within(0.1, 0.14);
  });

  it("pick rows by keyboard, and delete them after a question that names their number", async () => {
    for (const number of [1, 2, 3])
      await engine.client.submit(prose(30 + number, 10), { title: `Extra ${number}` });
    const { page, complaints } = await open("/checks?title=extra");
    await page.getByRole("checkbox", { name: "Select Extra 3" }).press("Space");
    await page.getByRole("checkbox", { name: "Select Extra 1" }).press("Space");
    await expectSoon(() => page.locator(".listing-bar :indeterminate").count(), 1);
    await page.getByRole("button", { name: "Delete 2 selected…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Delete 2 selected?" });
    await dialog.getByText("Extra 1").waitFor();
    await expectFocus(page, "Cancel");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Delete 2 selected…" }).press("Enter");
    await dialog.getByRole("button", { name: "Delete" }).press("Enter");
    await expectRows(page, ["Extra 2"]);
    await expectFocus(page, "Extra 2");
    await page.reload();
    await expectRows(page, ["Extra 2"]);
    expect(complaints).to.deep.equal([]);
  });

  it("say which rows could not be deleted, and keep those", async () => {
    const { page } = await open("/checks?status=complete&sort=date&order=asc");
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    const kept = await page.locator(".row", { hasText: "Gamma" }).getAttribute("data-id");
    await page.route(`**/v1/checks/${kept}`, (route) => route.abort());
    await page.getByRole("button", { name: "Delete 3 selected…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("alert").getByText("1 could not be deleted").waitFor();
    await dialog.getByRole("listitem").getByText("Gamma").waitFor();
    await expectRows(page, ["Gamma"]);
    await page.unroute(`**/v1/checks/${kept}`);
    await dialog.getByRole("button", { name: "Try again" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText("Nothing matches these filters").waitFor();
  });

  it("go to the page before when all rows of the last page are deleted", async () => {
    for (let number = 1; number <= 21; number++)
      await engine.client.submit(prose(number, 5), { title: `Many ${number}` });
    const { page } = await open("/checks?title=many&page=2");
    await expectRows(page, ["Many 1"]);
    await page.getByRole("checkbox", { name: "Select Many 1" }).check();
    await page.getByRole("button", { name: "Delete 1 selected…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("20 checks with “many” in the title").waitFor();
    await expectAddress(page, "?title=many");
    await expectRows(
      page,
      Array.from({ length: 20 }, (_, at) => `Many ${21 - at}`),
    );
  });
});

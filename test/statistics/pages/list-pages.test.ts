import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { expectAddress } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { openPage as openAndWait, SHOWN } from "./open-page.ts";

const TIMEOUT_MS = 120_000;

describe("the lists of cases and of news in a browser", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics({ database: statistics.database })));

  const openPage = async (path: string) => {
    const { page, complaints } = await openAndWait(browser, `${statistics.address}${path}`);
    expect(complaints).to.deep.equal([]);
    return {
      page,
      titles: () => page.locator(".entries h2").allInnerTexts(),
      state: () => page.locator("#list .state").innerText(),
    };
  };

  it("show each case with what is known of it, its text and its source", async () => {
    const { page, titles, state } = await openPage("/cases/de");
    expect(await titles()).to.have.length(5);
    expect(await state()).to.equal("5 Fälle");
    const first = page.locator(".entries li").first();
    expect(await first.locator(".entry-facts").innerText()).to.equal(
      "Dissertation · 2014 · Deutschland · Synthetic University 1 · Synthetic humanities",
    );
    expect(await first.locator("p[lang=en]").innerText()).to.include("had copied chapters");
    expect(await first.locator("mark").innerText()).to.match(/^Synthetic case 1 .* had copied chapters\.$/);
    expect(await page.locator(".entries strong").allInnerTexts()).to.deep.equal([
      ...["so angegeben", "so angegeben", "festgestellt", "Vorwurf", "so angegeben"],
    ]);
    expect(await first.locator(".entry-source").innerText()).to.include("CC-BY-SA-4.0");
    expect(await first.getByRole("link").getAttribute("href")).to.match(/oldid=999999999999/);
  });

  it("find cases by words of any part, in the language of the page, and by type", async () => {
    const { page, titles, state } = await openPage("/cases/de");
    const search = page.getByRole("searchbox");
    await search.fill("brasilien");
    expect(await titles()).to.deep.equal(["Synthetic case 3"]);
    await search.fill("COPIED university");
    expect(await titles()).to.deep.equal(["Synthetic case 1"]);
    await search.fill("");
    await page.locator("select[name=type]").selectOption("book");
    expect(await titles()).to.deep.equal(["Synthetic case 2"]);
    await search.fill("nirgends");
    expect(await state()).to.equal("Die Suche hat nichts gefunden.");
    expect(await page.locator("#list .drawing").isVisible()).to.equal(false);
  });

  it("keep the search in the address, also in another language", async () => {
    const { page, titles } = await openPage("/cases/en");
    await page.getByRole("searchbox").fill("kenya");
    await page.locator("select[name=type]").selectOption("peer_review");
    await expectAddress(page, "?q=kenya&type=peer_review");
    await page.reload();
    await page.locator(SHOWN).waitFor();
    expect(await titles()).to.deep.equal(["Synthetic case 4"]);
    await page.locator("details.languages summary").click();
    await page.locator("details.languages").getByRole("link", { name: "Français" }).click();
    await page.waitForURL("**/cases/fr?q=kenya&type=peer_review");
    await page.getByRole("searchbox").fill("");
    await page.locator("select[name=type]").selectOption("");
    await expectAddress(page, "");
  });

  it("show the news with the site, the day and the country, the newest first, and find them", async () => {
    const { page, titles, state } = await openPage("/news/en");
    expect(await titles()).to.have.length(40);
    expect(await state()).to.equal("40 articles");
    expect(await page.locator(".entries li").first().locator(".entry-facts").innerText()).to.match(
      /^Dec \d+, 2022 · example\.org · .+ · English$/,
    );
    await page.getByRole("searchbox").fill("article 17");
    expect(await titles()).to.deep.equal(["Synthetic article 17"]);
  });

  it("save what was found as CSV with its licence and its source", async () => {
    const { page } = await openPage("/cases/en");
    await page.getByRole("searchbox").fill("japan");
    const saving = page.waitForEvent("download");
    await page.locator("[data-download=csv]").click();
    const download = await saving;
    expect(download.suggestedFilename()).to.equal("demo-cases.csv");
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    expect(lines).to.have.length(2);
    // The text has the licence of the encyclopedia, and the selection that of the service.
    expect(lines[0]).to.match(/,text_license,license,attribution,dataset_version,address,caveats$/);
    expect(lines[1]).to.include("CC-BY-SA-4.0,CC-BY-4.0,").and.to.include('"CL;JP"');
  });
});

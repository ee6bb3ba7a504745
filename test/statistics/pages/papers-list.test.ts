import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "csv-parse/sync";
import type { Page } from "playwright-core";
import { PapersAnswer } from "../../../src/statistics/api/schema.ts";
import { createLoadStatistics, type StatisticsFiles } from "../../../src/statistics/load/load-statistics.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { openPage as openAndWait, untilShown } from "./open-page.ts";

const TIMEOUT_MS = 60_000;

/** The newest settled years of the set: the pages show them first. */
const YEARS = "from=2014&to=2016";

/** Old DOIs contain semicolons and angle brackets. */
const ODD_DOI = "10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2";

const RETRACTION_COLUMNS =
  "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,RetractionDate,RetractionDOI," +
  "RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,Reason,Paywalled,Notes";

/** 45 papers of France, one of them of Kosovo too, and one of Germany, which has no year of the first ones. */
async function papersOfFrance(folder: string): Promise<StatisticsFiles> {
  const paper = (
    index: number,
    { countries = "France;", year = 2014 + (index % 3), doi = `10.1000/p${index}` },
  ) =>
    `${index},Paper <i>${index}</i> & more,,,,,${countries},,,,3/1/2020 0:00,${index === 1 ? ODD_DOI : `10.1000/r${index}`},0,` +
    `6/1/${year} 0:00,${doi},0,Retraction,+Plagiarism of/in Article;+Date of Article Unknown;,No,`;
  const retractions = [
    RETRACTION_COLUMNS,
    paper(1, { countries: "France;Kosovo;", year: 2016, doi: "10.1000/a?b#c%d" }),
    // A second notice of the same paper.
    paper(2, { year: 2016, doi: "10.1000/a?b#c%d" }),
    ...Array.from({ length: 44 }, (_, index) => paper(index + 3, {})),
    paper(99, { countries: "Germany;", year: 2009 }),
  ];
  const publications = [2008, 2009, 2014, 2015, 2016, 2017].flatMap((year) =>
    ["FR", "DE", "XK"].map((code) => `country,${code},${year},20000,`),
  );
  const [retractionsFile, publicationsFile] = [join(folder, "RW.csv"), join(folder, "P.csv")];
  await writeFile(retractionsFile, retractions.join("\n"));
  await writeFile(
    publicationsFile,
    ["dimension,key,year,publications,publications_fractional", ...publications].join("\n"),
  );
  return { retractions: retractionsFile, publications: publicationsFile };
}

describe("the papers on the page of a place, in a browser", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();
  before(async () => {
    await createLoadStatistics(statistics)(await papersOfFrance(statistics.folder));
  });

  const openPage = async (path: string) => {
    const { page, complaints } = await openAndWait(browser, `${statistics.address}${path}`);
    expect(complaints).to.deep.equal([]);
    return page;
  };
  const read = async (query: string) =>
    PapersAnswer.parse(await (await statistics.request(`/v1/papers?${query}`)).json());
  const titles = (page: Page) => page.locator("#papers .entries h3").allTextContents();
  const extent = (page: Page) => page.locator("#papers .extent").textContent();
  const saved = async (page: Page, button: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
    const text = (await readFile(await download.path())).toString();
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
    return { name: download.suggestedFilename(), rows };
  };

  it("are all that the figure counts, page by page", async () => {
    const page = await openPage("/countries/FR/en");
    const { meta, data } = await read(`country=FR&${YEARS}`);
    expect(meta.counts.total).to.equal(45);
    const figure = page.locator("[data-figure=papers] a");
    expect([await figure.getAttribute("href"), await figure.innerText()]).to.deep.equal(["#papers", "45"]);
    expect(await page.locator("#papers .state").innerText()).to.equal("45 papers");
    const all = await titles(page);
    const extents = [await extent(page)];
    while (await page.locator("#papers .next").isEnabled()) {
      await page.locator("#papers .next").click();
      await untilShown(page, "#papers");
      all.push(...(await titles(page)));
      extents.push(await extent(page));
    }
    expect(extents).to.deep.equal(["1–20 / 45", "21–40 / 45", "41–45 / 45"]);
    expect(all).to.deep.equal(data.map(({ title }) => title));
    await page.locator("#papers .previous").click();
    await untilShown(page, "#papers");
    expect(await extent(page)).to.equal("21–40 / 45");
  });

  it("name the paper's and the notices' DOIs, dates, reasons and places, and lead to them", async () => {
    const page = await openPage("/countries/FR/en");
    const entry = page.locator("#papers .entries li", { hasText: "Kosovo" });
    const addresses = (part: string) =>
      entry.locator(`${part} a`).evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(await entry.locator("h3").innerText()).to.equal("Paper <i>1</i> & more");
    expect(await addresses("h3")).to.deep.equal(["https://doi.org/10.1000/a%3Fb%23c%25d"]);
    expect(await addresses(".entry-source")).to.deep.equal([
      "https://doi.org/10.1000/r2",
      `https://doi.org/${encodeURIComponent(ODD_DOI).replaceAll("%2F", "/")}`,
    ]);
    // Kosovo has no page.
    expect(await addresses(".entry-facts")).to.deep.equal(["/countries/FR/en"]);
    const text = await entry.innerText();
    expect(text).to.include("Published 2016 · retracted Mar 1, 2020");
    expect(text).to.include("France · Kosovo");
    expect(text).to.include("Reasons: Date of Article Unknown; Plagiarism of/in Article");
    expect(await page.locator("#papers .entries li").count()).to.equal(20);
  });

  it("keep their page in the address, go back to the first one with other years, and survive a strange address", async () => {
    const page = await openPage("/countries/FR/en");
    await page.locator("#papers .next").click();
    await untilShown(page, "#papers");
    // The address of the page itself: that of Playwright follows a moment later.
    const address = new URL(await page.evaluate<string>("location.href"));
    expect([address.search, address.hash]).to.deep.equal(["?papers.offset=20", "#papers"]);
    const again = await openPage(`/countries/FR/en${address.search}`);
    expect(await titles(again)).to.deep.equal(await titles(page));
    expect(await extent(again)).to.match(/^21–/);
    await again.locator("select[name=from]").selectOption("2008");
    await untilShown(again, "#papers");
    expect(await extent(again)).to.match(/^1–20 \//);
    expect(await again.evaluate<string>("location.search")).not.to.include("papers.offset");
    for (const offset of ["5000", "-1", "x"]) {
      const strange = await openPage(`/countries/FR/en?papers.offset=${offset}`);
      await strange.locator("#papers .extent", { hasText: /^1–20 \// }).waitFor();
    }
  });

  it("say so where there are none", async () => {
    const page = await openPage("/countries/DE/en");
    expect(await page.locator("[data-figure=papers]").innerText()).to.equal("0");
    expect(await page.locator("#papers .state").innerText()).to.equal("0 papers");
    expect(await page.locator("#papers .drawing").isVisible()).to.equal(false);
  });

  it("are saved whole as CSV, with the licence, the source and the caveats in columns", async () => {
    const page = await openPage("/countries/FR/en");
    const { meta, data } = await read(`country=FR&${YEARS}`);
    const { name, rows } = await saved(page, "#papers [data-download=csv]");
    expect(name).to.equal("FR-papers-2014-2016.csv");
    expect(rows.map(({ doi }) => doi)).to.deep.equal(data.map(({ doi }) => doi));
    for (const row of rows) {
      expect(row).to.include({ license: "CC-BY-4.0", dataset_version: meta.dataset_version });
      expect(row.caveats).to.equal(meta.caveats.join(" "));
    }
  });

  it("stand, like every figure, above what the API says about them", async () => {
    for (const [path, parts] of [
      [
        "/countries/FR/de",
        { "#key-figures": "country/FR", "#years": "country/FR", "#peers": "country/FR", "#papers": "papers" },
      ],
      ["/story/ar", { "#countries": "countries" }],
    ] as const) {
      const page = await openPage(path);
      for (const [part, endpoint] of Object.entries(parts)) {
        const { meta } = JSON.parse(await (await statistics.request(`/v1/${endpoint}?${YEARS}`)).text());
        const shown = page.locator(`${part} .caveats`);
        expect(await shown.isVisible(), `${path} ${part}`).to.equal(true);
        // The charts of a place repeat what stands open at its key figures.
        const isRepeated = part === "#years" || part === "#peers";
        expect(await shown.locator("ul").isVisible(), `${path} ${part}`).to.equal(!isRepeated);
        const said = await shown.locator("li").allTextContents();
        const expected = meta.caveats.map((caveat: string) => caveat.replaceAll("`", ""));
        // The chart of all years has a caveat more: its last ones are not settled.
        expect(said, `${path} ${part}`).to.include.members(expected);
        expect(await shown.locator("ul").getAttribute("lang")).to.equal("en");
      }
    }
    const { rows } = await saved(await openPage("/story/en"), "#countries [data-download=csv]");
    expect(rows).to.have.length(3);
    expect(rows[0]?.caveats).to.include("A rate shows what was found and retracted.");
  });

  it("are not linked with places without a page: on the map, Kosovo has a shade and no link", async () => {
    const page = await openPage("/story/en?countries.view=map");
    const places = page.locator("#countries svg.map [tabindex]");
    expect(await places.count()).to.equal(3);
    const kosovo = page.locator("#countries svg.map g[aria-label^=Kosovo]");
    expect(await kosovo.getAttribute("class")).to.match(/^shade-\d$/);
    expect(await kosovo.locator("path, circle").count()).to.equal(1);
    const addresses = await page
      .locator("#countries svg.map a")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(addresses.toSorted()).to.deep.equal(["/countries/DE/en", "/countries/FR/en"]);
    for (const address of addresses) expect((await statistics.request(String(address))).status).to.equal(200);
    await kosovo.hover();
    expect(await page.locator("#countries .pointed").innerText()).to.match(/^Kosovo: /);
  });
});

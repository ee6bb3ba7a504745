import { expect } from "chai";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { smallSet } from "./small-set.ts";
import { untilServed } from "./wire-answers.ts";

const PATHS = [
  "/v1/countries",
  "/v1/countries?window=2008-2012&region=europe&below=true",
  "/v1/countries?format=csv",
  "/v1/institutions?below=true",
  "/v1/disciplines?window=2008-2017",
  "/v1/country/DE?window=2008-2017",
  "/v1/countries?from=2009&to=2016&sort=rate_shrunken",
  "/v1/country/DE?from=2009&to=2016",
  "/v1/disciplines?from=2009&to=2016",
  "/v1/papers?from=2009&to=2016",
  "/v1/totals?from=2009&to=2016",
  "/v1/reasons?from=2009&to=2016&country=LI",
  "/v1/cases",
  "/v1/news",
];

const DAY_MS = 86_400_000;

describe("a version of the data that was replaced", () => {
  const statistics = useStatistics();
  const load = async (papers: number, at = new Date()) => {
    const files = await smallSet(statistics.folder, papers);
    const { datasetVersion } = await createLoadStatistics(statistics)(files, { clock: () => at });
    await untilServed(statistics, datasetVersion);
    return datasetVersion;
  };
  const read = async (path: string, version?: string) => {
    const asked = version === undefined ? "" : `${path.includes("?") ? "&" : "?"}dataset_version=${version}`;
    const response = await statistics.request(`${path}${asked}`);
    return { status: response.status, text: await response.text(), etag: response.headers.get("etag") };
  };
  const readAll = async (version?: string) => {
    const answers = [];
    for (const path of PATHS) answers.push(await read(path, version));
    return answers;
  };

  it("answers every request as it did, byte for byte, also after others", async () => {
    const first = await load(0);
    const before = await readAll();
    expect(before.map(({ status }) => status)).to.deep.equal(PATHS.map(() => 200));
    const second = await load(7);
    const between = await readAll();
    expect(between[0]?.text).not.to.equal(before[0]?.text);
    const third = await load(20);
    expect(new Set([first, second, third]).size).to.equal(3);
    expect(await readAll(first)).to.deep.equal(before);
    expect(await readAll(second)).to.deep.equal(between);
    const institutions = await read("/v1/institutions?from=2009&to=2016", first);
    expect(`${institutions.status} ${institutions.text}`).to.match(/^422 .*window must be one of/);
    expect(await readAll(third), "the loaded one may be named too").to.deep.equal(await readAll());
  });

  it("is kept for a year and a month after it was replaced, and then refused", async () => {
    const start = new Date("2027-01-01T00:00:00Z");
    const old = await load(30, start);
    await load(31, new Date(start.getTime() + DAY_MS));
    await load(32, new Date(start.getTime() + 366 * DAY_MS));
    expect((await read("/v1/cases", old)).status).to.equal(200);
    await load(33, new Date(start.getTime() + 403 * DAY_MS));
    const { status, text } = await read("/v1/countries", old);
    expect(status).to.equal(422);
    expect(text).to.match(
      /dataset_version must be the version of the loaded data, or one that was replaced less/,
    );
    expect((await read("/v1/countries", "nonsense")).status).to.equal(422);
  });

  it("stores what several versions share once", async () => {
    await load(40);
    await load(41);
    await load(42);
    const [found] = await statistics.database.query<{ tables: number; contents: number }>(
      `select (select count(*) from statistics_kept_tables) as tables,
              (select count(*) from statistics_kept_contents) as contents`,
    );
    expect(found?.contents).to.be.below((found?.tables ?? 0) * 0.8);
  });
});

import { expect } from "chai";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { hardSet } from "./hard-set.ts";
import { smallSet } from "./small-set.ts";
import { PATHS, readAnswer, untilServed, WireAnswers } from "./wire-answers.ts";

describe("decisions, Statistics: the same data gives the same bytes, and a load is seen", () => {
  const statistics = useStatistics();

  async function bodies(address?: string): Promise<string[]> {
    return Promise.all(
      PATHS.map(async (path) => {
        const response = address === undefined ? await statistics.request(path) : await fetch(address + path);
        return response.text();
      }),
    );
  }

  it("gives equal bytes from every replica and after the same files are loaded again", async () => {
    const load = createLoadStatistics(statistics);
    const files = await smallSet(statistics.folder);
    await load(files);
    const replica = await statistics.addReplica();
    const first = await bodies(replica.address);
    await load(files);
    const another = await statistics.addReplica();
    expect(await bodies(another.address)).to.deep.equal(first);
    expect(await bodies(replica.address)).to.deep.equal(first);
  });

  it("answers with the new data as soon as the load is over, in every replica", async () => {
    const replica = await statistics.addReplica();
    const papersOf = async (address?: string) => {
      const path = "/v1/country/LI";
      const response = address === undefined ? await statistics.request(path) : await fetch(address + path);
      return WireAnswers.country.parse(await response.json()).data.country.papers;
    };
    expect([await papersOf(), await papersOf(replica.address)]).to.deep.equal([0, 0]);
    await createLoadStatistics(statistics)(await smallSet(statistics.folder, 3));
    // A process hears of the load by a notification, which the load's end may outrun by a moment.
    for (const address of [undefined, replica.address])
      while ((await papersOf(address)) !== 3) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});

describe("decisions, Statistics: generated_at is the time of the load, so that the same data gives the same bytes", () => {
  const one = useStatistics();
  const other = useStatistics();
  const clock = () => new Date("2026-11-20T09:30:00.000Z");

  /** The parts in one load here; there one by one, the other way round, over data that was there before. */
  before(async () => {
    await createLoadStatistics(one)(await hardSet(one.folder), { clock });
    const load = createLoadStatistics(other);
    await loadSyntheticSet(load);
    const { retractions, publications, works } = await smallSet(other.folder, 2);
    await load({ retractions, publications, works });
    for (const [part, file] of Object.entries(await hardSet(other.folder)).toReversed()) {
      await load({ [part]: file }, { clock });
    }
  });

  it("another database gives the same bytes and ETags for the same files, however they came into it", async () => {
    const tables = [
      "countries?below=true&",
      "countries?region=europe&",
      "institutions?below=true&",
      "disciplines?",
    ];
    const paths = [...PATHS, "/v1/country/US", ...tables.map((table) => `/v1/${table}format=csv`)];
    for (const path of paths) {
      const [first, second] = await Promise.all([one.request(path), other.request(path)]);
      expect(await second.text(), path).to.equal(await first.text());
      expect(second.headers.get("etag"), path).to.equal(first.headers.get("etag"));
    }
  });

  it("an unchanged file keeps the time of its first load, also when another part is loaded with it", async () => {
    const { cases } = await smallSet(one.folder);
    const files = { ...(await hardSet(one.folder)), cases };
    const load = createLoadStatistics(one);
    const later = new Date("2026-11-20T10:00:00.000Z");
    const { datasetVersion } = await load(files, { clock: () => later });
    await untilServed(one, datasetVersion);
    const { meta } = await readAnswer(one, WireAnswers.countries, "/v1/countries");
    expect(meta.generated_at).to.equal(later.toISOString());
    expect(meta.sources.map(({ retrieved_at }) => retrieved_at)).to.deep.equal([
      clock().toISOString(),
      clock().toISOString(),
    ]);
    await load(files, { clock: () => new Date("2026-11-20T11:00:00.000Z") });
    expect((await readAnswer(one, WireAnswers.countries, "/v1/countries")).meta).to.deep.equal(meta);
  });
});

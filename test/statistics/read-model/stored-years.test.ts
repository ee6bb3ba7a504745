import { expect } from "chai";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { useStatistics } from "../loaded-statistics.ts";

/** The newest three settled years of the synthetic set, which are no listed window. */
const FIRST_SHOWN = "2018-2020";

describe("the years that the pages show first", () => {
  const statistics = useStatistics();
  before(() => loadSyntheticSet(statistics.load));

  it("are stored by a load, with the figures that other years get by a computation", async () => {
    const { store, database } = statistics;
    const read = async () => ({
      countries: await store.countries(database, FIRST_SHOWN),
      institutions: await store.institutions(database, FIRST_SHOWN, { below: true }),
      disciplines: await store.disciplines(database, FIRST_SHOWN),
      counts: await store.counts(database, FIRST_SHOWN, "institution"),
    });
    const isStored = async () =>
      (await store.institutionsByShrunkenRate(database, FIRST_SHOWN, { below: false })) !== undefined;
    expect((await store.dataset(database)).windows.map(({ id }) => id)).not.to.include(FIRST_SHOWN);
    expect(await isStored()).to.equal(true);
    const stored = await read();
    expect(stored.institutions).not.to.be.empty;
    for (const table of ["statistics_rows", "statistics_counts"])
      await database.query(`delete from ${table} where window_id = $1`, [FIRST_SHOWN]);
    expect(await isStored()).to.equal(false);
    expect(await read()).to.deep.equal(stored);
  });
});

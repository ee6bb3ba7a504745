import { expect } from "chai";
import { CASE_TYPES } from "../../../src/statistics/facts/sources.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { useStatistics } from "../loaded-statistics.ts";

describe("the synthetic set", () => {
  const statistics = useStatistics();
  const { store, load } = statistics;

  before(async () => {
    await loadSyntheticSet(load);
  });

  it("says everywhere that it is made up", async () => {
    const { datasetVersion, isDemo, sources } = await store.dataset(statistics.database);
    expect(datasetVersion).to.match(/^demo-[0-9a-f]{16}$/);
    expect(isDemo).to.equal(true);
    expect(sources.every(({ name }) => name.startsWith("Synthetic data"))).to.equal(true);
    const window = await defaultWindow();
    for (const { name } of await store.institutions(statistics.database, window, { below: true })) {
      expect(name).to.match(/^Synthetic University/);
    }
    for (const { title } of await store.cases(statistics.database, undefined)) {
      expect(title).to.match(/^Synthetic case/);
    }
    for (const { title } of (await store.news(statistics.database)).articles) {
      expect(title).to.match(/^Synthetic article/);
    }
  });

  it("has every shape that an answer can have", async () => {
    const { database } = statistics;
    const { windows } = await store.dataset(database);
    expect(new Set(windows.map(({ provisional }) => provisional))).to.deep.equal(new Set([true, false]));
    const window = await defaultWindow();
    for (const dimension of ["country", "institution"] as const) {
      const counts = await store.counts(database, window, dimension);
      expect(Math.min(counts.ranked, counts.below, counts.unattributed), dimension).to.be.above(0);
    }
    const rows = await store.countries(database, window);
    expect(new Set(rows.map(({ unstable }) => unstable))).to.deep.equal(new Set([true, false]));
    expect(new Set(rows.map(({ region }) => region)).size).to.equal(5);
    expect(new Set((await store.cases(database, undefined)).map(({ type }) => type))).to.deep.equal(
      new Set(CASE_TYPES),
    );
    const { series, articles } = await store.news(database);
    expect(series).to.have.length(24);
    expect(series.filter(({ share }) => share === null)).to.have.length(1);
    expect(articles).to.have.length(40);
  });

  it("is the same each time", async () => {
    const before = await store.dataset(statistics.database);
    const { unchanged } = await loadSyntheticSet(load);
    expect(unchanged).to.have.length(6);
    expect(await store.dataset(statistics.database)).to.deep.equal(before);
  });

  async function defaultWindow(): Promise<string> {
    const { windows } = await store.dataset(statistics.database);
    return windows.find((window) => window.default)?.id ?? "";
  }
});

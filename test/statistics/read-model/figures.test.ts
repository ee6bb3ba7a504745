import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { describeCountry } from "../../../src/statistics/api/build-answers.ts";
import { fractionalPublications, reasonsOf, totalsOf } from "../../../src/statistics/api/totals.ts";
import { COUNTRIES } from "../../../src/statistics/facts/countries.ts";
import { withSmallNumbers } from "../../../src/statistics/rates/small-numbers.ts";
import type { PaperRow } from "../../../src/statistics/read-model/rows.ts";
import type { Dimension } from "../../../src/statistics/sources/publications/publication-counts.ts";
import { useStatistics } from "../loaded-statistics.ts";
import { type MadeUpLinks, madeUpLinks } from "../made-up-links.ts";
import { needsSharedData, SHARED } from "../shared-statistics.ts";

const PROGRAM = join(import.meta.dirname, "independent_figures.py");
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Both sides are doubles that were computed in another order. */
const RELATIVE_ERROR_MAX = 1e-9;

const Rows = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));
const Independent = z.object({
  windows: z.array(z.unknown()),
  country: Rows,
  institution: Rows,
  discipline: Rows,
  small: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))),
  counts: z.record(z.string(), z.record(z.string(), z.unknown())),
  comparisons: z.record(z.string(), z.record(z.string(), z.unknown())),
  regions: z.record(
    z.string(),
    z.record(z.string(), z.object({ region: z.number().nullable(), subregion: z.number().nullable() })),
  ),
  totals: z.record(z.string(), z.record(z.string(), z.unknown())),
  reasons: z.record(z.string(), z.record(z.string(), z.unknown())),
  series: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const Shrinkable = z.object({
  key: z.string(),
  papers: z.number(),
  publications: z.number(),
  rate: z.number().nullable(),
  rate_ci_low: z.number().nullable(),
  rate_ci_high: z.number().nullable(),
  below: z.boolean(),
});

type Independent = z.infer<typeof Independent>;

describe("decisions, Statistics: the figures of the real half-sample, against a computation in another language", function () {
  this.timeout(120_000);
  const statistics = useStatistics();
  let made: MadeUpLinks;
  let independent: Independent;

  before(async function () {
    needsSharedData(this);
    // Of publications by institution and discipline, and of works, there are no real files: those are made up.
    made = await madeUpLinks(statistics.write);
    await statistics.load({ retractions: SHARED.retractions, organisations: SHARED.organisations, ...made });
    independent = compute(SHARED.retractions, made.publications, made.works, SHARED.organisations);
  });

  it("has the same windows", async () => {
    const { windows } = await statistics.store.dataset(statistics.database);
    expect(windows).to.have.length(3);
    expectSame(windows, independent.windows, "windows");
  });

  for (const dimension of ["country", "institution", "discipline"] as const) {
    it(`has the same rows, in the same order, of each ${dimension}`, async () => {
      for (const [window, expected] of Object.entries(independent[dimension])) {
        const rows = await rowsOf(dimension, window);
        expect(rows.filter((row) => Number(row.papers) > 0)).to.have.length.above(4);
        expectSame(rows, expected, `${dimension} ${window}`);
      }
    });

    it(`has the same shrunken rates and possible ranks of each ${dimension}`, async () => {
      for (const [window, expected] of Object.entries(independent.small[dimension] ?? {})) {
        const rows = (await rowsOf(dimension, window)).map((row) => Shrinkable.parse(row));
        const small = withSmallNumbers(rows).map(({ key, rate_shrunken, rank_low, rank_high }) => [
          key,
          { rate_shrunken, rank_low, rank_high },
        ]);
        expectSame(Object.fromEntries(small), expected, `${dimension} ${window}`);
      }
    });

    it(`counts the same rows and unattributed papers of each ${dimension}`, async () => {
      for (const [window, expected] of Object.entries(independent.counts[dimension] ?? {})) {
        expectSame(await statistics.store.counts(statistics.database, window, dimension), expected, window);
      }
    });
  }

  it("has the same ranks within regions and sub-regions", async () => {
    for (const [window, expected] of Object.entries(independent.regions)) {
      for (const level of ["region", "subregion"] as const) {
        for (const row of await statistics.store.countries(statistics.database, window, level)) {
          const rank = expected[row.code]?.[level] ?? null;
          expectSame(row.rank_in_region, rank, `${row.code} ${level} ${window}`);
        }
      }
    }
  });

  it("compares each country with its sub-region in the same way, with and without papers", async () => {
    for (const [window, expected] of Object.entries(independent.comparisons)) {
      expect(Object.keys(expected)).to.have.length(248);
      const rows = await statistics.store.countries(statistics.database, window);
      for (const country of COUNTRIES.filter(({ subregion }) => subregion !== null)) {
        const { subregion, peers: _, ...figures } = describeCountry(country, rows).comparison;
        expect(subregion).to.be.a("string");
        expectSame(figures, expected[country.code], `${country.code} ${window}`);
      }
    }
  });

  it("has the same totals of the world and of regions", async () => {
    for (const [window, expected] of Object.entries(independent.totals)) {
      const rows = await statistics.store.countries(statistics.database, window);
      const totals = totalsOf(rows, await papersOf(window)).filter(({ countries }) => countries > 0);
      const found = Object.fromEntries(totals.map(({ region: _, name, ...total }) => [name, total]));
      expect(found).to.have.property("Western Europe");
      expectSame(found, expected, window);
    }
  });

  it("has the same rates by reason, of the world and of each country", async () => {
    for (const [window, expected] of Object.entries(independent.reasons)) {
      const rows = await statistics.store.countries(statistics.database, window);
      const byReason = (papers: readonly PaperRow[], publications: number | null) =>
        Object.fromEntries(reasonsOf(papers, publications).map(({ reason, ...row }) => [reason, row]));
      const found = {
        world: byReason(await papersOf(window), fractionalPublications(rows)),
        ...Object.fromEntries(
          await Promise.all(
            rows.map(async ({ code, publications }) => [
              code,
              byReason(await papersOf(window, code), publications),
            ]),
          ),
        ),
      };
      expectSame(found, expected, window);
    }
  });

  it("has the same series of years for each country", async () => {
    for (const [window, byCode] of Object.entries(independent.series)) {
      for (const [code, points] of Object.entries(byCode)) {
        const years = await statistics.store.years(statistics.database, window, code);
        expectSame(years, points, `${code} ${window}`);
      }
    }
  });

  async function papersOf(window: string, country?: string): Promise<readonly PaperRow[]> {
    const [from = 0, to = 0] = window.split("-").map(Number);
    return statistics.store.papers(statistics.database, { from, to }, { country });
  }

  async function rowsOf(dimension: Dimension, window: string): Promise<readonly Record<string, unknown>[]> {
    const { database, store } = statistics;
    if (dimension === "institution") {
      const rows = await store.institutions(database, window, { below: true });
      return rows.map(({ ror, name: _, country_code: __, ...row }) => ({ key: ror, ...row }));
    }
    if (dimension === "discipline") {
      const rows = await store.disciplines(database, window);
      return rows.map(({ field_id, name: _, domain: __, ...row }) => ({ key: String(field_id), ...row }));
    }
    const rows = await store.countries(database, window);
    return rows.map(({ code, name: _, region, subregion, rank_in_region, ...row }) => ({
      key: code,
      ...row,
    }));
  }
});

function compute(...files: readonly string[]): Independent {
  const output = execFileSync("python3", [PROGRAM, SHARED.folder, ...files], { maxBuffer: OUTPUT_BYTES_MAX });
  return Independent.parse(JSON.parse(output.toString()));
}

/** Equal in structure, order and everything else; numbers to a relative error of 1e-9. */
function expectSame(actual: unknown, expected: unknown, where: string): void {
  if (typeof actual === "number" && typeof expected === "number") {
    const error = Math.abs(actual - expected);
    const isNear = error <= RELATIVE_ERROR_MAX * Math.max(Math.abs(actual), Math.abs(expected));
    expect(isNear, `${where}: ${actual} instead of ${expected}`).to.equal(true);
  } else if (isObject(actual) && isObject(expected)) {
    expect(Object.keys(actual).toSorted(), where).to.deep.equal(Object.keys(expected).toSorted());
    for (const [key, value] of Object.entries(actual)) expectSame(value, expected[key], `${where}, ${key}`);
  } else expect(actual, where).to.equal(expected);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

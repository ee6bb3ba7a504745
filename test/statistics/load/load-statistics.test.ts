import { utimes } from "node:fs/promises";
import { expect } from "chai";
import { DomainError } from "../../../src/platform/domain-error.ts";
import { STATISTICS_LOADED_CHANNEL } from "../../../src/statistics/read-model/statistics-store.ts";
import { useStatistics } from "../loaded-statistics.ts";
import { refusal } from "../written-file.ts";

const HEADER = "Record ID,Country,RetractionDate,OriginalPaperDate,OriginalPaperDOI,RetractionNature,Reason";
const COUNTS = "dimension,key,year,publications,publications_fractional";
const PLAGIARISM = "+Plagiarism of Text;";

const table = (...rows: string[]) => `${rows.join("\n")}\n`;
const notice = (id: number, country: string, published: string, doi: string, reason = PLAGIARISM) =>
  `${id},${country},1/2/2020 0:00,${published} 0:00,${doi},Retraction,${reason}`;

/** 2011 to 2015: one window, so that a test need not name it. */
const PUBLICATIONS = table(
  COUNTS,
  "country,DE,2011,10000,5000.5",
  "country,DE,2015,30000,15000",
  "country,FR,2012,20000,9000",
  "country,LI,2012,20,9",
);
const WINDOW = "2011-2015";

describe("decisions, Statistics and Running it: loading the statistics", () => {
  const statistics = useStatistics();
  const { load, write, store } = statistics;

  async function countries() {
    const rows = await store.countries(statistics.database, WINDOW);
    return rows.map(({ code, papers, papers_fractional, rank }) => ({
      code,
      papers,
      papers_fractional,
      rank,
    }));
  }

  async function loadRetractions(...rows: string[]) {
    await load({
      retractions: await write("RW.csv", table(HEADER, ...rows)),
      publications: await write("P.csv", PUBLICATIONS),
    });
  }

  it("begins with nothing: no windows, no rows, every source never loaded", async () => {
    const { revision, datasetVersion, generatedAt, windows, sources } = await store.dataset(
      statistics.database,
    );
    expect({ revision, datasetVersion, generatedAt, windows }).to.deep.equal({
      revision: 0,
      datasetVersion: null,
      generatedAt: null,
      windows: [],
    });
    expect(sources).to.have.length(6);
    expect(sources.every(({ retrieved_at, version }) => retrieved_at === null && version === null)).to.equal(
      true,
    );
    expect(await countries()).to.deep.equal([]);
  });

  it("counts a paper once, however many notices it has, with all that they say", async () => {
    await loadRetractions(
      notice(1, "Germany", "3/1/2016", "10.1000/a", "+Paper Mill;"),
      notice(2, "France;Unknown", "3/1/2012", "https://doi.org/10.1000/A"),
      notice(3, "Germany", "3/1/2013", "10.1000%2Fa"),
      notice(4, "Germany", "3/1/2013", "10.1000/b", "+Paper Mill;"),
    );
    expect(await countries()).to.deep.equal([
      { code: "FR", papers: 1, papers_fractional: 0.5, rank: 1 },
      { code: "DE", papers: 1, papers_fractional: 0.5, rank: 2 },
      { code: "LI", papers: 0, papers_fractional: 0, rank: null },
    ]);
  });

  it("counts papers without a DOI by their Record ID, and those without a country apart", async () => {
    await loadRetractions(
      notice(1, "Germany", "3/1/2012", "unavailable"),
      notice(1, "Germany", "3/1/2012", ""),
      notice(2, "Germany;Kosovo", "3/1/2012", ""),
      notice(3, "Unknown;", "3/1/2012", "10.1000/c"),
      notice(4, "", "3/1/2012", "10.1000/d"),
      notice(5, "Germany", "3/1/2020", "10.1000/e"),
      "6,Germany,1/2/2020 0:00,,10.1000/f,Retraction,+Plagiarism of Text;",
    );
    expect(await countries()).to.deep.equal([
      { code: "DE", papers: 2, papers_fractional: 1.5, rank: 1 },
      { code: "FR", papers: 0, papers_fractional: 0, rank: 2 },
      { code: "LI", papers: 0, papers_fractional: 0, rank: null },
      { code: "XK", papers: 1, papers_fractional: 0.5, rank: null },
    ]);
    const counts = await store.counts(statistics.database, WINDOW, "country");
    expect(counts).to.deep.equal({ total: 4, ranked: 2, below: 2, unattributed: 2 });
  });

  it("says when publications have no fractional counts, and mixes none", async () => {
    const publications = await write(
      "whole.csv",
      table(COUNTS, "country,DE,2011,10000,5000", "country,DE,2015,30000,"),
    );
    await load({ publications });
    const [germany] = await store.countries(statistics.database, WINDOW);
    expect(germany).to.deep.include({
      publications: 40000,
      publications_fractional: null,
      rate_fractional: null,
    });
  });

  it("changes nothing when the same files are loaded again", async () => {
    const retractions = await write("RW.csv", table(HEADER, notice(1, "Germany", "3/1/2012", "10.1000/a")));
    const publications = await write("P.csv", PUBLICATIONS);
    await load({ retractions, publications });
    const before = await store.dataset(statistics.database);
    const contents = await statistics.contents();
    const result = await load({ retractions, publications });
    expect(result.unchanged).to.deep.equal(["retractions", "publications"]);
    expect(await store.dataset(statistics.database)).to.deep.equal(before);
    expect(await statistics.contents()).to.deep.equal(contents);
  });

  it("replaces the named parts and keeps the others", async () => {
    await loadRetractions(notice(1, "Germany", "3/1/2012", "10.1000/a"));
    const { sources: before, revision } = await store.dataset(statistics.database);
    await load({
      publications: await write("P.csv", table(COUNTS, "country,FR,2011,40000,", "country,FR,2015,1,")),
    });
    expect(await countries()).to.deep.equal([
      { code: "FR", papers: 0, papers_fractional: 0, rank: 1 },
      { code: "DE", papers: 1, papers_fractional: 1, rank: null },
    ]);
    const after = await store.dataset(statistics.database);
    expect(after.revision).to.equal(revision + 1);
    expect(after.sources[0]).to.deep.equal(before[0]);
    expect(after.sources[1]?.version).not.to.equal(before[1]?.version);
  });

  it("gives every file's data the same version wherever and whenever they are loaded", async () => {
    const files = { publications: await write("one.csv", PUBLICATIONS) };
    const first = await load(files);
    await load({ publications: await write("two.csv", table(COUNTS, "country,FR,2011,40000,")) });
    const again = await load({ publications: await write("three.csv", PUBLICATIONS) });
    expect(again.datasetVersion).to.equal(first.datasetVersion);
    expect(again.revision).to.be.above(first.revision);
  });

  it("serves the old data until a file is read whole, and changes nothing when it is refused", async () => {
    await loadRetractions(notice(1, "Germany", "3/1/2012", "10.1000/a"));
    const before = {
      dataset: await store.dataset(statistics.database),
      contents: await statistics.contents(),
    };
    const retractions = await write("RW.csv", table(HEADER, notice(9, "France", "3/1/2012", "10.1000/z")));
    const publications = await write("P.csv", table(PUBLICATIONS.trim(), "country,DE,2011,banana,1"));
    expect(await refusal(load({ retractions, publications }))).to.equal(
      'P.csv, row 6, column publications: must be a whole number, not "banana".',
    );
    expect({
      dataset: await store.dataset(statistics.database),
      contents: await statistics.contents(),
    }).to.deep.equal(before);
  });

  it("refuses a file without a single row, by which every figure would become 0", async () => {
    const headerOnly = `${HEADER}\n`;
    expect(await refusal(load({ retractions: await write("RW.csv", headerOnly) }))).to.equal(
      "RW.csv: the file contains no retractions.",
    );
    const corrections = table(
      HEADER,
      "1,Germany,1/2/2020,3/1/2012,10.1000/a,Correction,+Plagiarism of Text;",
    );
    expect(await refusal(load({ retractions: await write("RW.csv", corrections) }))).to.equal(
      "RW.csv: the file contains no retractions.",
    );
    expect(await refusal(load({ publications: await write("P.csv", `${COUNTS}\n`) }))).to.equal(
      "P.csv: the file has no rows below the header.",
    );
    expect(await refusal(load({ works: await write("W.jsonl", "\n") }))).to.equal(
      "W.jsonl: the file contains no records.",
    );
  });

  it("shows readers the old data or the new, each whole", async () => {
    await loadRetractions(notice(1, "Germany", "3/1/2012", "10.1000/a"));
    const before = await statistics.contents();
    const reads: Promise<unknown>[] = [];
    const publications = await write("P.csv", table(COUNTS, "country,SE,2014,70000,"));
    await load(
      { publications },
      { say: () => reads.push(statistics.contents()), onProgress: () => reads.push(statistics.contents()) },
    );
    expect(reads).to.have.length(3);
    const after = await statistics.contents();
    expect(after).not.to.deep.equal(before);
    // On a busy machine even the read that was started first may see the new data.
    for (const read of await Promise.all(reads)) expect([before, after]).to.deep.include(read);
  });

  it("takes a row that is repeated, and refuses one that contradicts another", async () => {
    const rows = PUBLICATIONS.trim().split("\n");
    await load({ publications: await write("P.csv", table(...rows, ...rows.slice(1).toReversed())) });
    const contradiction = table(...rows, ...rows, "country,de,2015,30000,15000.5");
    expect(await refusal(load({ publications: await write("P.csv", contradiction) }))).to.equal(
      "P.csv, row 11, column publications: an earlier row gives other publications for DE in 2015.",
    );
    const record = { id: "https://ror.org/05a28rw58", status: "active", names: [{ value: "A", types: [] }] };
    const renamed = { ...record, names: [{ value: "B", types: [] }] };
    const records = [record, record, renamed].map((one) => JSON.stringify(one)).join("\n");
    expect(await refusal(load({ organisations: await write("ROR.jsonl", records) }))).to.equal(
      "ROR.jsonl, row 3, column id: an earlier record of https://ror.org/05a28rw58 says something else.",
    );
  });

  it("tells the readers that there is something new, once it is there", async () => {
    const heard = Promise.withResolvers<string>();
    await statistics.listen(STATISTICS_LOADED_CHANNEL, heard.resolve);
    const { revision } = await load({
      publications: await write("P.csv", table(COUNTS, "country,SE,2014,70000,")),
    });
    expect(await heard.promise).to.equal(String(revision));
  });

  it("lets no synthetic data among real ones", async () => {
    await loadRetractions(notice(1, "Germany", "3/1/2012", "10.1000/a"));
    const made = { publications: await write("made.csv", table(COUNTS, "country,SE,2014,90000,")) };
    const error = await load(made, { isSynthetic: true }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(DomainError);
    expect(error).to.have.property("code", "invalid_input");

    const { datasetVersion } = await load(made, { isSynthetic: true, replaceReal: true });
    expect(datasetVersion).to.match(/^demo-/);
    expect((await store.dataset(statistics.database)).isDemo).to.equal(true);
    expect((await store.countries(statistics.database, "2014-2014")).map(({ code }) => code)).to.deep.equal([
      "SE",
    ]);

    await load({ publications: await write("P.csv", PUBLICATIONS) });
    const real = await store.dataset(statistics.database);
    expect(real.isDemo).to.equal(false);
    expect(real.datasetVersion).not.to.match(/^demo-/);
    expect(real.sources.filter(({ version }) => version !== null).map(({ id }) => id)).to.deep.equal([
      "publications",
    ]);
  });

  it("follows a fetch that found nothing new, and leaves the figures' time as it is", async () => {
    const files = { publications: await write("P.csv", PUBLICATIONS) };
    await load(files);
    const before = await store.dataset(statistics.database);
    await load(files, { retrievedAt: new Date("2030-01-01T00:00:00Z") });
    const after = await store.dataset(statistics.database);
    expect(after.sources[1]?.retrieved_at).to.equal("2030-01-01T00:00:00.000Z");
    expect(after.generatedAt).to.deep.equal(before.generatedAt);
    expect(after.revision).to.equal(before.revision + 1);
  });

  it("takes a file as retrieved when it was written, not when somebody loads it", async () => {
    const publications = await write("old.csv", table(COUNTS, "country,SE,2014,70002,"));
    const written = new Date("2025-04-08T10:00:00Z");
    await utimes(publications, written, written);
    await load({ publications });
    const { sources } = await store.dataset(statistics.database);
    expect(sources[1]?.retrieved_at).to.equal("2025-04-08T10:00:00.000Z");
  });

  it("stops at a signal without a trace", async () => {
    await loadRetractions(notice(1, "Germany", "3/1/2012", "10.1000/a"));
    const before = await statistics.contents();
    const publications = await write("P.csv", table(COUNTS, "country,SE,2014,70001,"));
    const stopped = AbortSignal.abort(new Error("stopped"));
    expect(await refusal(load({ publications }, { signal: stopped }))).to.equal("stopped");
    expect(await statistics.contents()).to.deep.equal(before);
  });
});

import { expect } from "chai";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, ingest } from "./damaged-corpus.ts";
import { runCommand } from "./rebuild-runs.ts";

const VACUUM_ATTEMPTS = 50;

describe("the refresh of the stores' statistics", function () {
  this.timeout(120_000);
  const made = useCorpus();

  it("reports the figures of an empty corpus", async () => {
    const { seconds, postgresBytes, indexBytes, indexBytesWithCopies, ...counts } =
      await made.corpus.refreshStatistics();
    expect(counts).to.deep.equal({
      documents: 0,
      corpusSources: 0,
      chunks: 0,
      segments: 0,
      textBytes: 0,
      bytesPerTextByte: null,
    });
  });

  it("counts documents, chunks and text, and updates the planner's statistics", async () => {
    const texts = [prose(1, 900), `${prose(2, 500)} 😀 é`, prose(3, 40)];
    await addTexts(made.corpus, texts);
    await ingest(made.corpus, [prose(4, 100)], "pending");
    const { chunkCount } = await chunkTotal();
    const found = await made.corpus.refreshStatistics();
    const textBytes = Buffer.byteLength([...texts, prose(4, 100)].join(""));
    expect(found).to.include({ documents: 4, corpusSources: 3, chunks: chunkCount, textBytes });
    expect(found.indexBytesWithCopies).to.be.at.least(found.indexBytes);
    const sum = found.postgresBytes + found.indexBytes;
    expect(found.bytesPerTextByte).to.be.closeTo(sum / textBytes, 1e-9);
    expect((await plannerEstimates()).map(({ name, rows }) => [name, rows])).to.deep.equal([
      ["document_chunks", 3],
      ["documents", 4],
    ]);
    // VACUUM leaves out a page that another process is using, or that another transaction may still need.
    for (let attempt = 1; attempt < VACUUM_ATTEMPTS && (await unmarkedTables()).length > 0; attempt += 1)
      await made.corpus.refreshStatistics();
    expect(await unmarkedTables()).to.deep.equal([]);
  });

  it("ends at once when it is told to stop", async () => {
    const reason = new Error("stopped by the test");
    const outcome = await made.corpus
      .refreshStatistics(AbortSignal.abort(reason))
      .catch((error: unknown) => error);
    expect(outcome).to.equal(reason);
  });

  it("rejects unknown arguments", async () => {
    const { status, stderr } = await runCommand("corpus/refresh", ["now"], made.options).ended;
    expect([status, /Usage: npm run corpus:refresh/.test(stderr)]).to.deep.equal([2, true]);
  });

  function plannerEstimates() {
    return made.corpus.database.query<{ name: string; rows: number; allVisible: number }>(
      `select relname as name, reltuples as rows, relallvisible as "allVisible" from pg_class
        where oid = any(array['documents', 'document_chunks']::regclass[]) order by relname`,
    );
  }

  /** The tables without a page that VACUUM marked as visible to all. */
  async function unmarkedTables() {
    return (await plannerEstimates()).filter(({ allVisible }) => allVisible === 0).map(({ name }) => name);
  }

  async function chunkTotal() {
    const { opensearch, chunkIndex } = made.corpus;
    await opensearch.indices.refresh({ index: chunkIndex.readAlias });
    return { chunkCount: (await opensearch.count({ index: chunkIndex.readAlias })).body.count };
  }
});

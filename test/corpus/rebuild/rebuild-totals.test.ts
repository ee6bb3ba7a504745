import { expect } from "chai";
import { RebuildMismatch } from "../../../src/corpus/rebuild/rebuild-comparison.ts";
import { compareTotals } from "../../../src/corpus/rebuild/rebuild-totals.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts } from "../reconciliation/damaged-corpus.ts";
import { agrees, PLAIN } from "./rebuild-runs.ts";

/** More than OpenSearch takes in one clause of a query. */
const MANY_NOTES = 66_000;

describe("the totals of rows and chunks before a swap", function () {
  this.timeout(120_000);
  const made = useCorpus();
  let documentIds: string[];

  before(async () => {
    documentIds = await addTexts(
      made.corpus,
      Array.from({ length: 20 }, (_, seed) => prose(seed, 250)),
    );
  });

  function compare({ since = new Date(Date.now() + 60_000), onRows = async () => {} } = {}) {
    const { database, opensearch, chunkIndex } = made.corpus;
    let isFirst = true;
    const session = {
      async query<R extends Record<string, unknown>>(text: string, values?: readonly unknown[]) {
        const rows = await database.query<R>(text, values);
        if (isFirst) await onRows();
        isFirst = false;
        return rows;
      },
    };
    return compareTotals({ session, opensearch, old: undefined, target: chunkIndex.readAlias, since });
  }

  async function removeChunks(ids: readonly string[]): Promise<void> {
    await made.corpus.opensearch.deleteByQuery({
      index: made.corpus.chunkIndex.readAlias,
      refresh: true,
      body: { query: { terms: { document_id: [...ids] } } },
    });
  }

  async function noteMany(): Promise<void> {
    await made.corpus.database.query(
      `insert into removed_documents (document_id) select gen_random_uuid() from generate_series(1, ${MANY_NOTES})`,
    );
  }

  it("are those of all documents, whatever number of removals is noted", async () => {
    const few = await compare();
    expect(few).to.include({ documents: 20, chunksOfNew: few.chunks });
    expect(few.chunks).to.be.above(20);
    await noteMany();
    await made.corpus.database.query("insert into removed_documents (document_id) values ($1)", [
      "00000000-0000-7000-8000-000000000000",
    ]);
    const { opensearch, chunkIndex, database } = made.corpus;
    const stray = { document_id: "00000000-0000-7000-8000-000000000000", chunk_index: 0, fingerprint: "a b" };
    const place = { index: chunkIndex.writeAlias, id: "stray", routing: stray.document_id };
    await opensearch.index({ ...place, body: stray, refresh: true });
    expect(await compare()).to.deep.equal(few);
    await database.query("delete from removed_documents");
    expect(await compare().catch((error: unknown) => error)).to.be.instanceOf(RebuildMismatch);
    await opensearch.delete({ ...place, refresh: true });
  });

  it("leave out what was fingerprinted since, which may be in the index or not", async () => {
    const [row] = await made.corpus.database.query<{ now: Date }>("select clock_timestamp() as now");
    const before = await compare();
    const late = await addTexts(made.corpus, [prose(100, 250), prose(101, 250)]);
    const since = row?.now;
    if (since === undefined) throw new Error("PostgreSQL gave no time");
    expect(await compare({ since })).to.deep.equal(before);
    await removeChunks(late.slice(0, 1));
    expect(await compare({ since })).to.deep.equal(before);
    expect(await compare().catch((error: unknown) => error)).to.be.instanceOf(RebuildMismatch);
    await made.corpus.database.query("delete from documents where document_id = any($1)", [late]);
    await made.corpus.sweepRemoved();
  });

  it("may fall while they are taken, by deletions only", async () => {
    const { database, sweepRemoved } = made.corpus;
    for (const sweeps of [false, true]) {
      const id = documentIds.pop();
      const before = await compare();
      const meanwhile = await compare({
        onRows: async () => {
          await database.query("delete from documents where document_id = $1", [id]);
          if (sweeps) await sweepRemoved();
        },
      });
      const after = await compare();
      expect(after.chunks, `swept: ${sweeps}`).to.be.below(before.chunks);
      expect(meanwhile.chunks, `swept: ${sweeps}`).to.be.within(after.chunks, before.chunks);
    }
    const lost = documentIds.slice(0, 1);
    const error = await compare({ onRows: () => removeChunks(lost) }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RebuildMismatch).with.property("message").that.includes("--restart");
    await made.corpus.fingerprintDocuments(lost);
  });

  it("let a rebuild go on that finds more notes of removals than a query takes terms", async () => {
    await noteMany();
    const { rebuilt } = await made.corpus.rebuildIndex(PLAIN);
    expect(rebuilt).to.include({ documents: documentIds.length, chunksOfNew: rebuilt?.chunks });
    expect(await made.corpus.database.query("select 1 from removed_documents")).to.deep.equal([]);
    expect(await agrees(made.corpus)).to.equal(true);
  });
});

import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { DifferenceKind } from "../../../src/corpus/upkeep/compare-index.ts";
import { RECONCILE_KEY } from "../../../src/corpus/upkeep/reconcile.ts";
import type { Verification } from "../../../src/corpus/upkeep/verify-corpus.ts";
import { createRepairCorpus } from "../../../src/corpus/upkeep/verify-corpus.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, indexContent, ingest, makeOld, verifyAll } from "./damaged-corpus.ts";

const TEXTS = [1, 2, 3, 4, 5].map((seed) => `😀 ${prose(seed, 150 * seed + 400)}`);

describe("reconciliation of PostgreSQL and OpenSearch", () => {
  const made = useCorpus();
  let ids: readonly string[];
  let whole: Map<string, unknown>;

  beforeEach(async () => {
    await made.corpus.database.query("delete from documents");
    await made.corpus.cleanUpTombstones();
    ids = await addTexts(made.corpus, TEXTS);
    await makeOld(made.corpus);
    await made.corpus.fingerprintDocuments(ids);
    whole = await indexContent(made.corpus);
  });

  const first = () => ids[0] ?? "";
  const last = () => ids.at(-1) ?? "";

  /** What a verification has to find; all else must be whole. */
  type Expected = Partial<Record<DifferenceKind, readonly string[]>> & {
    readonly faulty?: readonly string[];
  };

  function expectFound(found: Verification, { faulty = [], ...differing }: Expected): void {
    for (const kind of ["missing", "pending", "extra"] as const) {
      const { count, documentIds } = found.differences[kind];
      expect(documentIds, kind).to.have.members([...(differing[kind] ?? [])]);
      expect(count, kind).to.equal(documentIds.length);
    }
    expect(found.faults.map(({ documentId }) => documentId)).to.have.members([...faulty]);
    expect(found.agrees).to.equal(Object.values(differing).flat().length + faulty.length === 0);
  }

  /** A pass mends all that has a kind; afterwards the index is what it was, chunk for chunk. */
  async function expectMended(expected: Omit<Expected, "faulty">): Promise<void> {
    const counts = { missing: 0, pending: 0, extra: 0 };
    for (const kind of ["missing", "pending", "extra"] as const) counts[kind] = expected[kind]?.length ?? 0;
    const mended = counts.missing + counts.pending + counts.extra;
    const pass = await made.corpus.reconcile();
    expect(pass).to.deep.equal({ checked: pass?.checked, mended, failed: 0, ...counts });
    expectFound(await verifyAll(made.corpus), {});
    expect(await indexContent(made.corpus)).to.deep.equal(whole);
    expect((await made.corpus.reconcile())?.mended).to.equal(0);
  }

  /** Writes into the index what nobody wrote who uses our functions. */
  async function writeChunk(id: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
    const chunk = whole.get(`${first()}:0`);
    const body = { ...(typeof chunk === "object" ? chunk : {}), ...changes };
    const place = { index: made.corpus.chunkIndex.names.writeAlias, id, routing: id.split(":")[0] ?? id };
    await made.corpus.opensearch.index({ ...place, body, refresh: true });
  }

  async function removeChunks(query: object): Promise<void> {
    const index = made.corpus.chunkIndex.readAlias;
    await made.corpus.opensearch.deleteByQuery({ index, refresh: true, body: { query } });
  }

  async function withoutTrigger(statement: string): Promise<void> {
    await made.corpus.database.transaction(async (transaction) => {
      await transaction.query("alter table documents disable trigger documents_removed");
      await transaction.query(statement);
      await transaction.query("alter table documents enable trigger documents_removed");
    });
  }

  it("finds no difference in a sound corpus, and counts both sides", async () => {
    const found = await verifyAll(made.corpus);
    expectFound(found, {});
    expect(found.sampled).to.equal(TEXTS.length);
    expect(found.counts).to.deep.equal({
      documents: TEXTS.length,
      pending: 0,
      chunks: whole.size,
      indexedDocuments: TEXTS.length,
      indexedChunks: whole.size,
    });
    await expectMended({});
  });

  it("repairs documents that lost one chunk or all chunks", async () => {
    await removeChunks({ ids: { values: [`${last()}:1`] } });
    await removeChunks({ term: { document_id: { value: first() } } });
    const expected = { missing: [first(), last()] };
    expectFound(await verifyAll(made.corpus), { ...expected, faulty: [first(), last()] });
    await expectMended(expected);
  });

  it("repairs a document with too many chunks", async () => {
    await writeChunk(`${first()}:99`, { chunk_index: 99 });
    await writeChunk("copied by hand", { document_id: last(), chunk_index: 0 });
    const expected = { missing: [first(), last()] };
    expectFound(await verifyAll(made.corpus), { ...expected, faulty: [first(), last()] });
    await expectMended(expected);
  });

  it("removes chunks of documents that do not exist, whoever wrote them", async () => {
    const unknown = randomUUID();
    await writeChunk(`${unknown}:0`, { document_id: unknown });
    await writeChunk("x", { document_id: "no identifier of ours" });
    await writeChunk("y", { document_id: "00000000" });
    const expected = { extra: ["00000000", "no identifier of ours", unknown] };
    expectFound(await verifyAll(made.corpus), expected);
    await expectMended(expected);
  });

  it("removes the chunks of rows that were deleted behind the database's back, and of a truncated table", async () => {
    await withoutTrigger(`delete from documents where document_id = '${first()}'`);
    expectFound(await verifyAll(made.corpus), { extra: [first()] });
    for (const id of whole.keys()) if (id.startsWith(first())) whole.delete(id);
    await expectMended({ extra: [first()] });

    await made.corpus.database.query("truncate documents cascade");
    expectFound(await verifyAll(made.corpus), { extra: ids.slice(1) });
    whole.clear();
    await expectMended({ extra: ids.slice(1) });
  });

  it("ignores documents that were just deleted in the usual way: the tombstone cleanup is about to handle them", async () => {
    await made.corpus.database.query("delete from documents where document_id = $1", [first()]);
    expectFound(await verifyAll(made.corpus), {});
    expect((await made.corpus.reconcile())?.extra).to.equal(0);
    await made.corpus.database.query(
      "update removed_documents set removed_at = removed_at - interval '2 minutes'",
    );
    for (const id of whole.keys()) if (id.startsWith(first())) whole.delete(id);
    await expectMended({ extra: [first()] });
  });

  it("fingerprints documents that have been pending too long, but not those of the last minute", async () => {
    const waiting = await ingest(made.corpus, [prose(10, 200)]);
    await made.corpus.database.query("delete from document_chunks where document_id = $1", [first()]);
    expectFound(await verifyAll(made.corpus), { pending: [first()] });
    await expectMended({ pending: [first()] });
    await makeOld(made.corpus);
    expectFound(await verifyAll(made.corpus), { pending: waiting });
    expect(await made.corpus.reconcile()).to.include({ pending: 1, mended: 1 });
    expectFound(await verifyAll(made.corpus), {});
  });

  it("fills an index that was emptied", async () => {
    await removeChunks({ match_all: {} });
    expectFound(await verifyAll(made.corpus), { missing: ids, faulty: ids });
    await expectMended({ missing: ids });
  });

  describe("differences that only a comparison in full finds", () => {
    async function expectRepaired(faulty: readonly string[]): Promise<void> {
      const found = await verifyAll(made.corpus);
      expectFound(found, { faulty });
      const repaired = await createRepairCorpus(made.corpus)(found, { say: () => {} });
      expect(repaired).to.deep.equal({ mended: faulty.length, failed: 0 });
      expectFound(await verifyAll(made.corpus), {});
      expect(await indexContent(made.corpus)).to.deep.equal(whole);
    }

    it("a chunk with another normalised form or other counts", async () => {
      const changes = [
        { fingerprint: "other words than those of the text" },
        { word_count: 1 },
        { char_count: 1 },
      ];
      for (const change of changes) {
        await writeChunk(`${first()}:0`, change);
        await expectRepaired([first()]);
      }
    });

    it("a chunk in the place of another one", async () => {
      await writeChunk("moved", { document_id: last(), chunk_index: 1 });
      await removeChunks({ ids: { values: [`${last()}:1`] } });
      await expectRepaired([last()]);
    });

    it("a row whose chunk offsets do not match the text, in either unit", async () => {
      for (const column of ["borders", "code_point_borders"]) {
        await made.corpus.database.query(
          `update document_chunks set ${column}[2] = ${column}[2] + 1 where document_id = $1`,
          [last()],
        );
        await expectRepaired([last()]);
      }
    });

    it("a text that is not the stored one, which can't be repaired", async () => {
      await made.corpus.database.query("delete from text_sections where document_id = $1", [first()]);
      const found = await verifyAll(made.corpus);
      expectFound(found, { faulty: [first()] });
      expect(found.faults[0]?.faults).to.include("the length of its text differs from its row");
      const repaired = await createRepairCorpus(made.corpus)(found, { say: () => {} });
      expect(repaired).to.deep.equal({ mended: 0, failed: 1 });
      expectFound(await verifyAll(made.corpus), { faulty: [first()] });
    });
  });

  it("a document that can't be fingerprinted does not hold up others, and is reported", async () => {
    await made.corpus.database.query("update text_sections set body = 'no Brotli' where document_id = $1", [
      ids[2],
    ]);
    await removeChunks({ match_all: {} });
    const metric = made.corpus.metrics.documentsMended;
    const countOf = async () =>
      (await metric.get()).values.find(({ labels }) => labels.kind === "missing")?.value;
    const before = (await countOf()) ?? 0;
    expect(await made.corpus.reconcile()).to.include({
      missing: ids.length,
      mended: ids.length - 1,
      failed: 1,
    });
    expect(await countOf()).to.equal(before + ids.length - 1);
    const found = await verifyAll(made.corpus);
    expectFound(found, { missing: [ids[2] ?? ""], faulty: [ids[2] ?? ""] });
    expect(found.faults[0]?.faults).to.deep.equal(["its text can't be unpacked"]);
  });

  it("runs in one process at a time, and not again within the given interval", async () => {
    await removeChunks({ match_all: {} });
    await made.corpus.database.transaction(async (other) => {
      await other.query("select pg_advisory_xact_lock($1)", [RECONCILE_KEY]);
      expect(await made.corpus.reconcile()).to.equal(undefined);
    });
    expect((await indexContent(made.corpus)).size).to.equal(0);
    await expectMended({ missing: ids });
    expect(await made.corpus.reconcile({ unlessWithinMs: 60_000 })).to.equal(undefined);
    expect((await made.corpus.reconcile())?.checked).to.equal(ids.length);
  });

  it("ends when it is told to stop, and the next pass does the rest", async () => {
    await removeChunks({ match_all: {} });
    const stopped = await made.corpus
      .reconcile({ signal: AbortSignal.abort("stop") })
      .catch((reason) => reason);
    expect(stopped).to.equal("stop");
    await expectMended({ missing: ids });
  });
}).timeout(120_000);

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { type Corpus, openCorpus } from "../../../src/service/connect-corpus.ts";
import { addTexts } from "../../corpus/index/boilerplate-corpus.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

/** More than the chunks that are fetched for a chunk of the query, 200 at most. */
const DOCUMENTS = 300;
const FETCHED_MAX = 200;

/** Documents that are found by words that they share with the text beside the passage. */
const OTHERS_MAX = 10;

/** Documents that are deleted, of those that came first. */
const DELETED = 20;

const PARAGRAPH = prose(800, 70);

describe("a passage that more documents hold than are fetched", function () {
  this.timeout(120_000);
  const engine = useEngine();
  let corpus: Corpus;
  let documentIds: string[];

  before(async () => {
    corpus = await openCorpus(engine.options, pino({ level: "silent" }));
    const texts = Array.from(
      { length: DOCUMENTS },
      (_, number) => `${prose(1_000 + number, 40)} ${PARAGRAPH}`,
    );
    documentIds = (await addTexts(corpus, texts)).toSorted();
  });
  after(() => corpus?.close());

  /** The sources of a short text, whose one chunk fetches all it may, and of one of several chunks, which fetch in two steps. */
  async function sources(): Promise<readonly (readonly string[])[]> {
    const long = `${prose(1, 1_500)} ${PARAGRAPH} ${prose(2, 1_500)}`;
    const reports = await Promise.all([PARAGRAPH, long].map((text) => engine.client.checked(text)));
    return reports.map((report) => report.sources.map((source) => source.source_document_id));
  }

  /** Those that came first are all there, in their order; the words around the passage may bring some others. */
  function expectOldest(found: readonly (readonly string[])[], from: number, when?: string): void {
    const oldest = documentIds.slice(from, from + FETCHED_MAX);
    const isOldest = new Set(oldest);
    for (const ids of found) {
      expect(
        ids.filter((id) => isOldest.has(id)),
        when,
      ).to.deep.equal(oldest);
      expect(ids.length, when).to.be.at.most(FETCHED_MAX + OTHERS_MAX);
    }
  }

  async function chunksOf(ids: readonly string[]): Promise<number> {
    const index = corpus.chunkIndex.readAlias;
    await corpus.opensearch.indices.refresh({ index });
    return (await corpus.opensearch.count({ index, body: { query: { terms: { document_id: ids } } } })).body
      .count;
  }

  it("is reported from those that came first, in their order, wherever their chunks lie in the index", async () => {
    expectOldest(await sources(), 0);
    await corpus.fingerprintDocuments(documentIds.slice(0, 150));
    expectOldest(await sources(), 0, "with the first half of them written last");
    await corpus.opensearch.indices.forcemerge({ index: corpus.chunkIndex.readAlias, max_num_segments: 1 });
    expectOldest(await sources(), 0, "after a merge");
    await corpus.rebuildIndex({ dropOld: true, restart: false, say: () => undefined });
    expectOldest(await sources(), 0, "after a rebuild");
  });

  it("is reported from the next ones when some of them are deleted", async () => {
    const gone = documentIds.slice(0, DELETED);
    await corpus.database.query("delete from documents where document_id = any($1)", [gone]);
    while ((await chunksOf(gone)) > 0) await sleep(20);
    expectOldest(await sources(), DELETED);
  });
});

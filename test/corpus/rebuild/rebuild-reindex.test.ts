import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, indexContent } from "../reconciliation/damaged-corpus.ts";
import { agrees, PLAIN, roles, runCommand } from "./rebuild-runs.ts";

/** Makes more than one of the batches that OpenSearch copies, so that a throttle holds it up in between. */
const DOCUMENTS = 500;

describe("a rebuild by OpenSearch's own _reindex", function () {
  this.timeout(60_000);
  const made = useCorpus();
  let documentIds: string[];
  let seed = 0;

  before(async () => {
    documentIds = await addTexts(
      made.corpus,
      Array.from({ length: DOCUMENTS }, () => prose(++seed, 600)),
    );
  });

  async function tasks(): Promise<number> {
    const { body } = await made.corpus.opensearch.tasks.list({ actions: ["*reindex"], detailed: true });
    return JSON.stringify(body).split(`to [${made.options.opensearchIndexPrefix}`).length - 1;
  }

  it("copies every chunk without cutting documents, and reports its progress", async () => {
    const before = await indexContent(made.corpus);
    expect(before.size).to.be.above(1_000);
    const seen: number[] = [];
    const { rebuilt } = await made.corpus.rebuildIndex({
      ...PLAIN,
      reindex: {},
      onProgress: ({ done }) => seen.push(done),
    });
    expect(rebuilt).to.include({ chunksWritten: 0, chunksOfNew: before.size });
    expect(seen).to.deep.equal(seen.toSorted((a, b) => a - b));
    expect(await indexContent(made.corpus)).to.deep.equal(before);
  });

  it("is cancelled in OpenSearch when it is stopped, and continues later", async () => {
    const stopping = new AbortController();
    const running = made.corpus
      .rebuildIndex({ ...PLAIN, reindex: { chunksPerSecond: 500 }, signal: stopping.signal })
      .catch((error: Error) => error.message);
    while ((await tasks()) === 0) await sleep(10);
    stopping.abort(new Error("stopped by the test"));
    expect(await running).to.equal("stopped by the test");
    while ((await tasks()) > 0) await sleep(10);
    const { next } = await roles(made.corpus);
    await addTexts(made.corpus, [prose(++seed, 200)]);
    await made.corpus.database.query("delete from documents where document_id = $1", [documentIds[0]]);
    await made.corpus.rebuildIndex({ ...PLAIN, reindex: {} });
    expect((await roles(made.corpus)).current).to.deep.equal(next);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("survives a killed command in OpenSearch, where the next one finds it", async () => {
    const killed = runCommand("corpus/rebuild", ["--reindex", "--throttle", "500"], made.options);
    while (killed.child.exitCode === null && (await tasks()) === 0) await sleep(10);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(await tasks()).to.equal(1);
    const said: string[] = [];
    const again = () =>
      made.corpus
        .rebuildIndex({ ...PLAIN, reindex: {}, say: (line) => said.push(line) })
        .catch(() => undefined);
    // PostgreSQL notices a moment later that the connection which held the lock is gone.
    let outcome = await again();
    while (outcome === undefined) outcome = await again();
    expect(said.join("\n")).to.match(/is already copying, as task/);
    expect(outcome.rebuilt?.chunksWritten).to.equal(0);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("leaves nothing of documents that were deleted while OpenSearch copied them", async () => {
    const gone = documentIds.slice(100, 150);
    let deleting: Promise<unknown> | undefined;
    const onProgress = ({ done }: { readonly done: number }) => {
      if (done === 0) return;
      deleting ??= made.corpus.database
        .query("delete from documents where document_id = any($1)", [gone])
        .then(() => made.corpus.cleanUpTombstones());
    };
    await made.corpus.rebuildIndex({ ...PLAIN, reindex: { chunksPerSecond: 2_000 }, onProgress });
    expect(deleting).to.not.equal(undefined);
    await deleting;
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("is refused when the fingerprints must be made again", async () => {
    const before = await roles(made.corpus);
    const { opensearch, chunkIndex } = made.corpus;
    const setVersion = (fingerprint_version: number) =>
      opensearch.indices.putMapping({
        index: chunkIndex.readAlias,
        body: { _meta: { fingerprint_version } },
      });
    await setVersion(1);
    const outcome = await made.corpus
      .rebuildIndex({ ...PLAIN, reindex: {} })
      .catch((error: Error) => error.message);
    expect(outcome).to.match(/--reindex copies fingerprints unchanged/);
    expect(await roles(made.corpus)).to.deep.equal(before);
  });
});

import { createHash } from "node:crypto";
import { expect } from "chai";
import { pino } from "pino";
import {
  createCorrectLanguage,
  createMoveIndex,
  DEFAULT_LAYOUT,
  FINGERPRINT_QUEUE,
} from "../../../src/corpus/index.ts";
import { packCentroids } from "../../../src/corpus/meaning/semantic-store.ts";
import { type Corpus, openCorpus } from "../../../src/service/connect-corpus.ts";
import { CountingEncoder, DIMENSIONS } from "../../support/counting-encoder.ts";
import { answerWith, editAnswer, FaultProxy } from "../../support/faults/fault-proxy.ts";
import { freshPrefix } from "../../support/stores.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, indexContent, ingest } from "../reconciliation/damaged-corpus.ts";
import { agrees, chunksInNext, PLAIN, roles, runCommand } from "./rebuild-runs.ts";

/** More than a batch of a rebuild, so that it can be stopped between two. */
const DOCUMENTS = 450;

const MAIN = /^GET \/$/;

describe("a move of the index to another cluster", function () {
  this.timeout(60_000);
  const made = useCorpus();
  let proxy: FaultProxy;
  /** The corpus as services see it that use the other cluster. */
  let other: Corpus;
  let move: Corpus["moveIndex"];
  let documentIds: string[];
  let seed = 0;

  // The other cluster is the same OpenSearch with other names, behind a proxy that gives it another identifier.
  before(async () => {
    documentIds = await addTexts(
      made.corpus,
      Array.from({ length: DOCUMENTS }, () => prose(++seed, 250)),
    );
    proxy = await FaultProxy.open(made.options.opensearchNodes[0] ?? "");
    beAnotherCluster();
    const prefix = freshPrefix();
    const parts = {
      ...made.corpus,
      access: {},
      prefix,
      layout: DEFAULT_LAYOUT,
      onBulkRetry: () => undefined,
    };
    move = createMoveIndex(parts);
    const options = { ...made.options, opensearchNodes: [proxy.url], opensearchIndexPrefix: prefix };
    other = await openCorpus(options, pino({ level: "silent" }));
  });
  after(async () => {
    await other?.close();
    await proxy?.close();
  });

  function beAnotherCluster(): void {
    proxy.liftAll();
    const edit = (body: unknown) => Object.assign({}, body, { cluster_uuid: "another" });
    proxy.set({ on: MAIN, act: editAnswer(edit) });
  }

  const input = () => ({ ...PLAIN, nodes: [proxy.url] });
  async function stoppedAt(chunks: number): Promise<unknown> {
    const stopping = new AbortController();
    const onProgress = ({ done }: { readonly done: number }) => {
      if (done >= chunks) stopping.abort(new Error("stopped by the test"));
    };
    return move({ ...input(), onProgress, signal: stopping.signal }).catch((error: unknown) => error);
  }
  const documentsIn = async (corpus: Corpus) =>
    new Set([...(await indexContent(corpus)).keys()].map((id) => id.split(":")[0]));

  it("that is stopped continues, and leaves pending documents to the services", async () => {
    const pending = await ingest(made.corpus, [prose(++seed, 300)], "pending");
    const past =
      "update documents set created_at = created_at - interval '1 hour' where document_id = any($1)";
    await made.corpus.database.query(past, [pending]);
    expect(await stoppedAt(100)).to.have.property("message", "stopped by the test");
    expect(await chunksInNext(other)).to.be.above(0);
    expect(await roles(other)).to.deep.equal({ next: [1] });

    const said: string[] = [];
    const { rebuilt } = await move({ ...input(), say: (line) => void said.push(line) });
    expect(said[0]).to.match(/^Continuing with \S+chunks-v1, /);
    expect(rebuilt?.chunksWritten).to.be.below(rebuilt?.chunks ?? 0);
    expect(await roles(other)).to.deep.equal({ current: [1] });
    expect(await roles(made.corpus)).to.deep.equal({ current: [1] });
    expect(await indexContent(other)).to.deep.equal(await indexContent(made.corpus));
    expect([...(await documentsIn(other))]).to.not.include(pending[0]);
    const rows = await made.corpus.documents.findAll(made.corpus.database, pending);
    expect(rows.map(({ fingerprintStatus }) => fingerprintStatus)).to.deep.equal(["pending"]);
    await made.corpus.fingerprintDocuments(pending);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("builds anew where one is current, and removes the chunks of deleted documents from both clusters", async () => {
    const gone = documentIds.slice(0, 3);
    let deleting: Promise<unknown> | undefined;
    // When all chunks are copied, so that only tombstones tell of it.
    const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) => {
      if (done < total) return;
      deleting ??= made.corpus.database.query("delete from documents where document_id = any($1)", [gone]);
    };
    const { former } = await move({ ...input(), onProgress });
    await deleting;
    expect([await roles(other), former.length]).to.deep.equal([{ former: [1], current: [2] }, 1]);
    for (const corpus of [other, made.corpus]) {
      const left = await documentsIn(corpus);
      expect(gone.filter((id) => left.has(id))).to.deep.equal([]);
    }
    expect(await made.corpus.database.query("select from removed_documents")).to.deep.equal([]);

    const { rebuilt, dropped } = await move({ ...input(), dropOld: true });
    expect([rebuilt, dropped.length]).to.deep.equal([undefined, 1]);
    expect(await roles(other)).to.deep.equal({ current: [2] });
    expect(await roles(made.corpus)).to.deep.equal({ current: [1] });
  });

  it("is finished by writing documents again that were encoded or corrected meanwhile, in both directions", async () => {
    const encode = await encoderOf(made.corpus);
    const upload = async (corpus: Corpus) => {
      const text = prose(++seed, 250);
      const sha256 = createHash("sha256").update(text).digest("hex");
      const facts = { filename: "a.txt", title: "A text", language: "en", sourceUrl: null };
      const [ingested] = await corpus.ingestDocuments([
        {
          ...facts,
          origin: { scope: "uploaded" },
          sizeBytes: text.length,
          sha256,
          text,
          mediaType: "text/plain",
        },
      ]);
      const id = ingested?.document.documentId ?? "";
      await corpus.fingerprintDocuments([id]);
      return id;
    };
    const correct = async (corpus: Corpus, id: string) => {
      // Nobody works on the queue, and a document with a job can't be corrected.
      await corpus.queue.forget([FINGERPRINT_QUEUE], [id], corpus.database);
      await createCorrectLanguage(corpus)(id, "fr");
      await corpus.fingerprintDocuments([id]);
    };
    const corrected = [await upload(made.corpus), await upload(made.corpus), await upload(made.corpus)];

    await stoppedAt(100);
    await correct(made.corpus, corrected[0] ?? "");
    await encode(made.corpus);
    await move(input());
    expect(await indexContent(other)).to.deep.equal(await indexContent(made.corpus));

    await correct(made.corpus, corrected[1] ?? "");
    await encode(made.corpus);
    expect(await indexContent(other)).to.not.deep.equal(await indexContent(made.corpus));
    await made.corpus.finishMove({ say: () => undefined });
    await other.finishMove({ say: () => undefined });
    expect(await indexContent(other)).to.deep.equal(await indexContent(made.corpus));

    await correct(other, corrected[2] ?? "");
    await encode(other);
    expect(await indexContent(other)).to.not.deep.equal(await indexContent(made.corpus));
    await other.finishMove({ say: () => undefined });
    await made.corpus.finishMove({ say: () => undefined });
    expect(await indexContent(other)).to.deep.equal(await indexContent(made.corpus));
  });

  it("is refused for the cluster that the corpus uses, whatever it is called there", async () => {
    const [node = ""] = made.options.opensearchNodes;
    const before = await roles(made.corpus);
    const { status, stderr } = await runCommand("corpus/rebuild", ["--to", node], made.options).ended;
    expect(
      [status, /--to names the cluster that the corpus uses already/.test(stderr)],
      stderr,
    ).to.deep.equal([1, true]);
    const plain = await FaultProxy.open(node);
    const refusal = await made.corpus.moveIndex({ ...PLAIN, nodes: [plain.url] }).catch(String);
    await plain.close();
    expect(refusal).to.include("names the cluster that the corpus uses already");
    expect(await roles(made.corpus)).to.deep.equal(before);
  });

  it("is refused where an index of that name has documents of another database", async () => {
    await addTexts(foreign.corpus, [prose(++seed, 300)]);
    const { opensearchIndexPrefix: prefix } = foreign.options;
    const parts = {
      ...made.corpus,
      access: {},
      prefix,
      layout: DEFAULT_LAYOUT,
      onBulkRetry: () => undefined,
    };
    const refusal = await createMoveIndex(parts)(input()).catch(String);
    expect(refusal).to.include("documents of another database");
    expect(await roles(foreign.corpus)).to.deep.equal({ current: [1] });
  });

  it("names --to, not OPENSEARCH_URL, when there is no usable cluster", async () => {
    const refusalOf = (url: string) =>
      made.corpus.moveIndex({ ...PLAIN, nodes: [url] }).then(
        () => "",
        (error: Error) => error.message,
      );
    expect(await refusalOf("http://127.0.0.1:1")).to.match(
      /^The cluster of --to: OpenSearch does not answer.*ECONNREFUSED/,
    );
    proxy.liftAll();
    proxy.set({ on: MAIN, act: answerWith(404, "Not found") });
    expect(await refusalOf(proxy.url)).to.match(/^There is no OpenSearch at --to: /);
    proxy.liftAll();
    const elasticsearch = { cluster_uuid: "another", version: { number: "8.1.0" } };
    proxy.set({ on: MAIN, act: answerWith(200, elasticsearch) });
    expect(await refusalOf(proxy.url)).to.match(/^There is Elasticsearch 8.1.0 at --to/);
    beAnotherCluster();
  });

  it("is refused with a wrong URL before anything is started, which is not repeated", async () => {
    for (const wrong of ["ftp://user:secret@host", "secret", "", "http://one:9200,secret"]) {
      const { status, stderr } = await runCommand("corpus/rebuild", ["--to", wrong], made.options).ended;
      expect([status, stderr.split("\n")[0]?.startsWith("--to must ")], stderr).to.deep.equal([2, true]);
      expect(stderr).to.not.include("secret");
    }
  });

  const foreign = useCorpus();
});

/** A function that encodes the next fifty documents for a corpus on this database. */
async function encoderOf({ database, semantics }: Corpus): Promise<(corpus: Corpus) => Promise<void>> {
  const encoder = new CountingEncoder();
  const values = Float32Array.from({ length: 7 * DIMENSIONS }, (_, at) => Math.cos(at));
  const calibration = {
    background: { base: 0.1, slope: 0.7 },
    code: { scale: 0.06, offset: 0 },
    marginScale: 1,
  };
  const generation = await database.transaction((transaction) =>
    semantics.addModel(transaction, {
      ...{ model: encoder.model, dimensions: DIMENSIONS, calibration },
      centroids: packCentroids(values, DIMENSIONS),
    }),
  );
  const model = await semantics.readModel(database, generation);
  if (model === undefined) throw new Error("the model was not added");
  return async (corpus) => {
    expect(await corpus.encodeDocuments(encoder, model, new AbortController().signal)).to.be.above(0);
  };
}

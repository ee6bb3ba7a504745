import { expect } from "chai";
import { DocumentMetadata } from "../../../src/corpus/api/schema.ts";
import { isStoreUnavailable } from "../../../src/platform/flow/retry-policy.ts";
import { EngineClient } from "../../support/client.ts";
import { startTestService } from "../../support/service.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, ingest } from "../upkeep/damaged-corpus.ts";
import { agrees, roles } from "../upkeep/rebuild-runs.ts";

/** The block that OpenSearch sets when a disk is over its flood stage, and one that people set. Both block mappings as well. */
const BLOCKS = ["read_only_allow_delete", "read_only"] as const;

describe("the states of the chunk index", function () {
  this.timeout(120_000);
  const engine = useEngine();
  const known = prose(60, 300);

  before(() => engine.client.addDocument("known.txt", known));

  /** The chunk index, or all indices of the service. */
  const name = (of: "chunks-v1" | "chunks-v2" | "*") => `${engine.options.opensearchIndexPrefix}${of}`;

  async function set(index: string, settings: object): Promise<void> {
    await engine.opensearch.indices.putSettings({ index, body: { index: settings } });
  }

  async function readiness(client = engine.client): Promise<unknown[]> {
    const answer = await client.request("/ready");
    const { checks } = Object(await answer.json());
    return [answer.status, checks.opensearch];
  }

  /** Starts another service on the same stores. */
  async function restarted<T>(work: (client: EngineClient) => Promise<T>): Promise<T> {
    const service = await startTestService(engine.options);
    try {
      return await work(new EngineClient(service.base));
    } finally {
      await service.stop();
    }
  }

  /** Uploads a text and submits it, and tells how to wait for both. */
  async function begun(text: string): Promise<() => Promise<void>> {
    const { client } = engine;
    const answer = await client.upload("/v1/corpus/documents", { name: "waits.txt", content: text });
    expect(answer.status).to.equal(201);
    const { document_id } = DocumentMetadata.parse(await answer.json());
    const checkId = await client.submit(text);
    return async () => {
      await client.fingerprinted(document_id);
      await client.ended(checkId);
      const { coverage, overall_similarity_pct } = await client.report(checkId);
      expect([coverage, overall_similarity_pct]).to.deep.equal(["full", 100]);
    };
  }

  for (const block of BLOCKS) {
    it(`do not prevent a start if all indices are blocked (${block}), as on a full disk`, async () => {
      await set(name("*"), { [`blocks.${block}`]: true });
      try {
        const found = await restarted(async (client) => {
          expect(await readiness(client)).to.deep.equal([200, "ok"]);
          return (await client.checked(known)).overall_similarity_pct;
        });
        expect(found).to.equal(100);
      } finally {
        await set(name("*"), { [`blocks.${block}`]: null });
      }
    });
  }

  it("make uploads, checks and a start wait if it is closed, and /ready says so", async () => {
    await engine.opensearch.indices.close({ index: name("chunks-v1") });
    const ended = await begun(prose(61, 300)).finally(async () => {
      expect(await readiness()).to.deep.equal([503, "the chunk index is closed"]);
      await restarted(async (client) => expect((await readiness(client))[0]).to.equal(503));
      // By the alias, as the message says.
      await engine.opensearch.indices.open({ index: `${engine.options.opensearchIndexPrefix}chunks-read` });
    });
    await ended();
    expect(await readiness()).to.deep.equal([200, "ok"]);
  });

  it("change nothing if it is yellow", async () => {
    const index = name("chunks-v1");
    await set(index, { auto_expand_replicas: "false", number_of_replicas: 1 });
    expect((await engine.opensearch.cluster.health({ index })).body.status).to.equal("yellow");
    await (await begun(prose(63, 300)))();
    expect(await readiness()).to.deep.equal([200, "ok"]);
    await set(index, { auto_expand_replicas: "0-1" });
  });

  it("make uploads, checks and a start wait if it is red, and /ready says so", async () => {
    const { opensearch, options } = engine;
    const red = name("chunks-v2");
    // A shard that has been on a node is put there again in spite of such a setting, so the red index is a new one.
    await opensearch.indices.create({
      index: red,
      wait_for_active_shards: "0",
      body: { settings: { index: { "routing.allocation.enable": "none" } } },
    });
    const aliases = ["chunks-read", "chunks-write"].map(
      (alias) => `${options.opensearchIndexPrefix}${alias}`,
    );
    const additions = aliases.map((alias) => ({ add: { index: red, alias } }));
    await opensearch.indices.updateAliases({
      body: { actions: [...additions, { remove_index: { index: name("chunks-v1") } }] },
    });
    expect((await opensearch.cluster.health({ index: red })).body.status).to.equal("red");
    const ended = await begun(prose(62, 300)).finally(async () => {
      const [status, reason] = await readiness();
      expect(status).to.equal(503);
      expect(reason).to.match(/shards of the chunk index are missing/);
      await restarted(async (client) => expect((await readiness(client))[0]).to.equal(503));
      await set(red, { "routing.allocation.enable": null });
    });
    await ended();
    expect(await readiness()).to.deep.equal([200, "ok"]);
  });
});

describe("a closed chunk index", function () {
  this.timeout(120_000);
  const made = useCorpus();
  let index: string;
  let documentId: string;

  before(async () => {
    [documentId = ""] = await addTexts(made.corpus, [prose(65, 300)]);
    index = `${made.options.opensearchIndexPrefix}chunks-v1`;
    await made.corpus.opensearch.indices.close({ index });
  });

  it("is waited for by whatever reads or writes it, with a message that says how to open it", async () => {
    const { corpus } = made;
    const [waiting = ""] = await ingest(corpus, [prose(66, 300)]);
    const works: Record<string, () => Promise<unknown>> = {
      write: () => corpus.fingerprintDocuments([waiting]),
      search: () => corpus.chunkIndex.search([["abcdef"]], 5, 10_000),
      count: () => corpus.chunkIndex.countTerms({ shingles: ["abcdef"], words: ["abc"] }),
      read: () => corpus.chunkIndex.readNormalisedForms([{ documentId, chunkIndex: 0 }]),
      reconcile: () => corpus.reconcile(),
      rebuild: () => corpus.rebuildIndex({ dropOld: true, restart: false, say: () => undefined }),
    };
    await Promise.all(
      Object.entries(works).map(async ([name, work]) => {
        const outcome = await work().catch((error: unknown) => error);
        expect(isStoreUnavailable(outcome), `${name}: ${outcome}`).to.equal(true);
        expect(String(outcome), name).to.match(/is closed in OpenSearch\. Open it with POST \/\S+\/_open/);
      }),
    );
  });

  it("keeps its place and its chunks", async () => {
    await made.corpus.opensearch.indices.open({ index });
    await made.corpus.rebuildIndex({ dropOld: false, restart: false, say: () => undefined });
    expect(await roles(made.corpus)).to.deep.equal({ former: [1], current: [2] });
    expect(await agrees(made.corpus)).to.equal(true);
  });
});

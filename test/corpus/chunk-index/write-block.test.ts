import { expect } from "chai";
import { DocumentMetadata } from "../../../src/corpus/api/schema.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const DOCUMENTS = "/v1/corpus/documents";

/** What OpenSearch sets when a disk is over its flood stage, and the blocks that people set. */
const BLOCKS = ["read_only_allow_delete", "write", "read_only"] as const;

describe("decisions, Engine: corpus: uploads while the index takes no writes", () => {
  const engine = useEngine();

  async function block(name: string, isSet: true | null): Promise<void> {
    const index = `${engine.options.opensearchIndexPrefix}chunks-read`;
    await engine.opensearch.indices.putSettings({ index, body: { index: { [`blocks.${name}`]: isSet } } });
  }

  for (const [seed, name] of BLOCKS.entries()) {
    it(`are taken and wait (${name}); checks go on; they are matchable once it takes them again`, async () => {
      const { client } = engine;
      const text = prose(800 + seed, 200);
      const before = await retries();
      await block(name, true);
      const answer = await client.upload(DOCUMENTS, { name: "waits.txt", content: text });
      expect(answer.status).to.equal(201);
      const { document_id } = DocumentMetadata.parse(await answer.json());
      while ((await retries()) === before) await client.checked("A text that is not there.");
      const waiting = DocumentMetadata.parse(
        await (await client.request(`${DOCUMENTS}/${document_id}`)).json(),
      );
      expect(waiting.fingerprint_status).to.equal("pending");
      expect(await client.checked(text)).to.deep.include({ coverage: "full", sources: [] });
      for (const path of ["/health", "/ready", `${DOCUMENTS}?limit=1`])
        expect((await client.request(path)).status).to.equal(200);
      await block(name, null);
      await client.fingerprinted(document_id);
      expect((await client.checked(text)).overall_similarity_pct).to.equal(100);
    }).timeout(60_000);
  }

  /** Bulk writes that were refused and sent again. */
  async function retries(): Promise<number> {
    const metrics = await (await engine.client.request("/metrics")).text();
    return Number(/^similarity_bulk_retries_total\{reason="item_rejected"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  }
});

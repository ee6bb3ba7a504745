import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { DocumentMetadata } from "../../../src/corpus/api/schema.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const DOCUMENTS = "/v1/corpus/documents";

/** The block that OpenSearch sets when a disk is over its flood stage, and those that people set. */
const BLOCKS = ["read_only_allow_delete", "write", "read_only"] as const;

describe("decisions, Engine: corpus: uploads while the index accepts no writes", () => {
  const engine = useEngine();

  async function block(name: string, isSet: true | null): Promise<void> {
    const index = `${engine.options.opensearchIndexPrefix}chunks-read`;
    await engine.opensearch.indices.putSettings({ index, body: { index: { [`blocks.${name}`]: isSet } } });
  }

  for (const [seed, name] of BLOCKS.entries()) {
    it(`are accepted and wait (${name}), as do checks after them; both continue once it accepts writes again`, async () => {
      const { client } = engine;
      const text = prose(800 + seed, 200);
      const before = await retries();
      await block(name, true);
      const answer = await client.upload(DOCUMENTS, { name: "waits.txt", content: text });
      expect(answer.status).to.equal(201);
      const { document_id } = DocumentMetadata.parse(await answer.json());
      while ((await retries()) === before) await sleep(200);
      const waiting = DocumentMetadata.parse(
        await (await client.request(`${DOCUMENTS}/${document_id}`)).json(),
      );
      expect(waiting.fingerprint_status).to.equal("pending");
      for (const path of ["/health", "/ready", `${DOCUMENTS}?limit=1`])
        expect((await client.request(path)).status).to.equal(200);
      const checkId = await client.submit(text);
      await block(name, null);
      await client.fingerprinted(document_id);
      await client.ended(checkId);
      expect((await client.report(checkId)).overall_similarity_pct).to.equal(100);
    }).timeout(120_000);
  }

  /** Bulk writes that were refused and repeated. */
  async function retries(): Promise<number> {
    const metrics = await (await engine.client.request("/metrics")).text();
    return Number(/^similarity_bulk_retries_total\{reason="item_rejected"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  }
});

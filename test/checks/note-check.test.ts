import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { prose } from "../support/prose.ts";
import { useEngine } from "../support/use-engine.ts";

describe("what dashboards see of a check", () => {
  const engine = useEngine();

  it("is noted when it has ended: its figures, and nothing of its text or title", async () => {
    const text = prose(1, 200);
    await engine.client.addDocument("source.txt", text);
    const checkId = await engine.client.submit(`${prose(2, 100)} ${text}`);
    const check = await engine.client.ended(checkId);
    const noted = await notedCheck(checkId);
    expect(noted).to.deep.include({
      check_id: checkId,
      status: "complete",
      coverage: "full",
      language: "en",
      word_count: check.word_count,
      char_count: check.char_count,
      chunk_count: check.chunks_total,
      similarity_pct: check.overall_similarity_pct,
      sources: 1,
    });
    expect(JSON.stringify(noted)).to.not.include(text.slice(0, 20));
  });

  async function notedCheck(checkId: string): Promise<Readonly<Record<string, unknown>>> {
    const index = `${engine.options.opensearchIndexPrefix}check-metrics`;
    for (;;) {
      await engine.opensearch.indices.refresh({ index });
      const { body } = await engine.opensearch.search({ index, q: `check_id:"${checkId}"` });
      const [hit] = body.hits.hits;
      if (hit?._source !== undefined) return hit._source;
      await sleep(50);
    }
  }
});

import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@opensearch-project/opensearch";
import { ChunkIndex } from "../../../src/corpus/index/chunk-index.ts";
import { connectOpenSearch } from "../../../src/platform/opensearch/opensearch.ts";

/** OpenSearch's own advice is 5 to 15 MB. */
const BULK_BYTES = 8 * 1024 * 1024;

/** Concurrent requests. On two cores, more are not faster. */
const BULKS_AT_ONCE = 2;

export type BareBulk = { readonly chunks: number; readonly seconds: number };

/**
 * The floor of an ingest: the very chunks that stand in the index of `from`, written only by `_bulk` into an
 * empty index with the same settings, and refreshed. The requests are ready before the clock starts.
 * @param chunksMax only so many, in the index's order.
 */
export async function bareBulk(
  node: string,
  opensearch: Client,
  from: { readonly index: string; readonly prefix: string; readonly chunksMax: number },
): Promise<BareBulk> {
  const prefix = `${from.prefix}bare-`;
  const client = connectOpenSearch([node]);
  try {
    const target = new ChunkIndex(client, prefix, () => undefined);
    await target.putTemplates();
    await target.createFirst();
    const { bodies, chunks } = await readBulks(opensearch, from.index, from.chunksMax);
    // A merge of the index that was read would take cores from the one that is written.
    await sleep(2_000);
    const started = performance.now();
    const sending = Array.from({ length: BULKS_AT_ONCE }, async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        await send(`${node}/${target.names.writeAlias}/_bulk`, body);
      }
    });
    await Promise.all(sending);
    await opensearch.indices.refresh({ index: target.names.writeAlias });
    return { chunks, seconds: (performance.now() - started) / 1000 };
  } finally {
    await opensearch.indices.delete({ index: `${prefix}*`, ignore_unavailable: true });
    await client.close();
  }
}

async function send(url: string, body: Buffer<ArrayBuffer>): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body,
  });
  const text = await answer.text();
  if (!answer.ok || !text.startsWith('{"took"') || text.includes('"errors":true'))
    throw new Error(`_bulk: ${answer.status} ${text.slice(0, 500)}`);
}

async function readBulks(client: Client, index: string, chunksMax: number) {
  // Outside of the heap, which a million chunks would fill.
  const bodies: Buffer<ArrayBuffer>[] = [];
  let body = "";
  let chunks = 0;
  for await (const page of client.helpers.scrollSearch({
    index,
    body: { size: 1_000, query: { match_all: {} } },
  })) {
    for (const { _id, _routing, _source } of page.body.hits.hits) {
      if (chunks >= chunksMax) break;
      body += `${JSON.stringify({ index: { _id, routing: _routing } })}\n${JSON.stringify(_source)}\n`;
      chunks += 1;
      if (body.length >= BULK_BYTES) {
        bodies.push(Buffer.from(body));
        body = "";
      }
    }
    if (chunks >= chunksMax) {
      await page.clear();
      break;
    }
  }
  if (body !== "") bodies.push(Buffer.from(body));
  return { bodies, chunks };
}

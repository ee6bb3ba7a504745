import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ServiceProcess } from "../../test/support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../../test/support/stores.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The program whose answers are compared. */
const MAIN = join(ROOT, "scripts", "start.ts");

/** It keeps the encoder and the articles of the sample corpus for the next run. */
const DATA_DIR = join(ROOT, ".data");
export const SAMPLE_CACHE = join(DATA_DIR, "sample-corpus", "sample-corpus.jsonl.gz");

export type Answer = { readonly status: number; readonly type: string; readonly body: string };

export type Stores = {
  readonly DATABASE_URL: string;
  readonly OPENSEARCH_URL: string;
  readonly OPENSEARCH_INDEX_PREFIX: string;
};

export async function freshStores(): Promise<Stores> {
  const { opensearchNodes } = await testStores();
  return {
    DATABASE_URL: await freshDatabase("golden"),
    OPENSEARCH_URL: opensearchNodes[0] ?? "",
    OPENSEARCH_INDEX_PREFIX: freshPrefix(),
  };
}

export function startService(stores: Stores, settings: Readonly<Record<string, string>>) {
  const environment = {
    ...stores,
    DATA_DIR,
    LOG_LEVEL: "warn",
    // On a busy machine, no check must end early with a partial report.
    CHECK_TIME_BUDGET_SECONDS: "900",
    ...settings,
  };
  return ServiceProcess.start(environment, { main: MAIN });
}

export async function readAnswer(response: Response): Promise<Answer> {
  const type = response.headers.get("Content-Type") ?? "";
  return { status: response.status, type, body: await response.text() };
}

/** Uploads texts one after another, as equal scores are ordered by the age of the documents. @returns the uploaded documents. */
export async function upload({ client }: ServiceProcess, texts: readonly string[]): Promise<unknown[]> {
  const documents: unknown[] = [];
  for (const [at, content] of texts.entries()) {
    const title = `document-${at + 1}`;
    const response = await client.upload(
      "/v1/corpus/documents",
      { name: `${title}.txt`, content },
      { title },
    );
    if (response.status > 201) throw new Error(`${title}: ${response.status} ${await response.text()}`);
    documents.push(await response.json());
  }
  return documents;
}

const Coverage = z.object({ documents: z.int(), fingerprinted: z.int(), encoded: z.int() });
const POLL_MS = 500;

/** It takes minutes on a busy machine. After longer, the encoder is not available. */
const READY_WITHIN_MS = 1_800_000;

/** Waits until checks find all documents, also by meaning if it is compared, and until the index is settled. */
export async function corpusReady(
  { client }: ServiceProcess,
  stores: Stores,
  { byMeaning, signal }: { readonly byMeaning: boolean; readonly signal: AbortSignal },
): Promise<number> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const { documents, fingerprinted, encoded } = Coverage.parse(
      await (await client.request("/v1/corpus/coverage")).json(),
    );
    if (fingerprinted === documents && (!byMeaning || encoded === documents)) {
      await settleIndex(stores);
      return documents;
    }
    if (performance.now() > deadline)
      throw new Error(
        `Of ${documents} documents, only ${encoded} are encoded. Without the encoder, use --words-only.`,
      );
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Replaced copies of chunks count in the document frequencies, and thus in scores, until OpenSearch merges them away. */
async function settleIndex({ OPENSEARCH_URL, OPENSEARCH_INDEX_PREFIX }: Stores): Promise<void> {
  for (const step of ["_refresh", "_forcemerge?max_num_segments=1", "_refresh"]) {
    const url = `${OPENSEARCH_URL}/${OPENSEARCH_INDEX_PREFIX}chunks-v*/${step}`;
    const { status, body } = await readAnswer(await fetch(url, { method: "POST" }));
    if (status !== 200) throw new Error(`The chunk index could not be merged: ${status} ${body}`);
  }
}

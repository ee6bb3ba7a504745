import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Submitted } from "../../../src/checks/api/schema.ts";
import { DocumentMetadata } from "../../../src/corpus/api/schema.ts";
import type { EngineClient, WireReport } from "../../support/client.ts";
import { EventReader } from "../../support/event-reader.ts";
import { prose } from "../../support/work/prose.ts";

/** As many of each are under way when a fault comes. */
export const CHECKS = 20;
export const UPLOADS = 20;

/** Of the texts that are checked: from half a page to ten. */
const QUERY_WORDS = [300, 600, 1_200, 2_400, 4_800] as const;
const SOURCES = 6;
const SOURCE_WORDS = 2_000;
const UPLOAD_WORDS = 800;

/** Longer than the client waits between two attempts is what nobody would wait for. */
const RETRY_MS = 200;

/** What is in the corpus from the beginning. */
export const SOURCE_TEXTS: readonly string[] = Array.from({ length: SOURCES }, (_, at) =>
  prose(500 + at, SOURCE_WORDS),
);

/** Each copies from some of the sources, with words of its own between. */
export const QUERIES: readonly string[] = QUERY_WORDS.map((words, at) =>
  [0, 1, 2]
    .map((part) => {
      const source = SOURCE_TEXTS[(at + part) % SOURCES] ?? "";
      const own = prose(700 + 10 * at + part, Math.ceil(words / 6));
      return `${own} ${source.slice(700 * part, 700 * part + words)}`;
    })
    .join(" "),
);

type Answered = { readonly status: number; readonly retryAfter: number };

/** Checks and uploads of one try, sent as a client does that does not give up: again and again until they are accepted. */
export class Workload {
  /** Answers that did not accept a request. */
  readonly refusals: Answered[] = [];
  /** How often a progress stream ended before its check had. */
  reconnects = 0;
  readonly #client: EngineClient;
  readonly #seed: number;
  readonly #checkIds = new Map<string, string>();
  readonly #documentIds = new Map<string, string>();
  readonly #work: Promise<void>[] = [];
  #isGivenUp = false;

  /** @param seed of the texts that are uploaded; no two workloads of one corpus may have the same. */
  constructor(client: EngineClient, seed: number) {
    this.#client = client;
    this.#seed = seed;
  }

  get documentIds(): readonly string[] {
    return [...this.#documentIds.values()];
  }

  /** Sends all of it at once; each check is followed by its progress stream, each document until it is matchable. */
  begin(checks = CHECKS, uploads = UPLOADS): void {
    for (let at = 0; at < checks; at += 1) this.#work.push(this.#check(at));
    for (let at = 0; at < uploads; at += 1) this.#work.push(this.#upload(at));
    // `end` tells what failed; until then it must not count as a failure that nobody handles.
    for (const one of this.#work) one.catch(() => undefined);
  }

  /** Has what is not done end as failed: nothing is sent any more. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  /** Waits until all of it is done. */
  async end(): Promise<void> {
    await Promise.all(this.#work);
  }

  /** Every check has the report that it has undisturbed, and every document is found by its own words, whole. */
  async expectUnchanged(undisturbed: readonly unknown[]): Promise<void> {
    for (const [key, checkId] of this.#checkIds) {
      const report = await this.#client.report(checkId);
      expect(findings(report)).to.deep.equal(undisturbed[Number(key) % QUERIES.length]);
    }
    const { coverage, sources } = await this.#client.checked(
      [...this.#documentIds.keys()].map((at) => this.#uploadText(Number(at)).slice(0, 600)).join(" "),
    );
    expect(coverage).to.equal("full");
    expect(new Set(sources.map((source) => source.source_document_id))).to.deep.equal(
      new Set(this.documentIds),
    );
  }

  async #check(at: number): Promise<void> {
    const body = { query_text: QUERIES[at % QUERIES.length] };
    const key = { "Idempotency-Key": `${this.#seed}-${at}` };
    const answer = await this.#untilAccepted(() => this.#client.json("POST", "/v1/checks", body, key));
    const { check_id } = Submitted.parse(await answer.json());
    this.#checkIds.set(String(at), check_id);
    await this.#follow(check_id);
  }

  async #upload(at: number): Promise<void> {
    const file = { name: `${at}.txt`, content: this.#uploadText(at) };
    const answer = await this.#untilAccepted(() => this.#client.upload("/v1/corpus/documents", file));
    const { document_id } = DocumentMetadata.parse(await answer.json());
    this.#documentIds.set(String(at), document_id);
    await untilTrue(async () => {
      if (this.#isGivenUp) return true;
      const metadata = await (await this.#client.request(`/v1/corpus/documents/${document_id}`)).json();
      return DocumentMetadata.parse(metadata).fingerprint_status === "fingerprinted";
    });
  }

  #uploadText(at: number): string {
    return prose(this.#seed * 1_000 + at, UPLOAD_WORDS);
  }

  async #untilAccepted(send: () => Promise<Response>): Promise<Response> {
    for (;;) {
      const answer = await send().catch(() => undefined);
      if (answer !== undefined && answer.status < 300) return answer;
      if (answer !== undefined)
        this.refusals.push({ status: answer.status, retryAfter: Number(answer.headers.get("retry-after")) });
      await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    if (this.#isGivenUp) throw new Error("given up");
    await sleep(RETRY_MS);
  }

  /** Reads the stream to its end, again where it breaks off. The last event tells of a complete check, and only then. */
  async #follow(checkId: string): Promise<void> {
    for (;;) {
      const events = await this.#client
        .request(`/v1/checks/${checkId}/progress`)
        .then((response) => (response.status === 200 ? new EventReader(response).rest() : []))
        .catch(() => []);
      const last = events.at(-1);
      if (last?.event === "failed") throw new Error(`check ${checkId} failed: ${last.data}`);
      if (last?.event === "complete") return;
      this.reconnects += 1;
      await this.#pause();
    }
  }
}

/** Asks until the answer is yes; one that can't be had is a no. */
export async function untilTrue(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask().catch(() => false))) await sleep(RETRY_MS);
}

/** A report without what differs between two checks of one text while documents come. */
export function findings({
  check_id,
  created_at,
  completed_at,
  duration_seconds,
  corpus_sources,
  semantic_documents,
  semantic_coverage,
  semantic_coverage_reason,
  ...rest
}: WireReport): unknown {
  return rest;
}

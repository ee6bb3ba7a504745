import { setTimeout as sleep } from "node:timers/promises";
import type { EngineClient } from "../../test/support/client.ts";
import { EventReader } from "../../test/support/event-reader.ts";
import { prose } from "../../test/support/work/prose.ts";
import { QUERIES, SOURCE_TEXTS } from "../../test/system/faults/workload.ts";

/** Between two rounds of one worker: some ten requests a second altogether, which leaves two cores time to do them. */
const PAUSE_MS = 500;
const UPLOAD_WORDS = 600;

/** How often each kind of work was done, and the errors. */
export type WorkDone = {
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
};

/** Puts the sources into the corpus that the checks of `MixedWork` copy from. */
export async function addSources(client: EngineClient): Promise<void> {
  for (const [at, text] of SOURCE_TEXTS.entries()) await client.addDocument(`source-${at}.txt`, text);
}

/** A steady mix of all client operations. Each round deletes everything that it makes. */
export class MixedWork {
  readonly #client: EngineClient;
  readonly #counts = new Map<string, number>();
  readonly #faults: string[] = [];
  readonly #workers: Promise<void>[];
  #isEnding = false;

  constructor(client: EngineClient) {
    this.#client = client;
    this.#workers = [
      this.#repeat("checks", (round) => this.#check(round)),
      this.#repeat("checks", (round) => this.#check(round + 2)),
      this.#repeat("uploads", (round) => this.#upload(round)),
      this.#repeat("streams left early", (round) => this.#leave(round)),
      this.#repeat("reads", () => this.#read()),
    ];
  }

  /** Ends after the rounds that are under way. */
  async end(): Promise<WorkDone> {
    this.#isEnding = true;
    await Promise.all(this.#workers);
    return { counts: Object.fromEntries(this.#counts), faults: this.#faults };
  }

  async #repeat(kind: string, work: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !this.#isEnding; round += 1) {
      try {
        await work(round);
        this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
      } catch (error) {
        this.#faults.push(`${kind}: ${error}`);
      }
      await sleep(PAUSE_MS);
    }
  }

  async #check(round: number): Promise<void> {
    const checkId = await this.#client.submit(QUERIES[round % QUERIES.length] ?? "");
    const { status, coverage } = await this.#client.ended(checkId);
    const { sources } = await this.#client.report(checkId);
    if (status !== "complete" || coverage !== "full" || sources.length !== 3)
      throw new Error(`${status}, coverage ${coverage}, ${sources.length} sources`);
    await this.#delete(`/v1/checks/${checkId}`);
  }

  async #upload(round: number): Promise<void> {
    const text = prose(10_000 + round, UPLOAD_WORDS);
    const { document_id } = await this.#client.addDocument("new.txt", text);
    await this.#delete(`/v1/corpus/documents/${document_id}`);
  }

  /** A browser that is closed while a check runs, whose check is then deleted. */
  async #leave(round: number): Promise<void> {
    const checkId = await this.#client.submit(QUERIES[round % QUERIES.length] ?? "");
    const stream = new EventReader(await this.#client.request(`/v1/checks/${checkId}/progress`));
    await stream.next();
    await stream.cancel();
    await this.#delete(`/v1/checks/${checkId}`);
  }

  async #read(): Promise<void> {
    for (const path of ["/v1/checks", "/v1/checks/stats", "/v1/corpus/documents", "/health", "/ready"]) {
      const answer = await this.#client.request(path);
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    }
  }

  async #delete(path: string): Promise<void> {
    const { status } = await this.#client.request(path, { method: "DELETE" });
    if (status !== 204) throw new Error(`DELETE: ${status}`);
  }
}

import { DomainError } from "../platform/domain-error.ts";
import { RepeatedWork } from "../platform/flow/repeated-work.ts";
import type { Logger } from "../platform/logger.ts";

/** Clients that poll ask again after two seconds. Requests wake the work at once. */
const LOOK_INTERVAL_MS = 1_000;

const RETENTION_INTERVAL_MS = 3_600_000;

type Work = (signal: AbortSignal) => Promise<void>;

type WorkerParts = {
  readonly log: Logger;
  readonly importSpool: Work;
  readonly makeReports: Work;
  readonly deliverEvents: Work;
  readonly deleteOld: Work;
};

/**
 * The background work of the listener: each part runs by itself, so that slow receivers hold up no report. The state is in tables
 * and in the spool; several processes may work on the same tables.
 */
export class CoreApiWorker {
  readonly #works: readonly RepeatedWork[];
  readonly #retention: RepeatedWork;

  constructor({ log, importSpool, makeReports, deliverEvents, deleteOld }: WorkerParts) {
    const repeated = (name: string, work: Work) =>
      new RepeatedWork(work, (error) => {
        const isDown = error instanceof DomainError && error.code === "store_unavailable";
        log[isDown ? "debug" : "error"]({ err: error, work: name }, "work of the core api failed");
      });
    this.#works = [
      repeated("import", importSpool),
      repeated("reports", makeReports),
      repeated("events", deliverEvents),
    ];
    this.#retention = repeated("retention", deleteOld);
  }

  start(): void {
    for (const work of this.#works) work.wakeEvery(LOOK_INTERVAL_MS);
    this.#retention.wakeEvery(RETENTION_INTERVAL_MS);
    this.wake();
    this.#retention.wake();
  }

  wake(): void {
    for (const work of this.#works) work.wake();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#works, this.#retention].map((work) => work.close()));
  }
}

import { randomUUID } from "node:crypto";
import type { CheckStage } from "../../src/checks/check.ts";
import { type RunKey, RunStore } from "../../src/checks/run-store.ts";
import type { Database } from "../../src/platform/postgres/database.ts";
import type { Coverage } from "../../src/report/figures/report.ts";

/**
 * Drives a check of a service without workers through its stages by hand, as a worker of another replica would, so that
 * a test can look at it in any state.
 */
export class DrivenCheck {
  readonly #database: Database;
  readonly #run: RunKey;
  readonly #runs = new RunStore();

  private constructor(database: Database, run: RunKey) {
    this.#database = database;
    this.#run = run;
  }

  /** Takes the check up: it is `running`, before its first stage. */
  static async start(database: Database, checkId: string): Promise<DrivenCheck> {
    const run = { checkId, runId: randomUUID() };
    const started = await new RunStore().start(database, checkId, run.runId);
    if (started === undefined) throw new Error(`check ${checkId} has ended or is gone`);
    return new DrivenCheck(database, run);
  }

  /** False when this run no longer owns the check. */
  reach(stage: CheckStage, chunksDone = 0, chunksTotal = 0): Promise<boolean> {
    const progress = { stage, chunksDone, chunksTotal, retrievingMs: 0, documentsPending: 0, uncompared: [] };
    return this.#runs.advance(this.#database, this.#run, progress);
  }

  complete(matchedChars: number, coverage: Coverage = "full"): Promise<boolean> {
    return this.#runs.complete(this.#database, this.#run, matchedChars, coverage);
  }

  fail(message: string): Promise<boolean> {
    return this.#runs.fail(this.#database, this.#run, message);
  }
}

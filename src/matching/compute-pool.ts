import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type * as tasks from "./tasks.ts";

type Tasks = typeof tasks;
type TaskName = { [K in keyof Tasks]: Tasks[K] extends (input: never) => unknown ? K : never }[keyof Tasks];
type Input<K extends TaskName> = Parameters<Tasks[K]>[0];
type Output<K extends TaskName> = ReturnType<Tasks[K]>;

/**
 * Enough for a text of 20 million characters with its normalised forms, which takes 300 MB; a longer one is never taken.
 * Larger heaps are filled before they are cleaned: with 1 GB each, two threads held 900 MB after a row of long checks.
 */
const WORKER_HEAP_MB = 512;

/** Of that for what has just been made: V8 takes up to three times this. The service's flag `--max-semi-space-size` overrides it. */
const WORKER_YOUNG_MB = 8;

/** The threads' own file: TypeScript when run from the sources, JavaScript in the built package. */
const TASKS_FILE = new URL(`./tasks${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url).href;

/** Runs the pure, heavy functions of the core in threads, so that the HTTP loop never waits for them. */
export class ComputePool {
  readonly #piscina: Piscina;

  constructor(threads = availableParallelism()) {
    this.#piscina = new Piscina({
      filename: TASKS_FILE,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB, maxYoungGenerationSizeMb: WORKER_YOUNG_MB },
    });
  }

  /** @throws what the task throws; an AbortError; an error when its thread runs out of memory, which ends that thread only. */
  async run<K extends TaskName>(name: K, input: Input<K>, signal?: AbortSignal): Promise<Output<K>> {
    return this.#piscina.run(input, signal === undefined ? { name } : { name, signal });
  }

  /** Tasks that wait for a thread. */
  get waiting(): number {
    return this.#piscina.queueSize;
  }

  async close(): Promise<void> {
    await this.#piscina.destroy();
  }
}

import { availableParallelism } from "node:os";
import { Piscina } from "piscina";

type Task = (input: never) => unknown;
type TaskName<Tasks> = { [K in keyof Tasks]: Tasks[K] extends Task ? K : never }[keyof Tasks] & string;
type Input<T> = T extends (input: infer I) => unknown ? I : never;
type Output<T> = T extends (input: never) => infer O ? O : never;

/** Runs pure, heavy functions in threads. A part of the program that needs some of the `Tasks` accepts a pool of more. */
export interface Compute<out Tasks> {
  /** @param name an export of the file of tasks. @throws the error of the task; an AbortError; an error when its thread runs out of memory, which ends that thread only. */
  run<K extends TaskName<Tasks>>(
    name: K,
    input: Input<Tasks[K]>,
    signal?: AbortSignal,
  ): Promise<Output<Tasks[K]>>;
}

/**
 * Enough for a text of 20 million characters with its normalised forms, which takes 300 MB; a longer one is never taken.
 * Larger heaps are filled before they are cleaned: with 1 GB each, two threads held 900 MB after a row of long checks.
 */
const WORKER_HEAP_MB = 512;

/** The part of the heap for new objects; V8 takes up to three times this. The service's flag `--max-semi-space-size` overrides it. */
const WORKER_YOUNG_MB = 8;

/** Threads, so that the HTTP loop never waits for a heavy function. */
export class ComputePool<out Tasks> implements Compute<Tasks> {
  readonly #piscina: Piscina;

  /** @param tasksFile the file that exports the `Tasks` */
  constructor(tasksFile: URL, threads = availableParallelism()) {
    this.#piscina = new Piscina({
      filename: tasksFile.href,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB, maxYoungGenerationSizeMb: WORKER_YOUNG_MB },
    });
  }

  async run<K extends TaskName<Tasks>>(
    name: K,
    input: Input<Tasks[K]>,
    signal?: AbortSignal,
  ): Promise<Output<Tasks[K]>> {
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

/** A file, directory or record that is not in the corpus. */
export type IngestFailure = {
  /** Relative to the folder, where `.` is the folder itself; of a record, its identifier. */
  readonly path: string;
  readonly reason: string;
};

export type IngestProgress = {
  readonly done: number;
  readonly total: number;
  readonly totalIsFinal: boolean;
  readonly failed: number;
};

/** `removed`: documents whose file or record is gone. `failed`: files, directories and records not read, and documents not stored. */
type Counts = Record<"added" | "replaced" | "unchanged" | "removed" | "failed" | "chunks", number>;

export type IngestResult = Readonly<Counts> & {
  /** From the start until everything was matchable. */
  readonly seconds: number;
  /** The first `FAILURES_KEPT` failures. */
  readonly failures: readonly IngestFailure[];
};

/** Failures kept with their reason: enough even where everything fails. */
export const FAILURES_KEPT = 1_000;

/** Counts the results of an ingest, and reports its progress. */
export class IngestTally {
  readonly #started = performance.now();
  readonly #counts: Counts = { added: 0, replaced: 0, unchanged: 0, removed: 0, failed: 0, chunks: 0 };
  readonly #failures: IngestFailure[] = [];
  readonly #onProgress: ((progress: IngestProgress) => void) | undefined;
  #total = 0;
  #totalIsFinal = false;

  constructor(onProgress?: (progress: IngestProgress) => void) {
    this.#onProgress = onProgress;
  }

  count(what: Exclude<keyof Counts, "failed">, more = 1): void {
    this.#counts[what] += more;
    this.#tell();
  }

  fail(path: string, reason: string): void {
    this.#counts.failed++;
    if (this.#failures.length < FAILURES_KEPT) this.#failures.push({ path, reason });
    this.#tell();
  }

  expect(total: number, isFinal: boolean): void {
    this.#total = total;
    this.#totalIsFinal = isFinal;
    this.#tell();
  }

  result(): IngestResult {
    const seconds = Math.round(performance.now() - this.#started) / 1000;
    return { ...this.#counts, seconds, failures: [...this.#failures] };
  }

  #tell(): void {
    const { added, replaced, unchanged, failed } = this.#counts;
    const done = added + replaced + unchanged + failed;
    this.#onProgress?.({ done, total: this.#total, totalIsFinal: this.#totalIsFinal, failed });
  }
}

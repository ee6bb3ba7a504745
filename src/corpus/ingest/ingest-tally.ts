import type { TextLanguage } from "../../platform/detect-language.ts";

/** A file, directory or record that is not in the corpus. */
type IngestFailure = {
  /** Relative to the folder, where `.` is the folder itself; of a record, its identifier. */
  readonly path: string;
  readonly reason: string;
};

export type IngestProgress = {
  readonly done: number;
  readonly total: number;
  readonly totalIsFinal: boolean;
  readonly failed: number;
  /** Documents that are being written. */
  readonly begun: number;
};

/** `removed`: documents whose file or record is gone. `failed`: files, directories and records not read, and documents not stored. */
type Counts = Record<"added" | "replaced" | "unchanged" | "removed" | "failed" | "chunks", number>;

export type IngestResult = Readonly<Counts> & {
  /** From the start until everything was matchable. */
  readonly seconds: number;
  /** The languages of the added and replaced documents and where they come from, most frequent first. */
  readonly languages: readonly LanguageCount[];
  /** The first `FAILURES_KEPT` failures. */
  readonly failures: readonly IngestFailure[];
};

export type LanguageCount = TextLanguage & { readonly count: number };

/** Failures kept with their reason: enough even where everything fails. */
const FAILURES_KEPT = 1_000;

/** Counts the results of an ingest, and reports its progress. */
export class IngestTally {
  readonly #started = performance.now();
  readonly #counts: Counts = { added: 0, replaced: 0, unchanged: 0, removed: 0, failed: 0, chunks: 0 };
  readonly #failures: IngestFailure[] = [];
  readonly #onProgress: ((progress: IngestProgress) => void) | undefined;
  readonly #languages = new Map<string, LanguageCount>();
  #begun = 0;
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

  countLanguage({ language, languageOrigin }: TextLanguage): void {
    const key = `${language} ${languageOrigin}`;
    const count = (this.#languages.get(key)?.count ?? 0) + 1;
    this.#languages.set(key, { language, languageOrigin, count });
  }

  /** Runs `work` on so many documents, which count as begun meanwhile. */
  async whileBegun<T>(documents: number, work: () => Promise<T>): Promise<T> {
    this.#begun += documents;
    this.#tell();
    try {
      return await work();
    } finally {
      this.#begun -= documents;
      this.#tell();
    }
  }

  expect(total: number, isFinal: boolean): void {
    this.#total = total;
    this.#totalIsFinal = isFinal;
    this.#tell();
  }

  result(): IngestResult {
    const seconds = Math.round(performance.now() - this.#started) / 1000;
    const languages = [...this.#languages.values()].toSorted((a, b) => b.count - a.count);
    return { ...this.#counts, seconds, languages, failures: [...this.#failures] };
  }

  #tell(): void {
    const { added, replaced, unchanged, failed } = this.#counts;
    const done = added + replaced + unchanged + failed;
    const [total, totalIsFinal, begun] = [this.#total, this.#totalIsFinal, this.#begun];
    this.#onProgress?.({ done, total, totalIsFinal, failed, begun });
  }
}

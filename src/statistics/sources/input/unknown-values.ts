import { type FilePlace, refusedFile, shown } from "./refused-file.ts";

/** The share of rows from which the columns of a file must have moved. */
const SHARE_MAX = 0.1;

/** Values that a note lists. */
const SHOWN_MAX = 10;

/** Collects the unknown values of one column: the rows of a few are left out and noted, and do not stop the whole file. */
export class UnknownValues {
  #rows = 0;
  #unknown = 0;
  readonly #found: { readonly place: FilePlace; readonly value: string; readonly reason: string }[] = [];

  /** To be called for every row. */
  countRow(): void {
    this.#rows += 1;
  }

  /** @param reason says what the value must be, should the file be refused. */
  add(place: FilePlace, value: string, reason: string): void {
    this.#unknown += 1;
    if (this.#found.length < SHOWN_MAX) this.#found.push({ place, value, reason });
  }

  /** To be called after the last row. @throws DomainError `unreadable_file` about the first, when they are too many. */
  check(): void {
    const [first] = this.#found;
    if (first !== undefined && this.#unknown > this.#rows * SHARE_MAX)
      throw refusedFile(first.place, first.reason);
  }

  /** At most one sentence, for the person who loads the file. */
  notes(): readonly string[] {
    const [first] = this.#found;
    if (first === undefined) return [];
    const values = new Set(this.#found.map(({ value }) => shown(value)));
    return [`left out: ${this.#unknown} with an unknown ${first.place.column}: ${[...values].join(", ")}`];
  }
}

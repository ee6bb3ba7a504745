import pg from "pg";

/** The languages of documents whose files have not changed: what a document says of itself is written once. */
export class KeptLanguages {
  readonly #counts = new Map<string, number>();

  note(language: string): void {
    this.#counts.set(language, (this.#counts.get(language) ?? 0) + 1);
  }

  /** What a person should know when other languages than the one asked for were kept; undefined when none was. */
  told(asked: string, collection: string): string | undefined {
    const others = [...this.#counts].filter(([language]) => language !== asked).toSorted(byCount);
    const total = others.reduce((sum, [, count]) => sum + count, 0);
    if (total === 0) return undefined;
    const documents = total === 1 ? "1 unchanged document keeps" : `${total} unchanged documents keep`;
    const languages = others.map(([language, count]) => `${count} ${language}`).join(", ");
    return [
      `${documents} the language they were stored with (${languages}); new and changed files are taken as ${asked}.`,
      "To change it, delete the documents and ingest the folder again:",
      `delete from similarity.documents where collection = ${pg.escapeLiteral(collection)} and language <> '${asked}';`,
    ].join(" ");
  }
}

function byCount([, a]: readonly [string, number], [, b]: readonly [string, number]): number {
  return b - a;
}

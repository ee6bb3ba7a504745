import type { Queryable } from "../../platform/postgres/database.ts";
import {
  type Document,
  fingerprintQueueOf,
  type NewDocument,
  type SourceDocument,
} from "../documents/document.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";

/** `document` is now in the corpus. `replaced`: a document with other bytes had this path of the collection and was deleted. */
export type Ingested = {
  readonly document: Document;
  readonly outcome: "added" | "replaced" | "unchanged";
};

/** Adds documents in one transaction. Uploaded ones are fingerprinted afterwards, platform ones by `fingerprintDocuments`. */
export type IngestDocuments = (documents: readonly SourceDocument[]) => Promise<readonly Ingested[]>;

/** If two ingests of the same bytes or path run simultaneously, one adds the document and the other finds it. */
export function createIngestDocuments(stores: CorpusStores): IngestDocuments {
  const { database, documents, texts, compute, queue } = stores;

  return async (sources) => {
    // In a fixed order against deadlocks; a report that is being written has another one, then the transaction repeats.
    const order = [...sources.keys()].toSorted((a, b) => compare(keyOf(sources[a]), keyOf(sources[b])));
    const packed = await Promise.all(sources.map(pack));
    const inOrder = order.flatMap((at) => packed[at] ?? []);
    const ingested = await database.transaction((transaction) => ingestAll(transaction, inOrder));
    const places = new Map(order.map((at, place) => [at, place]));
    return sources.flatMap((_, at) => ingested[places.get(at) ?? 0] ?? []);
  };

  async function ingestAll(transaction: Queryable, packed: readonly NewDocument[]): Promise<Ingested[]> {
    const added = await addAll(transaction, packed);
    const done: Ingested[] = [];
    for (const [at, document] of packed.entries()) {
      const one = added[at];
      done.push(
        one === undefined ? await ingestKnown(transaction, document) : { document: one, outcome: "added" },
      );
    }
    return done;
  }

  async function addAll(transaction: Queryable, packed: readonly NewDocument[]) {
    const added = await documents.insertAll(transaction, packed);
    const stored = added.flatMap((document, at) =>
      document === undefined ? [] : { ...document, sections: packed[at]?.sections ?? [] },
    );
    await texts.insertAll(transaction, stored);
    for (const document of stored) {
      if (document.scope === "uploaded")
        await queue.enqueue(fingerprintQueueOf(document), document.documentId, transaction);
    }
    return added;
  }

  async function pack({ text, language, ...facts }: SourceDocument): Promise<NewDocument> {
    return { ...facts, ...(await compute.run("packDocument", { text, language })) };
  }

  async function ingestKnown(transaction: Queryable, document: NewDocument): Promise<Ingested> {
    const { origin, sha256 } = document;
    // Repeats only when the other document was deleted before the lookup, or must be replaced.
    for (let outcome: Ingested["outcome"] = "added"; ; ) {
      const known = await documents.findDuplicate(transaction, origin, sha256);
      if (known?.sha256 === sha256) return { document: known, outcome: "unchanged" };
      if (known !== undefined) {
        await documents.deletePlatform(transaction, [known.documentId]);
        outcome = "replaced";
      }
      const [added] = await addAll(transaction, [document]);
      if (added !== undefined) return { document: added, outcome };
    }
  }
}

function keyOf(source: SourceDocument | undefined): string {
  if (source === undefined) return "";
  const { origin } = source;
  return origin.scope === "uploaded" ? source.sha256 : `${origin.collection}\n${origin.path}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

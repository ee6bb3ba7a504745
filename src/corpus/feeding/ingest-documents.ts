import type { Database, Queryable } from "../../platform/postgres/database.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import type { ComputePool } from "../../platform/workers/compute-pool.ts";
import type { Document, NewDocument, SourceDocument } from "../document.ts";
import type { DocumentStore } from "../document-store.ts";
import type { TextStore } from "../text-store.ts";

export type IngestParts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly texts: TextStore;
  readonly compute: ComputePool;
  readonly queue: JobQueue;
};

/**
 * `document` is the one that the corpus has now. `unchanged`: it had it before. `replaced`: at this path of the
 * collection it had other bytes before; that document is gone, and its chunks go.
 */
export type Ingested = {
  readonly document: Document;
  readonly outcome: "added" | "replaced" | "unchanged";
};

/**
 * Puts documents into the corpus, in one transaction. Uploaded ones are then fingerprinted in the background; platform
 * documents stay pending until somebody calls `fingerprintDocuments`.
 * @throws DomainError `store_unavailable`; nothing of these documents is stored then.
 */
export type IngestDocuments = (documents: readonly SourceDocument[]) => Promise<readonly Ingested[]>;

/**
 * Makes the use case. Of two simultaneous ingests of the same bytes (uploads) or path (platform), one adds and the
 * other finds. An upload's row and its job come into being together, so no upload waits for ever.
 */
export function createIngestDocuments(parts: IngestParts): IngestDocuments {
  const { database, documents, texts, compute, queue } = parts;

  return async (sources) => {
    // In a fixed order, so that two ingests of the same documents wait for each other and not in a circle. One that replaces
    // sources of a report that is just written, whose rows are held in another order, may: the transaction is then done again.
    const order = [...sources.keys()].toSorted((a, b) => compare(keyOf(sources[a]), keyOf(sources[b])));
    const packed = await Promise.all(sources.map(pack));
    const ingested = await database.transaction(async (transaction) => {
      const done = new Map<number, Ingested>();
      for (const at of order) {
        const document = packed[at];
        if (document !== undefined) done.set(at, await ingest(transaction, document));
      }
      return done;
    });
    return [...ingested].toSorted(([a], [b]) => a - b).map(([, one]) => one);
  };

  async function pack({ text, ...facts }: SourceDocument): Promise<NewDocument> {
    return { ...facts, ...(await compute.run("packDocument", { text, language: facts.language })) };
  }

  async function ingest(transaction: Queryable, document: NewDocument): Promise<Ingested> {
    const { origin, sha256 } = document;
    // Twice is only needed when the document that is in the way is deleted before it is looked up, or is to be replaced.
    for (let outcome: Ingested["outcome"] = "added"; ; ) {
      const added = await documents.insert(transaction, document);
      if (added !== undefined) {
        await texts.insert(transaction, added.documentId, document.sections);
        if (origin.scope === "uploaded")
          await queue.enqueue("fingerprint-document", added.documentId, transaction);
        return { document: added, outcome };
      }
      const known = await documents.findTwin(transaction, origin, sha256);
      if (known === undefined) continue;
      if (known.sha256 === sha256) return { document: known, outcome: "unchanged" };
      await documents.deletePlatform(transaction, [known.documentId]);
      outcome = "replaced";
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

import type { Database } from "../platform/postgres/database.ts";

/** A collection of the corpus, or the uploads without one (`collection` null), in figures. */
export type CollectionFigures = {
  readonly collection: string | null;
  readonly documents: number;
  /** Those that were uploaded through the API. */
  readonly uploaded: number;
  readonly words: number;
  /** Of the texts in UTF-8. */
  readonly textBytes: number;
  /** How many documents are in each language. */
  readonly languages: Readonly<Record<string, number>>;
  readonly newestAt: Date;
  /** Those that are matchable by words, and by meaning. */
  readonly fingerprinted: number;
  readonly encoded: number;
};

/** The collections by their number of documents. Figures may be as old as `AGE_MAX_MS`. */
export type ReadCollections = () => Promise<readonly CollectionFigures[]>;

/** All rows are counted: 0.5 s for a million documents. Many readers at once, or a page that is loaded again, read them once. */
const AGE_MAX_MS = 30_000;

export function createReadCollections(database: Database, now: () => number = Date.now): ReadCollections {
  let latest:
    | { readonly readAt: number; readonly figures: Promise<readonly CollectionFigures[]> }
    | undefined;
  return () => {
    if (latest === undefined || now() - latest.readAt > AGE_MAX_MS) {
      const figures = database.query<CollectionFigures>(STATEMENT);
      const own = { readAt: now(), figures };
      latest = own;
      figures.catch(() => {
        if (latest === own) latest = undefined;
      });
    }
    return latest.figures;
  };
}

const STATEMENT = `
  with by_language as (
    select collection, language, count(*) as documents, count(tenant) as uploaded, sum(word_count) as words,
           sum(text_bytes) as text_bytes, max(created_at) as newest_at, count(document_chunks.document_id) as fingerprinted,
           count(encoded.document_id) as encoded
      from documents left join document_chunks using (document_id)
      left join (select document_id from semantic_documents join semantic_models using (generation) where is_current) as encoded
        using (document_id)
     group by collection, language)
  select collection, sum(documents)::bigint as documents, sum(uploaded)::bigint as uploaded, sum(words)::bigint as words,
         sum(text_bytes)::bigint as "textBytes", json_object_agg(language, documents) as languages, max(newest_at) as "newestAt",
         sum(fingerprinted)::bigint as fingerprinted, sum(encoded)::bigint as encoded
    from by_language group by collection order by sum(documents) desc, collection nulls last`;

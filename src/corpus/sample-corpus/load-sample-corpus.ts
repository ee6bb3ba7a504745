import { createHash } from "node:crypto";
import type { Database } from "../../platform/postgres/database.ts";
import type { SourceDocument } from "../document.ts";
import type { DocumentStore } from "../document-store.ts";
import type { FingerprintDocuments } from "../ingest/fingerprint-documents.ts";
import type { IngestDocuments } from "../ingest/ingest-documents.ts";
import type { SampleArticle } from "./sample-article.ts";

const COLLECTION = "sample-corpus";
const MILESTONE = "sample_corpus_loaded";
const LANGUAGE = "en";

/** Documents that are stored and fingerprinted together: one bulk write and one refresh, about 1 MB of text. */
const BATCH = 100;

type Parts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly ingestDocuments: IngestDocuments;
  readonly fingerprintDocuments: FingerprintDocuments;
};

export type SampleCorpusLoader = {
  /** True when it was loaded once: an operator who has deleted it since doesn't get it back. */
  isLoaded(): Promise<boolean>;
  /** Loads the articles; a load that was cut off goes on where it stopped. */
  load(articles: readonly SampleArticle[], say: (line: string) => void, signal?: AbortSignal): Promise<void>;
};

/** Makes the loader of the sample corpus: platform documents, like those of any bulk load. */
export function createSampleCorpusLoader(parts: Parts): SampleCorpusLoader {
  const { database, documents, ingestDocuments, fingerprintDocuments } = parts;
  return {
    async isLoaded() {
      const rows = await database.query("select name from milestones where name = $1", [MILESTONE]);
      return rows.length > 0;
    },

    async load(articles, say, signal) {
      for (let from = 0; from < articles.length; from += BATCH) {
        signal?.throwIfAborted();
        await ingestDocuments(articles.slice(from, from + BATCH).map(toDocument));
        const pending = await documents.listPendingPlatform(database, COLLECTION, BATCH);
        await fingerprintDocuments(pending);
        say(
          `Sample corpus: ${Math.min(from + BATCH, articles.length)} of ${articles.length} articles are matchable`,
        );
      }
      await database.query("analyze documents, document_chunks, text_sections");
      await database.query("insert into milestones (name, detail) values ($1, $2) on conflict do nothing", [
        MILESTONE,
        `${articles.length} articles`,
      ]);
    },
  };
}

function toDocument(article: SampleArticle): SourceDocument {
  const bytes = Buffer.from(article.text);
  return {
    origin: { scope: "platform", collection: COLLECTION, path: article.filename },
    filename: article.filename,
    title: article.title,
    mediaType: "text/plain",
    language: LANGUAGE,
    sourceUrl: article.sourceUrl,
    sizeBytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    text: article.text,
  };
}

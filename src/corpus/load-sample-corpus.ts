import { createHash } from "node:crypto";
import type { Database } from "../platform/postgres/database.ts";
import type { ComputePool } from "../platform/workers/compute-pool.ts";
import type { NewDocument } from "./document.ts";
import type { DocumentStore } from "./document-store.ts";
import type { FingerprintDocuments } from "./fingerprint-document.ts";
import type { SampleArticle } from "./sample-corpus/sample-article.ts";

const COLLECTION = "sample-corpus";
const MILESTONE = "sample_corpus_loaded";
const LANGUAGE = "en";

/** Documents that are fingerprinted together: one bulk write and one refresh, about 1 MB of text. */
const BATCH = 100;

type Parts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly compute: ComputePool;
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
  const { database, documents, compute, fingerprintDocuments } = parts;
  return {
    async isLoaded() {
      const rows = await database.query("select name from milestones where name = $1", [MILESTONE]);
      return rows.length > 0;
    },

    async load(articles, say, signal) {
      for (const article of articles) {
        signal?.throwIfAborted();
        await documents.insert(database, await toDocument(article));
      }
      const pending = await documents.listPendingPlatform(database, COLLECTION);
      for (let from = 0; from < pending.length; from += BATCH) {
        signal?.throwIfAborted();
        await fingerprintDocuments(pending.slice(from, from + BATCH));
        say(
          `Sample corpus: ${Math.min(from + BATCH, pending.length)} of ${pending.length} articles are matchable`,
        );
      }
      await database.query("analyze documents");
      await database.query("insert into milestones (name, detail) values ($1, $2) on conflict do nothing", [
        MILESTONE,
        `${articles.length} articles`,
      ]);
    },
  };

  async function toDocument(article: SampleArticle): Promise<NewDocument> {
    const bytes = Buffer.from(article.text);
    const measure = await compute.run("measureText", { text: article.text, language: LANGUAGE });
    return {
      origin: { scope: "platform", collection: COLLECTION, path: article.filename },
      filename: article.filename,
      title: article.title,
      mediaType: "text/plain",
      language: LANGUAGE,
      sourceUrl: article.sourceUrl,
      sizeBytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      ...measure,
      extractedText: article.text,
    };
  }
}

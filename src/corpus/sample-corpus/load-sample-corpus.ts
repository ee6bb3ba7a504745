import type { SourceDocument } from "../documents/document.ts";
import { toSource } from "../ingest/pipeline.ts";
import type { WritableCorpus } from "../ingest/source-writer.ts";
import type { SampleArticle } from "./select-articles.ts";

const COLLECTION = "sample-corpus";
const MILESTONE = "sample_corpus_loaded";
const LANGUAGE = "en";

/** Documents stored and fingerprinted together: one bulk write and one refresh, about 1 MB of text. */
const BATCH = 100;

/**
 * Must be shown wherever the texts of the sample are. Wikipedia's text of 2006 is under the GFDL 1.2 and, since 2009, CC
 * BY-SA 3.0: both require the authors' names (a link to the history is enough), the licence, and a note on changes.
 */
export const SAMPLE_CORPUS_ATTRIBUTION = [
  "Sample corpus: articles of the English Wikipedia as of March 2006, by their contributors, who are named in the history of each article at its source URL.",
  "Licence: Creative Commons Attribution-ShareAlike 3.0 (https://creativecommons.org/licenses/by-sa/3.0/), also GNU Free Documentation License 1.2 or later (https://www.gnu.org/licenses/old-licenses/fdl-1.2.html).",
  "Changes: only running prose was kept; headings, lists, tables, notes, formulas, pictures and markup were removed.",
].join("\n");

export type SampleCorpusLoader = {
  /** Whether it was ever loaded: an operator who deletes it does not get it back. */
  isLoaded(): Promise<boolean>;
  /** Loads the articles; an interrupted load continues where it stopped. */
  load(articles: readonly SampleArticle[], say: (line: string) => void, signal?: AbortSignal): Promise<void>;
};

/** Loads the articles as platform documents, like any bulk load. */
export function createSampleCorpusLoader(corpus: WritableCorpus): SampleCorpusLoader {
  const { database, documents, ingestDocuments, fingerprintDocuments } = corpus;
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
  const inCollection = { collection: COLLECTION, path: article.filename, language: LANGUAGE };
  return toSource({ ...article, ...inCollection, mediaType: "text/plain" });
}

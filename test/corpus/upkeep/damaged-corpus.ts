import { createHash } from "node:crypto";
import { z } from "zod";
import type { Origin } from "../../../src/corpus/documents/document.ts";
import { sampleDocuments } from "../../../src/corpus/documents/document-store.ts";
import { createVerifyCorpus, type Verification } from "../../../src/corpus/upkeep/verify-corpus.ts";
import type { Corpus } from "../../../src/service/connect-corpus.ts";

/** More documents than any of these tests has: a sample of so many is the whole corpus. */
const EVERY = 10_000;

/** Puts texts into the corpus as documents of the platform, and gives their identifiers in order; they are pending. */
export async function ingest(
  corpus: Corpus,
  texts: readonly string[],
  collection = "made",
): Promise<string[]> {
  const ingested = await corpus.ingestDocuments(
    texts.map((text) => {
      const sha256 = createHash("sha256").update(text).digest("hex");
      const origin: Origin = { scope: "platform", collection, path: sha256 };
      const sizeBytes = Buffer.byteLength(text);
      const facts = { filename: "a.txt", title: "A text", language: "en", sourceUrl: null };
      return { ...facts, origin, sizeBytes, sha256, text, mediaType: "text/plain" };
    }),
  );
  return ingested.map(({ document }) => document.documentId).toSorted();
}

/** As `ingest`, and makes them matchable. */
export async function addTexts(
  corpus: Corpus,
  texts: readonly string[],
  collection?: string,
): Promise<string[]> {
  const ids = await ingest(corpus, texts, collection);
  await corpus.fingerprintDocuments(ids);
  return ids;
}

/** A verification with each document compared text to text. */
export async function verifyAll(corpus: Corpus): Promise<Verification> {
  const sampleIds = (await sampleDocuments(corpus.database, EVERY)).toSorted();
  return createVerifyCorpus(corpus)({ sampleIds });
}

/** Everything that the index holds, by identifier. */
export async function indexContent({ opensearch, chunkIndex }: Corpus): Promise<Map<string, unknown>> {
  await opensearch.indices.refresh({ index: chunkIndex.readAlias });
  const { body } = await opensearch.search({ index: chunkIndex.readAlias, body: { size: EVERY } });
  return new Map(
    Hits.parse(body)
      .hits.hits.map(({ _id, _source }): [string, unknown] => [_id, _source])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Documents that were stored by now count as such for a quarter of an hour. */
export async function makeOld({ database }: Corpus): Promise<void> {
  await database.query("update documents set created_at = created_at - interval '15 minutes'");
}

const Hits = z.object({
  hits: z.object({ hits: z.array(z.object({ _id: z.string(), _source: z.unknown() })) }),
});

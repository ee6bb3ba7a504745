import { createHash } from "node:crypto";
import type { SourceDocument } from "../../../src/corpus/documents/document.ts";
import type { Corpus } from "../../../src/service/connect-corpus.ts";
import { prose } from "../../support/work/prose.ts";

/** A text that many documents share: longer than a chunk's tail, shorter than a chunk. */
export const LICENCE = prose(900, 45);

/** A shorter one. */
export const NOTICE = prose(901, 25);

/** A text of 60 words of its own for each number. */
export function ownText(number: number): string {
  return prose(2_000 + number, 60);
}

/** Puts texts into the corpus as platform documents, matchable when it returns; gives their identifiers. */
export async function addTexts(corpus: Corpus, texts: readonly string[]): Promise<string[]> {
  const ingested = await corpus.ingestDocuments(texts.map(toDocument));
  const documentIds = ingested.map(({ document }) => document.documentId);
  await corpus.fingerprintDocuments(documentIds);
  return documentIds;
}

function toDocument(text: string): SourceDocument {
  const bytes = Buffer.from(text);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return {
    origin: { scope: "platform", collection: "boilerplate", path: `${sha256}.txt` },
    filename: `${sha256}.txt`,
    title: sha256,
    mediaType: "text/plain",
    language: "en",
    sourceUrl: null,
    sizeBytes: bytes.length,
    sha256,
    text,
  };
}

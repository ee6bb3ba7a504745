import type { OpenPipeline } from "../../../src/app/connect-corpus.ts";

/** A text for the corpus; no two have the same name. */
export type NamedText = { readonly name: string; readonly text: string };

/** One transaction and one bulk write: about a megabyte of text. */
const BATCH = 100;

/** Feeds the texts to the corpus as a program would; when it resolves, all are matchable. By document identifier. */
export async function loadTexts(
  pipeline: OpenPipeline,
  texts: AsyncIterable<NamedText>,
  say: (line: string) => void,
): Promise<ReadonlyMap<string, NamedText>> {
  const started = performance.now();
  const documents = new Map<string, NamedText>();
  let chunks = 0;
  for await (const batch of inBatches(texts)) {
    const ingested = await pipeline.ingestDocuments(batch.map(toDocument));
    for (const [at, text] of batch.entries()) documents.set(ingested[at]?.document.documentId ?? "", text);
    chunks += await pipeline.fingerprintDocuments(ingested.map(({ document }) => document.documentId));
  }
  await pipeline.refreshStatistics();
  const seconds = (performance.now() - started) / 1000;
  say(`The corpus holds ${documents.size} texts in ${chunks} chunks, loaded in ${seconds.toFixed(0)} s`);
  return documents;
}

async function* inBatches(texts: AsyncIterable<NamedText>): AsyncGenerator<NamedText[]> {
  let batch: NamedText[] = [];
  for await (const text of texts) {
    batch.push(text);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function toDocument({ name, text }: NamedText) {
  return { collection: "evaluation", path: name, title: name, text, language: "en" };
}

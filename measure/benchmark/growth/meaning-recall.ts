import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { corpusSet } from "../../../src/corpus/corpus-set.ts";
import { compareMeaning } from "../../../src/matching/compare-meaning.ts";
import { type EncodedQuery, encodeQuery } from "../../../src/matching/encode-query.ts";
import { QueryCounts } from "../../../src/matching/query-counts.ts";
import { type AnalysedQuery, analyseQuery } from "../../../src/matching/tasks.ts";
import { TimeBudget } from "../../../src/matching/time-budget.ts";
import type { Corpus } from "../../../src/service/connect-corpus.ts";
import { codePointOffsets } from "../../../src/text/code-points.ts";
import { overlapLength, type Span } from "../../../src/text/span.ts";
import { makeModernTexts } from "../../evaluation/modern/modern-texts.ts";
import { MODERN_DATA } from "../../evaluation/texts/places.ts";

/** The shares of the rewritten paragraphs of one kind whose source was found by meaning alone. */
export type MeaningRecall = {
  readonly kind: string;
  readonly paragraphs: number;
  /** The source is among the first so many chunks that the index gives for one of the query's chunks; a long text is compared with 50. */
  readonly among50: number;
  readonly among100: number;
  /** A passage in the source is reported, without the help of words. */
  readonly reported: number;
};

const KINDS = ["translated", "llm-light", "llm-strong", "llm-summary", "student-mosaic"] as const;

/** Hits that are looked at for each chunk of the query. */
const HITS = 100;

/** Checks essays with rewritten paragraphs of the articles for their meaning only; empty where the texts are not available. */
export async function meaningRecall(corpus: Corpus, say: (line: string) => void): Promise<MeaningRecall[]> {
  const made = await makeModernTexts({ dataDir: MODERN_DATA, englishOnly: false, say });
  if (!made.available) {
    say(`The recall by meaning is not measured: ${made.reason}`);
    return [];
  }
  const outcomes: { kind: string; rank: number; isReported: boolean }[] = [];
  for (const { className, queryName, sourceName, isIndependent, planted } of made.texts) {
    const kind = KINDS.find((one) => className.startsWith(one));
    const documentId = await articleNamed(corpus, sourceName);
    if (kind === undefined || isIndependent || documentId === undefined) continue;
    const text = await readFile(join(made.folder, "susp", queryName), "utf8");
    const language = kind === "translated" ? className.slice("translated-".length) : "en";
    outcomes.push({ kind, ...(await searched(corpus, { text, language, planted, documentId })) });
  }
  return [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const share = (isFound: (outcome: (typeof outcomes)[number]) => boolean) =>
      ofKind.filter(isFound).length / ofKind.length;
    return {
      kind,
      paragraphs: ofKind.length,
      among50: share(({ rank }) => rank < 50),
      among100: share(({ rank }) => rank < HITS),
      reported: share(({ isReported }) => isReported),
    };
  });
}

type PlantedText = {
  readonly text: string;
  readonly language: string;
  readonly planted: Span;
  readonly documentId: string;
};

async function searched(corpus: Corpus, { text, language, planted, documentId }: PlantedText) {
  const query = analyseQuery({ text, language, withSentences: true });
  const run = {
    ...{ compute: corpus.compute, encoder: corpus.encoderModels },
    ...{ budget: new TimeBudget(60_000, 0), signal: new AbortController().signal },
  };
  const encoded = await encodeQuery(query.sentences, run);
  const set = corpusSet(corpus);
  const counts = new QueryCounts(set.words.countTerms, { shingleLists: query.shingles, forms: query.forms });
  const byWords = { aligned: [], pairs: new Map(), counts };
  const { passages } = await compareMeaning({ ...query, text, language }, byWords, encoded, set, run);
  const { toUtf16 } = codePointOffsets(text);
  const place = { start: toUtf16(planted.start), end: toUtf16(planted.end) };
  const isReported = (passages.get(documentId) ?? []).some(
    (passage) => overlapLength(passage.query, place) > 0,
  );
  return { rank: await rankOf(corpus, query, encoded, documentId), isReported };
}

/** The best rank of a chunk of the document among the hits of a query chunk. */
async function rankOf(
  { chunkIndex }: Corpus,
  { chunkStarts }: AnalysedQuery,
  encoded: EncodedQuery,
  documentId: string,
): Promise<number> {
  if ("reason" in encoded) throw new Error(`the essay was not encoded: ${encoded.reason}`);
  const { sentences, terms } = encoded;
  const parts = chunkStarts.map((start, chunk) => {
    const end = chunkStarts[chunk + 1] ?? Number.POSITIVE_INFINITY;
    return terms.filter((_, at) => {
      const from = sentences[at]?.span.start ?? -1;
      return from >= start && from < end;
    });
  });
  const found = await chunkIndex.searchMeaning(
    parts.filter((part) => part.length > 0),
    HITS,
    60_000,
  );
  return Math.min(
    ...found.map(({ hits }) => {
      const rank = hits.findIndex((hit) => hit.documentId === documentId);
      return rank < 0 ? HITS : rank;
    }),
  );
}

async function articleNamed({ database }: Corpus, filename: string): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>(
    "select document_id as id from documents where filename = $1 limit 1",
    [filename],
  );
  return row?.id;
}

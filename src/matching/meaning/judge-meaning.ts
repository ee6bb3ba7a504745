import { codePointLength } from "../../text/code-points.ts";
import { overlapTextPreview } from "../../text/excerpt.ts";
import type { ChunkOffsets } from "../../text/fingerprint-text.ts";
import { overlapLength, type Span, shiftedSpan, spanLength } from "../../text/span.ts";
import { remembering } from "../../text/stemmer.ts";
import { DROPPED_MAX, type DroppedMatch, type DroppedMatches } from "../words/dropped-matches.ts";
import type { TermCounts } from "../words/search-terms.ts";
import { rounded, type SourcePassage, type SourcePlace, type SourceRange } from "../words/source-passage.ts";
import {
  alignMeaning,
  CosinesByVector,
  type MeaningMatch,
  type QuerySentence,
  type WordMatch,
} from "./align-meaning.ts";
import { formulaLength } from "./formulas.ts";
import { SUPPORT_GREATEST, supportOf } from "./meaning-decision.ts";
import type { MeaningModel } from "./meaning-model.ts";
import type { SentenceFingerprint } from "./sentence-section.ts";
import { rareSharedWords, type SentenceWords, sentenceWords, termsOf } from "./shared-words.ts";

export type JudgedQuery = {
  readonly model: Pick<MeaningModel, "mean" | "calibration">;
  readonly text: string;
  readonly language: string;
  /** Sentences of the whole query. */
  readonly sentences: number;
  /** The counts of its words in the corpus. */
  readonly counts: TermCounts;
  /** The language of a text, as far as the text itself tells; people leave out the language or state a wrong one. */
  readonly detectLanguage: (text: string) => string | undefined;
};

/** A place that may be the source of some query sentences, with the text and the fingerprints around it. */
export type PlaceToJudge = {
  readonly documentId: string;
  readonly query: readonly QuerySentence[];
  readonly language: string;
  readonly chunkOffsets: ChunkOffsets;
  /** A part of the document's text; `start` in UTF-16 units. */
  readonly around: { readonly start: number; readonly text: string };
  /** The sentences of this part of the text, ascending. */
  readonly sentences: readonly SentenceFingerprint[];
  /** The passages that words have found in this document. */
  readonly byWords: readonly WordMatch[];
};

/** A passage of a document, with the log-odds of its reuse: above 0 it is reported. */
export type JudgedMeaning = {
  readonly documentId: string;
  readonly passage: SourcePassage;
  readonly logOdds: number;
};

/** A reader who asks why a passage is missing looks for one that was nearly reported: with odds of 1 to 20 or more. */
const WEAK_LOG_ODDS_MIN = -3;

/** Shared words, and missing names, that a comparison lists. */
const WORDS_LISTED_MAX = 12;

/**
 * Aligns query sentences with each place by meaning and words, and judges which passages are reuse. Passages of a document may overlap, and
 * those that are nearly reported are among them.
 */
export function judgeMeaning(query: JudgedQuery, places: readonly PlaceToJudge[]): JudgedMeaning[] {
  // A query sentence is compared with many places.
  const queryWords = remembering(
    (sentence) => sentenceWords(sentence, query.language, query.counts),
    Number.POSITIVE_INFINITY,
  );
  const cosines = new CosinesByVector(query.model);
  return places.flatMap((place) => judgePlace(query, queryWords, cosines, place));
}

function judgePlace(
  query: JudgedQuery,
  queryWords: (sentence: string) => SentenceWords,
  cosines: CosinesByVector,
  place: PlaceToJudge,
): JudgedMeaning[] {
  const { documentId, around, language, sentences } = place;
  const { counts, text } = query;
  const aligned = {
    query: place.query.map((sentence) => ({
      ...sentence,
      ...queryWords(text.slice(sentence.span.start, sentence.span.end)),
    })),
    source: sentences.map((sentence) => {
      const written = sliceOf(around, sentence.span);
      return { ...sentence, terms: termsOf(written, language), formulas: formulaLength(written) };
    }),
    byWords: place.byWords,
  };
  const { reworded, translated } = alignMeaning(cosines, aligned, counts, query.sentences);
  const judged = (matches: readonly MeaningMatch[], isTranslated: boolean, logOddsMin: number) =>
    matches.flatMap((match): JudgedMeaning[] => {
      if (match.logOdds < logOddsMin) return [];
      const languages = languagesOf(query, place, match);
      if ((languages.query !== languages.source) !== isTranslated) return [];
      return [{ documentId, logOdds: match.logOdds, passage: passageOf(query, place, match, languages) }];
    });
  return [
    ...judged(reworded, false, WEAK_LOG_ODDS_MIN - SUPPORT_GREATEST),
    ...judged(translated, true, WEAK_LOG_ODDS_MIN),
  ];
}

/** Adds to each reworded passage what the best other one from the same document, of other query text, says for it. */
export function supported(judged: readonly JudgedMeaning[]): JudgedMeaning[] {
  const isReworded = ({ passage }: JudgedMeaning) => passage.matchType === "paraphrased";
  const byDocument = Map.groupBy(
    judged.filter(isReworded).toSorted((a, b) => b.logOdds - a.logOdds),
    ({ documentId }) => documentId,
  );
  return judged.map((one) => {
    const { passage } = one;
    const other = isReworded(one)
      ? byDocument.get(one.documentId)?.find((best) => overlapLength(best.passage.query, passage.query) === 0)
      : undefined;
    if (other === undefined) return one;
    const logOdds = one.logOdds + supportOf(other.logOdds);
    return { ...one, logOdds, passage: withScore(passage, logOdds) };
  });
}

function withScore({ evidence, ...passage }: SourcePassage, logOdds: number): SourcePassage {
  return { ...passage, ...(evidence && { evidence: { ...evidence, score: rounded(logOdds, 2) } }) };
}

type Languages = { readonly query: string; readonly source: string };

function sliceOf({ start, text }: PlaceToJudge["around"], span: Span): string {
  return text.slice(span.start - start, span.end - start);
}

function languagesOf(query: JudgedQuery, { language, around }: PlaceToJudge, match: MeaningMatch): Languages {
  const ofQuery = query.detectLanguage(query.text.slice(match.query.start, match.query.end));
  const ofSource = query.detectLanguage(sliceOf(around, match.source));
  return { query: ofQuery ?? query.language, source: ofSource ?? language };
}

function passageOf(
  query: JudgedQuery,
  { language, chunkOffsets, around }: PlaceToJudge,
  match: MeaningMatch,
  languages: Languages,
): SourcePassage {
  const queryText = query.text.slice(match.query.start, match.query.end);
  const sourceText = sliceOf(around, match.source);
  const place = placeIn(match.source, chunkOffsets, around);
  return {
    query: match.query,
    matchType: languages.query === languages.source ? "paraphrased" : "translated",
    ...place,
    preview: overlapTextPreview(sourceText),
    evidence: {
      matchedWords: 0,
      seeds: match.pairs.length,
      similarity: 0,
      score: rounded(match.logOdds, 2),
      meaning: {
        pairs: match.pairs.map(({ query: queryPair, source, margin }) => ({
          query: queryPair,
          source: codePointRange(source, place.sourceDocument, match.source, sourceText),
          margin: rounded(margin, 3),
        })),
        sharedWords: rareSharedWords(queryText, query.language, sourceText, language, query.counts).slice(
          0,
          WORDS_LISTED_MAX,
        ),
        ...(languages.query === languages.source && { ownNames: match.ownNames.slice(0, WORDS_LISTED_MAX) }),
        languages,
      },
    },
  };
}

/**
 * The reported passages of each document, without passages that share most of their query text with a better one, and without parts of a
 * reworded paragraph that holds as a whole. The best document and the best passage come first, independent of the order of judging.
 */
export function passagesByDocument(judged: readonly JudgedMeaning[]): Map<string, SourcePassage[]> {
  const byDocument = new Map<string, SourcePassage[]>();
  const reported = judged.filter(({ logOdds }) => logOdds > 0);
  const whole = Map.groupBy(reported, ({ documentId }) => documentId);
  const isPart = ({ documentId, passage }: JudgedMeaning) =>
    whole.get(documentId)?.some((other) => isPartOf(passage, other.passage));
  for (const { documentId, passage } of bestFirst(reported.filter((one) => !isPart(one)))) {
    const kept = byDocument.get(documentId) ?? [];
    if (!isMostlyIn(passage.query, kept)) byDocument.set(documentId, [...kept, passage]);
  }
  return byDocument;
}

function isPartOf(part: SourcePassage, whole: SourcePassage): boolean {
  return (
    part.matchType === "paraphrased" &&
    whole.matchType === "paraphrased" &&
    spanLength(part.query) < spanLength(whole.query) &&
    overlapLength(part.query, whole.query) === spanLength(part.query)
  );
}

/** The matches of each document that were nearly reported, without those whose query text is mostly in a passage or in a better match of it. */
export function droppedByDocument(
  judged: readonly JudgedMeaning[],
  passages: ReadonlyMap<string, readonly Pick<SourcePassage, "query">[]>,
): Map<string, DroppedMatches> {
  const byDocument = new Map<string, DroppedMatch[]>();
  const weak = judged.filter(({ logOdds }) => logOdds <= 0 && logOdds >= WEAK_LOG_ODDS_MIN);
  for (const { documentId, passage } of bestFirst(weak)) {
    const kept = byDocument.get(documentId) ?? [];
    if (!isMostlyIn(passage.query, [...(passages.get(documentId) ?? []), ...kept]))
      byDocument.set(documentId, [...kept, droppedMatch(passage)]);
  }
  return new Map(
    [...byDocument].map(([documentId, matches]) => [
      documentId,
      { matches: matches.slice(0, DROPPED_MAX), counts: { weak_meaning: matches.length } },
    ]),
  );
}

function droppedMatch({ query, sourceDocument, evidence }: SourcePassage): DroppedMatch {
  const { ownNames } = evidence?.meaning ?? {};
  return {
    ...{ query, sourceDocument, reason: "weak_meaning", matchedWords: 0, score: evidence?.score ?? 0 },
    ...(ownNames && { ownNames }),
  };
}

/** In an order that does not depend on which task was ready first. */
function bestFirst(judged: readonly JudgedMeaning[]): JudgedMeaning[] {
  return judged.toSorted(
    (a, b) =>
      b.logOdds - a.logOdds ||
      a.passage.query.start - b.passage.query.start ||
      a.passage.query.end - b.passage.query.end ||
      (a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : 0) ||
      a.passage.sourceDocument.utf16.start - b.passage.sourceDocument.utf16.start ||
      a.passage.sourceDocument.utf16.end - b.passage.sourceDocument.utf16.end,
  );
}

/** Whether more than half of a span is in one of others. */
function isMostlyIn(span: Span, others: readonly { readonly query: Span }[]): boolean {
  return others.some(({ query }) => overlapLength(query, span) * 2 > spanLength(span));
}

/** Where a span of the document lies in its chunk and in the document, in both units. */
function placeIn(
  span: Span,
  { utf16, codePoints }: ChunkOffsets,
  around: PlaceToJudge["around"],
): SourcePlace {
  const next = utf16.findIndex((offset) => offset > span.start);
  const chunk = Math.max(0, (next < 0 ? utf16.length - 1 : next) - 1);
  const [chunkStart = 0, chunkEnd = 0] = utf16.slice(chunk, chunk + 2);
  const [chunkStartCodePoint = 0, chunkEndCodePoint = 0] = codePoints.slice(chunk, chunk + 2);
  const countFrom = (start: number, end: number) => codePointLength(sliceOf(around, { start, end }));
  // A chunk that begins before this text ends in it, since the place begins with a later chunk.
  const startCodePoint =
    chunkStart >= around.start
      ? chunkStartCodePoint + countFrom(chunkStart, span.start)
      : chunkEndCodePoint - countFrom(span.start, chunkEnd);
  const codePoint = { start: startCodePoint, end: startCodePoint + countFrom(span.start, span.end) };
  return {
    sourceChunkIndex: chunk,
    sourceChunk: {
      utf16: shiftedSpan(span, -chunkStart),
      codePoint: shiftedSpan(codePoint, -chunkStartCodePoint),
    },
    sourceDocument: { utf16: span, codePoint },
  };
}

function codePointRange(span: Span, whole: SourceRange, match: Span, text: string): SourceRange {
  const at = (offset: number) => whole.codePoint.start + codePointLength(text.slice(0, offset - match.start));
  return { utf16: span, codePoint: { start: at(span.start), end: at(span.end) } };
}

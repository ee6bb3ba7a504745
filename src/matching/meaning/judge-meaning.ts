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
import { reuseLogOdds } from "./meaning-decision.ts";
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

/** A passage with the log-odds of reuse, which are above 0. */
export type JudgedMeaning = {
  readonly documentId: string;
  readonly passage: SourcePassage;
  readonly logOdds: number;
};

/** Sentences of a document that resemble some of the query, but too little to be reported. */
export type WeakMeaning = { readonly documentId: string; readonly match: DroppedMatch };

/** The passages that some places may be the source of. A document may have several, which overlap. */
export type JudgedPlaces = { readonly passages: JudgedMeaning[]; readonly weak: WeakMeaning[] };

/** A reader who asks why a passage is missing looks for one that was nearly reported: with odds of 1 to 20 or more. */
const WEAK_LOG_ODDS_MIN = -3;

/** Shared words, and missing names, that a comparison lists. */
const WORDS_LISTED_MAX = 12;

/** Aligns query sentences with each place by meaning and words, and decides which passages are reuse. */
export function judgeMeaning(query: JudgedQuery, places: readonly PlaceToJudge[]): JudgedPlaces {
  // A query sentence is compared with many places.
  const queryWords = remembering(
    (sentence) => sentenceWords(sentence, query.language, query.counts),
    Number.POSITIVE_INFINITY,
  );
  const cosines = new CosinesByVector(query.model);
  const judged = places.map((place) => judgePlace(query, queryWords, cosines, place));
  return {
    passages: judged.flatMap(({ passages }) => passages),
    weak: judged.flatMap(({ weak }) => weak),
  };
}

function judgePlace(
  query: JudgedQuery,
  queryWords: (sentence: string) => SentenceWords,
  cosines: CosinesByVector,
  place: PlaceToJudge,
): JudgedPlaces {
  const { documentId, around, language, sentences } = place;
  const { counts, text } = query;
  const aligned = {
    query: place.query.map((sentence, at) => {
      const before = place.query[at - 1]?.span.end ?? 0;
      return {
        ...sentence,
        ...queryWords(text.slice(sentence.span.start, sentence.span.end)),
        startsParagraph: at === 0 || BLANK_LINE.test(text.slice(before, sentence.span.start)),
      };
    }),
    source: sentences.map((sentence) => ({
      ...sentence,
      terms: termsOf(sliceOf(around, sentence.span), language),
    })),
    byWords: place.byWords,
  };
  const judged: JudgedPlaces = { passages: [], weak: [] };
  for (const { row, paragraph } of alignMeaning(cosines, aligned, counts)) {
    // A paragraph that holds as a whole was most likely taken as a whole.
    let best: JudgedMatch | undefined;
    for (const match of paragraph === undefined ? [row] : [paragraph, row]) {
      const judgedMatch = judgeMatch(query, place, match);
      if (best === undefined || judgedMatch.logOdds > best.logOdds) best = judgedMatch;
      if (best.logOdds > 0) break;
    }
    if (best === undefined || best.logOdds < WEAK_LOG_ODDS_MIN) continue;
    const { logOdds } = best;
    if (logOdds > 0) judged.passages.push({ documentId, logOdds, passage: passageOf(query, place, best) });
    else judged.weak.push({ documentId, match: weakMatch(place, best) });
  }
  return judged;
}

type JudgedMatch = {
  readonly match: MeaningMatch;
  readonly languages: { readonly query: string; readonly source: string };
  readonly logOdds: number;
};

function judgeMatch(query: JudgedQuery, place: PlaceToJudge, match: MeaningMatch): JudgedMatch {
  const languages = languagesOf(query, place, match);
  const evidence = { ...match.evidence, isSameLanguage: languages.query === languages.source };
  return { match, languages, logOdds: reuseLogOdds({ ...evidence, querySentences: query.sentences }) };
}

function weakMatch(
  { chunkOffsets, around }: PlaceToJudge,
  { match, languages, logOdds }: JudgedMatch,
): DroppedMatch {
  return {
    query: match.query,
    sourceDocument: placeIn(match.source, chunkOffsets, around).sourceDocument,
    reason: "weak_meaning",
    matchedWords: 0,
    score: rounded(logOdds, 2),
    ...listedOwnNames(match, languages),
  };
}

/** None between two languages, since another language may write names in another way. */
function listedOwnNames({ ownNames }: MeaningMatch, languages: JudgedMatch["languages"]) {
  return languages.query === languages.source && { ownNames: ownNames.slice(0, WORDS_LISTED_MAX) };
}

const BLANK_LINE = /\n\s*\n|\u2029/;

function sliceOf({ start, text }: PlaceToJudge["around"], span: Span): string {
  return text.slice(span.start - start, span.end - start);
}

function languagesOf(
  query: JudgedQuery,
  { language, around }: PlaceToJudge,
  match: MeaningMatch,
): JudgedMatch["languages"] {
  const ofQuery = query.detectLanguage(query.text.slice(match.query.start, match.query.end));
  const ofSource = query.detectLanguage(sliceOf(around, match.source));
  return { query: ofQuery ?? query.language, source: ofSource ?? language };
}

function passageOf(
  query: JudgedQuery,
  { language, chunkOffsets, around }: PlaceToJudge,
  { match, languages, logOdds }: JudgedMatch,
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
      score: rounded(logOdds, 2),
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
        ...listedOwnNames(match, languages),
        languages,
      },
    },
  };
}

/**
 * The passages of each document, without passages that share most of their query text with a better one. The best document and
 * the best passage come first, independent of the order of judging.
 */
export function passagesByDocument(judged: readonly JudgedMeaning[]): Map<string, SourcePassage[]> {
  const bestFirst = judged.toSorted(
    (a, b) =>
      b.logOdds - a.logOdds ||
      a.passage.query.start - b.passage.query.start ||
      (a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : 0) ||
      a.passage.sourceDocument.utf16.start - b.passage.sourceDocument.utf16.start,
  );
  const byDocument = new Map<string, SourcePassage[]>();
  for (const { documentId, passage } of bestFirst) {
    const kept = byDocument.get(documentId) ?? [];
    if (!isMostlyIn(passage.query, kept)) byDocument.set(documentId, [...kept, passage]);
  }
  return byDocument;
}

/** The weak matches of each document, without matches whose query text is mostly in a passage or in a better match of it. */
export function droppedByDocument(
  weak: readonly WeakMeaning[],
  passages: ReadonlyMap<string, readonly Pick<SourcePassage, "query">[]>,
): Map<string, DroppedMatches> {
  // In an order that does not depend on which task was ready first.
  const bestFirst = weak.toSorted(
    ({ match: a }, { match: b }) =>
      b.score - a.score ||
      a.query.start - b.query.start ||
      a.query.end - b.query.end ||
      a.sourceDocument.utf16.start - b.sourceDocument.utf16.start ||
      a.sourceDocument.utf16.end - b.sourceDocument.utf16.end,
  );
  const byDocument = new Map<string, DroppedMatch[]>();
  for (const { documentId, match } of bestFirst) {
    const kept = byDocument.get(documentId) ?? [];
    if (!isMostlyIn(match.query, [...(passages.get(documentId) ?? []), ...kept]))
      byDocument.set(documentId, [...kept, match]);
  }
  return new Map(
    [...byDocument].map(([documentId, matches]) => [
      documentId,
      { matches: matches.slice(0, DROPPED_MAX), counts: { weak_meaning: matches.length } },
    ]),
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

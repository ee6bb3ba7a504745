import { codePointOffsets } from "../../text/code-points.ts";
import { overlapTextPreview } from "../../text/excerpt.ts";
import { readingOrder } from "../../text/reading-order.ts";
import { firstIndex, type Span, shiftedSpan, spanLength } from "../../text/span.ts";
import { tokenise } from "../../text/tokenise.ts";
import { BARRIER, type TokenisedText } from "./boundaries.ts";
import { type Candidate, exactCandidate, findCandidates, scoreOf, withoutCovered } from "./candidates.ts";
import {
  type Decision,
  type DroppedCandidate,
  decide,
  isBoilerplate,
  matchedWords,
  uncoveredCopies,
  unreportedMatches,
  type WordDropReason,
} from "./decision.ts";
import { DROPPED_MAX, type DroppedMatches } from "./dropped-matches.ts";
import {
  trimCopy,
  withExactEdges,
  withOmittedTail,
  withoutCommonEnds,
  withoutOverlaps,
  withoutUnmatchedEnds,
} from "./exact-edges.ts";
import { extendCandidate, mergeCandidates } from "./merging.ts";
import { type Passage, passageOf } from "./passages.ts";
import { exactMatches, type SegmentPair } from "./seeds.ts";
import {
  type MatchedSource,
  type PassageEvidence,
  rounded,
  type SourcePassage,
  type SourcePlace,
} from "./source-passage.ts";
import { withSummaries } from "./summaries.ts";
import { type PreparedQuery, pairTexts, type TextPair } from "./text-pair.ts";

/** A passage that is not reported, with the reason. */
type DroppedByWords = { readonly passage: Passage; readonly reason: WordDropReason };

/**
 * Finds the passages of the query that come from one source: verbatim, edited, reworded or summarised, by log-odds of bags of
 * words (`docs/algorithm.md`). Kept passages ascend and do not overlap in the query; source text may serve several. Offsets are
 * UTF-16. No passage crosses a `BARRIER`.
 * @param searchedParts see `TextPair`; by default the whole query.
 * @param copiesOnly whether only verbatim copies are found, which takes linear time.
 */
export function align(
  query: PreparedQuery,
  source: TokenisedText,
  searchedParts?: readonly Span[],
  copiesOnly = false,
): { readonly kept: Passage[]; readonly dropped: DroppedByWords[] } {
  const pair = pairTexts(query, source, searchedParts);
  const matches = exactMatches(query, pair.sourceSide.ids);
  const { kept, dropped } = alignPair(pair, matches, searchedParts === undefined, copiesOnly);
  return {
    kept: keptPassages(pair, kept, matches),
    dropped: dropped.map(({ candidate, reason }) => ({ passage: passageOf(pair, candidate, []), reason })),
  };
}

function alignPair(
  pair: TextPair,
  matches: readonly SegmentPair[],
  isWholeQuerySearched: boolean,
  copiesOnly: boolean,
): Decision {
  const queryWords = pair.query.ids.length;
  const whole = matches.filter((match) => spanLength(match.query) === queryWords);
  // A query of fewer words than any evidence could come from is found whole or not at all.
  if (whole.length > 0 || queryWords < pair.model.shortQueryWords) return alignWholeQuery(pair, whole);
  const long = matches
    .map((match) => withoutCommonEnds(pair, match))
    .filter((match) => spanLength(match.query) >= pair.model.matchWordsMin);
  // Only of a text that is compared whole can be said that the query contains it.
  const contained = isWholeQuerySearched ? containedSource(pair, matches) : [];
  if (!copiesOnly) return alignParts(pair, long, contained);
  return {
    kept: withoutOverlaps(pair.model, [...contained, ...uncoveredCopies(pair, long, contained)]),
    dropped: [],
  };
}

/** The source as a passage if the query contains it whole, whatever its words are. Reported if nothing else is. */
function containedSource(pair: TextPair, matches: readonly SegmentPair[]): Candidate[] {
  const words = pair.sourceSide.ids.length;
  const match = matches.find(({ source }) => spanLength(source) === words);
  const isReported =
    match && words >= pair.model.matchedWordsMin && !isBoilerplate(pair.query.shingleMarks, [match.query]);
  return isReported ? [exactCandidate(pair, match)] : [];
}

function alignParts(
  pair: TextPair,
  matches: readonly SegmentPair[],
  contained: readonly Candidate[],
): Decision {
  const { kept, dropped } = decide(pair, grownCandidates(pair, matches));
  const found = withCopies(pair, matches, kept, contained);
  const complete = pair.query.isOneSubject ? found : withSummaries(pair, matches, found);
  const apart = withoutOverlaps(pair.model, complete).map((candidate) =>
    withoutUnmatchedEnds(pair, candidate),
  );
  const reported = apart.filter((candidate) => matchedWords(pair, candidate) >= pair.model.matchedWordsMin);
  const unreported = [...dropped, ...remainders(pair, apart)];
  return {
    kept: reported,
    dropped: [...unreported, ...unreportedMatches(pair, matches, reported, unreported)],
  };
}

/** The candidates to decide on, the best first. */
function grownCandidates(pair: TextPair, matches: readonly SegmentPair[]): Candidate[] {
  const merged = mergeCandidates(pair, findCandidates(pair, matches));
  const extended = merged.map((candidate) => extendCandidate(pair, candidate));
  return withoutCovered(pair.model, bestFirst(pair, extended)).map((candidate) =>
    withOmittedTail(pair, trimCopy(pair, candidate)),
  );
}

/** Candidates with exact edges, and the copies that none of them covers. `contained` counts if there is nothing else. */
function withCopies(
  pair: TextPair,
  matches: readonly SegmentPair[],
  candidates: readonly Candidate[],
  contained: readonly Candidate[],
): Candidate[] {
  const exact = candidates.flatMap((candidate) => withExactEdges(pair, matches, candidate));
  const found = [...exact, ...uncoveredCopies(pair, matches, exact)];
  return found.length > 0 ? found : [...contained];
}

function bestFirst(pair: TextPair, candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted((a, b) => scoreOf(pair, b) - scoreOf(pair, a));
}

/** The candidates of which too little is left after better ones have taken their query words. */
function remainders(pair: TextPair, apart: readonly Candidate[]): DroppedCandidate[] {
  const { listedWordsMin, matchedWordsMin } = pair.model;
  return apart
    .filter((candidate) => {
      const words = matchedWords(pair, candidate);
      return words >= listedWordsMin && words < matchedWordsMin;
    })
    .map((candidate) => ({ candidate, reason: "remainder_too_short" }));
}

/** Reports a query that the source contains whole, whatever its words are; further places (`matches`) are duplicates. */
function alignWholeQuery(pair: TextPair, matches: readonly SegmentPair[]): Decision {
  const decision: Decision = { kept: [], dropped: [] };
  for (const match of matches) {
    const candidate = exactCandidate(pair, match);
    if (isBoilerplate(pair.query.shingleMarks, [match.query]))
      decision.dropped.push({ candidate, reason: "set_phrase" });
    else if (decision.kept.length > 0) decision.dropped.push({ candidate, reason: "duplicate" });
    else decision.kept.push(candidate);
  }
  return decision;
}

/** A passage may include punctuation up to the passage before it and up to the first word of the passage after it. */
function keptPassages(
  pair: TextPair,
  candidates: readonly Candidate[],
  matches: readonly SegmentPair[],
): Passage[] {
  const passages: Passage[] = [];
  for (const [i, candidate] of candidates.entries()) {
    const next = candidates[i + 1];
    const ceiling = next && pair.query.text.tokens.starts[next.query.start];
    passages.push(passageOf(pair, candidate, matches, passages.at(-1)?.query.end, ceiling));
  }
  return passages;
}

/** A chunk of a source document as the index keeps it, with its offsets in the document. */
export type SourceChunk = {
  readonly index: number;
  readonly start: number;
  readonly startCodePoint: number;
  readonly text: string;
};

/** The part of a source document that is aligned: some of its chunks, ascending. */
export type DocumentPart = {
  readonly documentId: string;
  readonly language: string;
  /** In UTF-16 units of the query, ascending and disjoint; see `TextPair`. By default the whole query. */
  readonly searchedParts?: readonly Span[];
  readonly chunks: readonly SourceChunk[];
};

/** A document's passages, and those that are not reported. */
export type AlignedSource = MatchedSource & { readonly dropped: DroppedMatches };

/** Aligns a query with parts of documents and places each passage in them. Documents without a match are left out. */
export function alignDocuments(
  query: PreparedQuery,
  documents: readonly DocumentPart[],
  copiesOnly = false,
): AlignedSource[] {
  const sources: AlignedSource[] = [];
  for (const document of documents) {
    const source = joinChunks(document);
    const { kept, dropped } = align(
      query,
      source,
      document.searchedParts && wordsIn(query, document.searchedParts),
      copiesOnly,
    );
    if (kept.length === 0 && dropped.length === 0) continue;
    const placeOf = placeIn(document, source);
    const passages = kept.map(
      (passage): SourcePassage => ({
        query: submittedSpan(query.text, passage.query),
        matchType: passage.matchType,
        ...(passage.runs &&
          areInOrder(query.text, passage.runs) && {
            runs: passage.runs.map(({ query, source, matchType }) => ({
              query,
              matchType,
              sourceDocument: placeOf(source).sourceDocument,
            })),
          }),
        ...placeOf(passage.source),
        preview: overlapTextPreview(source.text.slice(passage.source.start, passage.source.end)),
        evidence: evidenceOf(passage),
      }),
    );
    sources.push({
      documentId: document.documentId,
      passages,
      dropped: droppedMatches(query, dropped, (range) => placeOf(range).sourceDocument),
    });
  }
  return sources;
}

/** The place of a span of a text in reading order in the submitted text. */
function submittedSpan({ toSubmitted }: TokenisedText, span: Span): Span {
  return toSubmitted?.(span) ?? span;
}

/** Spans of the query's text as spans of its words. */
function wordsIn({ text: { tokens } }: PreparedQuery, spans: readonly Span[]): Span[] {
  const firstFrom = (offset: number) =>
    firstIndex(tokens.starts.length, (at) => (tokens.starts[at] ?? 0) >= offset);
  return spans.map(({ start, end }) => ({ start: firstFrom(start), end: firstFrom(end) }));
}

/** Whether runs stand in the submitted text where they are read. Otherwise they would not cover the passage one after another. */
function areInOrder(text: TokenisedText, runs: readonly { readonly query: Span }[]): boolean {
  return runs.every(({ query }) => {
    const { start, end } = submittedSpan(text, query);
    return start === query.start && end === query.end;
  });
}

function evidenceOf({ matchedWords, parts, similarity, score }: Passage): PassageEvidence {
  return { matchedWords, seeds: parts, similarity: rounded(similarity, 4), score: rounded(score, 2) };
}

function droppedMatches(
  { text }: PreparedQuery,
  dropped: readonly DroppedByWords[],
  placeOf: (range: Span) => SourcePassage["sourceDocument"],
): DroppedMatches {
  const counts: Partial<Record<WordDropReason, number>> = {};
  for (const { reason } of dropped) counts[reason] = (counts[reason] ?? 0) + 1;
  const matches = dropped
    .toSorted(({ passage: a }, { passage: b }) => b.score - a.score || a.query.start - b.query.start)
    .slice(0, DROPPED_MAX)
    .map(({ passage: { query, source, matchedWords, score }, reason }) => ({
      query: submittedSpan(text, query),
      sourceDocument: placeOf(source),
      reason,
      matchedWords,
      score: rounded(score, 2),
    }));
  return { matches, counts };
}

/** The text of some chunks of a document, and where each of them begins in it. */
type JoinedChunks = TokenisedText & {
  readonly submitted: string;
  readonly chunks: readonly { readonly at: number; readonly chunk: SourceChunk }[];
};

/** Joins chunks into one text: neighbours directly, others with a barrier between them. */
function joinChunks({ chunks, language }: DocumentPart): JoinedChunks {
  const words: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const placed: { at: number; chunk: SourceChunk }[] = [];
  let submitted = "";
  for (const neighbours of neighbourRuns(chunks)) {
    if (submitted !== "") {
      words.push(BARRIER);
      starts.push(submitted.length);
      submitted += BARRIER;
      ends.push(submitted.length);
    }
    const at = submitted.length;
    for (const chunk of neighbours) {
      placed.push({ at: submitted.length, chunk });
      submitted += chunk.text;
    }
    const tokens = tokenise(submitted.slice(at), language);
    for (const word of tokens.words) words.push(word);
    for (const start of tokens.starts) starts.push(at + start);
    for (const end of tokens.ends) ends.push(at + end);
  }
  const tokens = { words, starts: new Int32Array(starts), ends: new Int32Array(ends) };
  return { ...readingOrder(submitted), submitted, chunks: placed, tokens };
}

function neighbourRuns(chunks: readonly SourceChunk[]): SourceChunk[][] {
  const runs: SourceChunk[][] = [];
  for (const chunk of chunks) {
    const run = runs.at(-1);
    if (run?.at(-1)?.index === chunk.index - 1) run.push(chunk);
    else runs.push([chunk]);
  }
  return runs;
}

/** Gives the place of a span of the joined text in the chunk where it begins and in the document, in both units. */
function placeIn(document: DocumentPart, source: JoinedChunks): (range: Span) => SourcePlace {
  const { toCodePoint } = codePointOffsets(source.submitted);
  return (range) => {
    const { start, end } = submittedSpan(source, range);
    const found = source.chunks.findLast((one) => one.at <= start);
    if (found === undefined) throw new Error(`no chunk of ${document.documentId} holds position ${start}`);
    const { at, chunk } = found;
    const utf16 = { start: start - at, end: end - at };
    const base = toCodePoint(at);
    const codePoint = { start: toCodePoint(start) - base, end: toCodePoint(end) - base };
    return {
      sourceChunkIndex: chunk.index,
      sourceChunk: { utf16, codePoint },
      sourceDocument: {
        utf16: shiftedSpan(utf16, chunk.start),
        codePoint: shiftedSpan(codePoint, chunk.startCodePoint),
      },
    };
  };
}

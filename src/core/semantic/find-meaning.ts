import { overlapLength, type Span, spanLength } from "../text/span.ts";
import {
  MeaningComparison,
  type MeaningMatch,
  type QuerySentence,
  type SourcePart,
} from "./align-meaning.ts";
import type { SemanticModel } from "./semantic-model.ts";
import type { SentenceFingerprint } from "./sentence-section.ts";

/** A part of the query, as sentence numbers `[first, end)`, and where in the corpus its meaning may come from. */
export type SearchedPart = {
  readonly first: number;
  readonly end: number;
  /** Places in documents: UTF-16 spans of chunks. */
  readonly places: readonly { readonly documentId: string; readonly span: Span }[];
};

export type FindMeaningInput = {
  readonly model: Pick<SemanticModel, "mean" | "calibration">;
  readonly query: readonly QuerySentence[];
  readonly parts: readonly SearchedPart[];
  /** The fingerprints around the places, in the order of each document. */
  readonly sentences: ReadonlyMap<string, readonly SentenceFingerprint[]>;
};

/** Documents whose sentences are aligned with a part of the query: the true one is among the first three nearly always. */
const DOCUMENTS_OF_PART = 8;

/** Of a passage that is any evidence: the least sum of margins. */
const REACH_MIN = 0.15;

/** Sentences around a place and a part that are aligned with them: passages seldom end where chunks do. */
const SOURCE_MARGIN = 24;
const QUERY_MARGIN = 6;

/** Finds the passages of the query whose sentences mean the same as a row of sentences in a document, best first. */
export function findMeaning({ model, query, parts, sentences }: FindMeaningInput): MeaningMatch[] {
  const comparison = new MeaningComparison(model, query);
  const boxes = new Map<string, Box[]>();
  for (const part of parts) {
    const range = Array.from({ length: part.end - part.first }, (_, at) => part.first + at);
    const near = part.places
      .map(({ documentId, span }) => {
        const all = sentences.get(documentId) ?? [];
        const source = sentencesIn(all, span);
        const reach = comparison.reach(range, { documentId, sentences: all.slice(source.start, source.end) });
        return { documentId, source, reach, count: all.length };
      })
      .filter(({ reach }) => reach >= REACH_MIN)
      .sort(
        (a, b) => b.reach - a.reach || (a.documentId < b.documentId ? -1 : a.source.start - b.source.start),
      );
    const chosen = new Set<string>();
    for (const { documentId, source, count } of near) {
      if (chosen.size >= DOCUMENTS_OF_PART && !chosen.has(documentId)) continue;
      chosen.add(documentId);
      const ofDocument = boxes.get(documentId) ?? [];
      ofDocument.push({
        query: {
          start: Math.max(0, part.first - QUERY_MARGIN),
          end: Math.min(query.length, part.end + QUERY_MARGIN),
        },
        source: {
          start: Math.max(0, source.start - SOURCE_MARGIN),
          end: Math.min(count, source.end + SOURCE_MARGIN),
        },
      });
      boxes.set(documentId, ofDocument);
    }
  }
  return [...boxes]
    .flatMap(([documentId, ofDocument]) => {
      const all = sentences.get(documentId) ?? [];
      return apart(
        joinBoxes(ofDocument).flatMap((box) => {
          const source: SourcePart = { documentId, sentences: all.slice(box.source.start, box.source.end) };
          return comparison.align({ first: box.query.start, end: box.query.end }, source);
        }),
      );
    })
    .sort((a, b) => b.score - a.score || a.query.start - b.query.start);
}

/** Sentences of the query and of a document, by their numbers. */
type Box = { readonly query: Span; readonly source: Span };

/** The numbers of the sentences that begin in a span. */
function sentencesIn(sentences: readonly SentenceFingerprint[], span: Span): Span {
  const start = sentences.findIndex((sentence) => sentence.span.start >= span.start);
  if (start < 0) return { start: 0, end: 0 };
  const rest = sentences.slice(start).findIndex((sentence) => sentence.span.start >= span.end);
  return { start, end: rest < 0 ? sentences.length : start + rest };
}

/** Joins boxes that overlap on both sides, so that a long passage is aligned as one. */
function joinBoxes(boxes: readonly Box[]): Box[] {
  const joined: Box[] = [];
  for (const box of boxes) {
    let whole = box;
    for (;;) {
      const at = joined.findIndex((other) => touches(other, whole));
      const [other] = at < 0 ? [] : joined.splice(at, 1);
      if (other === undefined) break;
      whole = {
        query: {
          start: Math.min(other.query.start, whole.query.start),
          end: Math.max(other.query.end, whole.query.end),
        },
        source: {
          start: Math.min(other.source.start, whole.source.start),
          end: Math.max(other.source.end, whole.source.end),
        },
      };
    }
    joined.push(whole);
  }
  return joined;
}

function touches(a: Box, b: Box): boolean {
  return overlapLength(a.query, b.query) > 0 && overlapLength(a.source, b.source) > 0;
}

/** Of matches with one document, those that do not share most of their query text with a better one. */
function apart(matches: readonly MeaningMatch[]): MeaningMatch[] {
  const kept: MeaningMatch[] = [];
  for (const match of matches.toSorted((a, b) => b.score - a.score)) {
    const isTaken = kept.some(
      (better) => overlapLength(better.query, match.query) * 2 > spanLength(match.query),
    );
    if (!isTaken) kept.push(match);
  }
  return kept;
}

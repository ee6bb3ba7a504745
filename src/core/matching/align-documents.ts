import { align, BARRIER } from "../alignment/align.ts";
import type { PreparedQuery } from "../alignment/pair/prepared-query.ts";
import type { DroppedPassage, DropReason, Passage } from "../alignment/passages/passage.ts";
import { DROPPED_MAX, type DroppedMatches } from "../report/explanation/explanation.ts";
import { overlapTextPreview } from "../report/preview.ts";
import type { MatchedSource, PassageEvidence, SourcePassage } from "../report/report.ts";
import { codePointOffsets } from "../text/code-points.ts";
import type { Span } from "../text/span.ts";
import { type Tokens, tokenise } from "../text/words/tokenise.ts";

/** A chunk of a source document as the index keeps it; offsets say where it lies in the document. */
export type SourceChunk = {
  readonly index: number;
  readonly start: number;
  readonly startCodePoint: number;
  readonly text: string;
};

/** A source document as far as it is to be aligned: some of its chunks, ascending. */
export type CandidateDocument = {
  readonly documentId: string;
  readonly language: string;
  readonly chunks: readonly SourceChunk[];
};

/** A document's passages, and what of it is not reported. */
export type AlignedSource = MatchedSource & { readonly dropped: DroppedMatches };

/**
 * Aligns a prepared query with the given parts of documents and says where each passage lies in chunk and document.
 * Documents in which nothing was found are left out; the others keep their order.
 */
export function alignDocuments(
  query: PreparedQuery,
  documents: readonly CandidateDocument[],
): AlignedSource[] {
  const sources: AlignedSource[] = [];
  for (const document of documents) {
    const source = joinChunks(document);
    const { kept, dropped } = align(query, source);
    if (kept.length === 0 && dropped.length === 0) continue;
    const placeOf = placeIn(document, source);
    const passages = kept.map(
      (passage): SourcePassage => ({
        query: passage.query,
        matchType: passage.matchType,
        ...placeOf(passage.source),
        preview: overlapTextPreview(source.text.slice(passage.source.start, passage.source.end)),
        evidence: evidenceOf(passage),
      }),
    );
    sources.push({
      documentId: document.documentId,
      passages,
      dropped: droppedMatches(dropped, (range) => placeOf(range).sourceDocument),
    });
  }
  return sources;
}

function evidenceOf({ matchedWords, seeds, similarity, score }: Passage): PassageEvidence {
  return { matchedWords, seeds, similarity: rounded(similarity, 4), score: rounded(score, 2) };
}

function droppedMatches(
  dropped: readonly DroppedPassage[],
  placeOf: (range: Span) => SourcePassage["sourceDocument"],
): DroppedMatches {
  const counts: Partial<Record<DropReason, number>> = {};
  for (const { reason } of dropped) counts[reason] = (counts[reason] ?? 0) + 1;
  const matches = dropped
    .toSorted(({ passage: a }, { passage: b }) => b.score - a.score || a.query.start - b.query.start)
    .slice(0, DROPPED_MAX)
    .map(({ passage: { query, source, matchedWords, score }, reason }) => ({
      query,
      sourceDocument: placeOf(source),
      reason,
      matchedWords,
      score: rounded(score, 2),
    }));
  return { matches, counts };
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

type JoinedChunks = { readonly text: string; readonly tokens: Tokens; readonly pieces: readonly Piece[] };

/** A run of neighbouring chunks in the joined text. */
type Piece = { readonly at: number; readonly chunks: readonly SourceChunk[] };

/** One text of all the chunks: neighbours as they follow each other, others with a barrier between them. */
function joinChunks({ chunks, language }: CandidateDocument): JoinedChunks {
  const words: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const pieces: Piece[] = [];
  let text = "";
  for (const run of neighbourRuns(chunks)) {
    if (text !== "") {
      words.push(BARRIER);
      starts.push(text.length);
      text += BARRIER;
      ends.push(text.length);
    }
    const at = text.length;
    const piece = run.map((chunk) => chunk.text).join("");
    const tokens = tokenise(piece, language);
    for (const word of tokens.words) words.push(word);
    for (const start of tokens.starts) starts.push(at + start);
    for (const end of tokens.ends) ends.push(at + end);
    text += piece;
    pieces.push({ at, chunks: run });
  }
  return { text, pieces, tokens: { words, starts: Int32Array.from(starts), ends: Int32Array.from(ends) } };
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

type Place = Pick<SourcePassage, "sourceChunkIndex" | "sourceChunk" | "sourceDocument">;

/** Says where a range of the joined text lies in the chunk where it begins and in the document, in both units. */
function placeIn(document: CandidateDocument, source: JoinedChunks): (range: Span) => Place {
  const { toCodePoint } = codePointOffsets(source.text);
  const chunks = source.pieces.flatMap((piece) => chunksAt(piece));
  return ({ start, end }) => {
    const found = chunks.findLast((one) => one.at <= start);
    if (found === undefined) throw new Error(`no chunk of ${document.documentId} holds position ${start}`);
    const { at, chunk } = found;
    const utf16 = { start: start - at, end: end - at };
    const base = toCodePoint(at);
    const codePoint = { start: toCodePoint(start) - base, end: toCodePoint(end) - base };
    return {
      sourceChunkIndex: chunk.index,
      sourceChunk: { utf16, codePoint },
      sourceDocument: {
        utf16: moved(utf16, chunk.start),
        codePoint: moved(codePoint, chunk.startCodePoint),
      },
    };
  };
}

function chunksAt(piece: Piece): { at: number; chunk: SourceChunk }[] {
  let at = piece.at;
  return piece.chunks.map((chunk) => {
    const placed = { at, chunk };
    at += chunk.text.length;
    return placed;
  });
}

function moved({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

import { align, BARRIER } from "../alignment/align.ts";
import type { PreparedQuery } from "../alignment/prepared-query.ts";
import { overlapTextPreview } from "../report/preview.ts";
import type { MatchedSource, SourcePassage } from "../report/report.ts";
import { codePointOffsets } from "../text/code-points.ts";
import type { Span } from "../text/span.ts";
import { type Tokens, tokenise } from "../text/tokenise.ts";

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

/**
 * Aligns a prepared query with the given parts of documents and says where each passage lies in chunk and document.
 * Documents without a passage are left out; the others keep their order.
 */
export function alignDocuments(
  query: PreparedQuery,
  documents: readonly CandidateDocument[],
): MatchedSource[] {
  const sources: MatchedSource[] = [];
  for (const document of documents) {
    const source = joinChunks(document);
    const { kept } = align(query, source);
    if (kept.length === 0) continue;
    const placeOf = placeIn(document, source);
    const passages = kept.map(
      (passage): SourcePassage => ({
        query: passage.query,
        matchType: passage.matchType,
        ...placeOf(passage.source),
        preview: overlapTextPreview(source.text.slice(passage.source.start, passage.source.end)),
      }),
    );
    sources.push({ documentId: document.documentId, passages });
  }
  return sources;
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

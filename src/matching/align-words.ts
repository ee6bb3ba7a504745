import { groupItems, mapConcurrently } from "../platform/flow/concurrency.ts";
import { joinSpans, type Span } from "../text/span.ts";
import type { MatchableDocument, SearchableSet, TextRange } from "./set.ts";
import type { ChunkPosition, PackedPart } from "./tasks.ts";
import type { AlignedSource } from "./words/align.ts";
import type { ChunkPair, EvidenceByChunk } from "./words/found-chunks.ts";
import { STRONG_EVIDENCE } from "./words/reuse-evidence.ts";

/**
 * Most chunks that are read and aligned together: about 1 MB of text and 100 ms of a thread. Smaller inputs are split evenly
 * across the batches, so that a short text also uses two threads, down to a minimum batch size, since each thread prepares
 * the query for itself.
 */
const BATCH_CHUNKS_MAX = 300;
const BATCH_CHUNKS_LEAST = 20;

/** Batches of one check in progress at once: one is read while the other is aligned. */
const BATCHES_AT_ONCE = 2;

/**
 * Chunks around a hit that are aligned with it: a copied passage seldom starts and ends with its chunk. Hits with weak evidence are
 * aligned alone first, because most have no passage.
 */
const MARGIN_CHUNKS = 1;

/**
 * A passage that ends this close to the edge of the aligned text may continue beyond it. This is about a sentence of 25 words:
 * reworded passages end with a sentence, so one that continues ends before the sentence that the edge cuts.
 */
const EDGE_CHARS = 150;

/** Each widening doubles the margin, so this many cover a book of 4,000 chunks. */
const WIDENINGS_MAX = 11;

/** Reworded and summarised text is searched for in the query chunks that found a document, and in this many on each side. */
const MARGIN_QUERY_CHUNKS = 2;

export type AlignWordsInput = {
  readonly documentsToAlign: ReadonlyMap<string, EvidenceByChunk>;
  /** The query chunks that found each document. */
  readonly pairs: ReadonlyMap<string, readonly Pick<ChunkPair, "queryChunk">[]>;
  /** Where each chunk of the query begins, in UTF-16 units. */
  readonly chunkStarts: readonly number[];
  readonly set: Pick<SearchableSet, "findDocuments" | "readTexts">;
  /** A document of one chunk that is aligned whole, in place of the found chunks. */
  readonly whole?: MatchableDocument;
  readonly align: (documents: readonly PackedPart[]) => Promise<readonly AlignedSource[]>;
};

/**
 * Aligns the query with the chunks that were found and their surroundings. If a passage reaches the edge of the text that was
 * read, more of the document is read and aligned again, until every passage ends inside. The result includes documents
 * without a passage if any match in them was dropped.
 */
export async function alignWords(input: AlignWordsInput): Promise<AlignedSource[]> {
  const batches = batchesOf(await plansOf(input));
  const found: AlignedSource[] = [];
  for await (const ofBatch of mapConcurrently(batches, BATCHES_AT_ONCE, (batch) => alignBatch(batch, input)))
    found.push(...ofBatch);
  return found;
}

type Plan = {
  readonly document: MatchableDocument;
  readonly wanted: ReadonlySet<number>;
  /** In UTF-16 units of the query; see `TextPair`. By default the whole query. */
  readonly searchedParts?: readonly Span[];
};

async function plansOf({
  documentsToAlign,
  pairs,
  chunkStarts,
  set,
  whole,
}: AlignWordsInput): Promise<Plan[]> {
  if (whole !== undefined) return [{ document: whole, wanted: new Set([0]) }];
  const documents = await set.findDocuments([...documentsToAlign.keys()]);
  return documents.map((document) => ({
    document,
    wanted: firstWanted(documentsToAlign.get(document.documentId) ?? new Map(), document),
    searchedParts: partsAround(pairs.get(document.documentId) ?? [], chunkStarts),
  }));
}

async function alignBatch(batch: readonly Plan[], input: AlignWordsInput): Promise<AlignedSource[]> {
  const done: AlignedSource[] = [];
  let plans = batch;
  for (let widening = 0; plans.length > 0; widening += 1) {
    const sources = await input.align(await readParts(plans, input.set));
    const byId = new Map(sources.map((source) => [source.documentId, source]));
    const widened: Plan[] = [];
    for (const plan of plans) {
      const source = byId.get(plan.document.documentId);
      if (source === undefined) continue;
      const edges = widening < WIDENINGS_MAX ? openEdges(source, plan) : [];
      if (edges.length === 0) done.push(source);
      else widened.push(widen(plan, edges, 2 ** widening));
    }
    plans = widened;
  }
  return done;
}

async function readParts(
  plans: readonly Plan[],
  set: Pick<SearchableSet, "readTexts">,
): Promise<PackedPart[]> {
  const placed = plans.map((plan) => ({ plan, chunks: chunkPositions(plan) }));
  const sections = await set.readTexts(placed.flatMap(({ plan, chunks }) => rangesOf(plan, chunks)));
  return placed.flatMap(({ plan: { document, wanted: _, ...parts }, chunks }) => {
    const { documentId, language } = document;
    const found = sections.get(documentId);
    return found === undefined ? [] : [{ documentId, language, ...parts, chunks, sections: found }];
  });
}

/** The parts of the query around the chunks that found a document. */
function partsAround(
  pairs: readonly Pick<ChunkPair, "queryChunk">[],
  chunkStarts: readonly number[],
): Span[] {
  return joinSpans(
    pairs.map(({ queryChunk }) => ({
      start: chunkStarts[Math.max(0, queryChunk - MARGIN_QUERY_CHUNKS)] ?? 0,
      end: chunkStarts[queryChunk + MARGIN_QUERY_CHUNKS + 1] ?? Number.MAX_SAFE_INTEGER,
    })),
  );
}

/** The wanted chunks in their order. */
function chunkPositions({ document: { chunkOffsets }, wanted }: Plan): ChunkPosition[] {
  return [...wanted]
    .toSorted((a, b) => a - b)
    .map((index) => ({
      index,
      start: chunkOffsets.utf16[index] ?? 0,
      end: chunkOffsets.utf16[index + 1] ?? 0,
      startCodePoint: chunkOffsets.codePoints[index] ?? 0,
    }));
}

/** Neighbouring chunks are one range. */
function rangesOf({ document: { documentId } }: Plan, chunks: readonly ChunkPosition[]): TextRange[] {
  const ranges: TextRange[] = [];
  for (const { start, end } of chunks) {
    const last = ranges.at(-1);
    if (last?.end === start) ranges[ranges.length - 1] = { ...last, end };
    else ranges.push({ documentId, start, end });
  }
  return ranges;
}

/** The chunks at which a passage reaches the edge of the text that was read, while the document continues. */
function openEdges(source: AlignedSource, plan: Plan): number[] {
  const edges: number[] = [];
  for (const { index, start, end } of chunkPositions(plan)) {
    const openBefore = index > 0 && !plan.wanted.has(index - 1);
    const openAfter = index + 1 < chunkCount(plan.document) && !plan.wanted.has(index + 1);
    const reached = source.passages.some(({ sourceDocument: { utf16 } }) => {
      const atStart = openBefore && utf16.start >= start && utf16.start - start <= EDGE_CHARS;
      const atEnd = openAfter && utf16.end <= end && end - utf16.end <= EDGE_CHARS;
      return atStart || atEnd;
    });
    if (reached) edges.push(index);
  }
  return edges;
}

function widen(plan: Plan, edges: readonly number[], margin: number): Plan {
  return { ...plan, wanted: new Set([...plan.wanted, ...withMargin(edges, plan.document, margin)]) };
}

function firstWanted(chunks: EvidenceByChunk, document: MatchableDocument): Set<number> {
  const strong = [...chunks].filter(([, evidence]) => evidence >= STRONG_EVIDENCE).map(([chunk]) => chunk);
  return new Set([...withMargin(chunks.keys(), document, 0), ...withMargin(strong, document, MARGIN_CHUNKS)]);
}

function withMargin(chunks: Iterable<number>, document: MatchableDocument, margin: number): Set<number> {
  const wanted = new Set<number>();
  for (const chunk of chunks) {
    const last = Math.min(chunk + margin, chunkCount(document) - 1);
    for (let index = Math.max(0, chunk - margin); index <= last; index += 1) wanted.add(index);
  }
  return wanted;
}

function chunkCount({ chunkOffsets }: MatchableDocument): number {
  return chunkOffsets.utf16.length - 1;
}

function batchesOf(plans: readonly Plan[]): AsyncIterable<readonly Plan[]> {
  const sizeOf = ({ wanted }: Plan) => wanted.size;
  const total = plans.reduce((sum, plan) => sum + sizeOf(plan), 0);
  const share = Math.max(BATCH_CHUNKS_LEAST, Math.ceil(total / BATCHES_AT_ONCE));
  return groupItems(plans, { sizeMax: Math.min(BATCH_CHUNKS_MAX, share), sizeOf });
}

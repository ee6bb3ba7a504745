import type { CandidateDocument, SourceChunk } from "../../core/matching/align-documents.ts";
import type { MatchedSource } from "../../core/report/report.ts";
import type { MatchableDocument } from "../../corpus/index.ts";
import type { Candidates } from "./retrieving.ts";

/**
 * Chunks that are read and aligned together: about 1 MB of text and 100 ms of a thread, so that a check of a few
 * pages is one call and a long one is spread over the threads.
 */
const BATCH_CHUNKS = 300;

/** Batches of one check that are under way at once; with two, one is read while the other is aligned. */
const BATCHES_AT_ONCE = 2;

/** Chunks around a hit that are aligned with it: a copied passage seldom starts and ends with its chunk. */
const MARGIN_CHUNKS = 1;

/**
 * A passage that ends this near to the edge of what was aligned may run on beyond it. It leaves room for white space
 * and closing punctuation behind the last word.
 */
const EDGE_CHARS = 16;

/** Each widening doubles the margin, so that this many reach through a book of 4,000 chunks. */
const WIDENINGS_MAX = 11;

export type AlignInput = {
  readonly candidates: Candidates;
  readonly documents: readonly MatchableDocument[];
  readonly readChunks: (
    wanted: readonly { documentId: string; chunkIndex: number }[],
  ) => Promise<ReadonlyMap<string, readonly SourceChunk[]>>;
  readonly align: (documents: readonly CandidateDocument[]) => Promise<readonly MatchedSource[]>;
};

/**
 * Aligns the query with the candidate chunks and their surroundings. Where a passage reaches the edge of the text
 * that was read, more of the document is read and it is aligned again, until every passage ends inside.
 */
export async function alignCandidates(input: AlignInput): Promise<MatchedSource[]> {
  const plans = input.documents.map((document) => ({
    document,
    wanted: withMargin(input.candidates.get(document.documentId) ?? [], document, MARGIN_CHUNKS),
  }));
  const batches = batchesOf(plans);
  const found: MatchedSource[] = [];
  const workers = Array.from({ length: BATCHES_AT_ONCE }, async () => {
    for (let batch = batches.next(); batch.done !== true; batch = batches.next()) {
      found.push(...(await alignBatch(batch.value, input)));
    }
  });
  await Promise.all(workers);
  return found;
}

type Plan = { readonly document: MatchableDocument; readonly wanted: ReadonlySet<number> };

async function alignBatch(batch: readonly Plan[], input: AlignInput): Promise<MatchedSource[]> {
  const done: MatchedSource[] = [];
  let plans = batch;
  for (let widening = 0; plans.length > 0; widening += 1) {
    const candidates = await readCandidates(plans, input.readChunks);
    const sources = await input.align(candidates);
    const byId = new Map(sources.map((source) => [source.documentId, source]));
    const widened: Plan[] = [];
    for (const [position, plan] of plans.entries()) {
      const source = byId.get(plan.document.documentId);
      if (source === undefined) continue;
      const edges = widening < WIDENINGS_MAX ? openEdges(source, candidates[position], plan) : [];
      if (edges.length === 0) done.push(source);
      else widened.push(widen(plan, edges, 2 ** widening));
    }
    plans = widened;
  }
  return done;
}

async function readCandidates(
  plans: readonly Plan[],
  readChunks: AlignInput["readChunks"],
): Promise<CandidateDocument[]> {
  const addresses = plans.flatMap(({ document: { documentId }, wanted }) =>
    [...wanted].map((chunkIndex) => ({ documentId, chunkIndex })),
  );
  const chunks = await readChunks(addresses);
  return plans.map(({ document: { documentId, language } }) => ({
    documentId,
    language,
    chunks: (chunks.get(documentId) ?? []).toSorted((a, b) => a.index - b.index),
  }));
}

/** The chunks at which a passage reaches the edge of what was read while the document goes on behind it. */
function openEdges(source: MatchedSource, candidate: CandidateDocument | undefined, plan: Plan): number[] {
  const edges: number[] = [];
  for (const chunk of candidate?.chunks ?? []) {
    const start = chunk.start;
    const end = chunk.start + chunk.text.length;
    const openBefore = chunk.index > 0 && !plan.wanted.has(chunk.index - 1);
    const openAfter = chunk.index + 1 < plan.document.chunkCount && !plan.wanted.has(chunk.index + 1);
    const reached = source.passages.some(({ sourceDocument: { utf16 } }) => {
      const atStart = openBefore && utf16.start >= start && utf16.start - start <= EDGE_CHARS;
      const atEnd = openAfter && utf16.end <= end && end - utf16.end <= EDGE_CHARS;
      return atStart || atEnd;
    });
    if (reached) edges.push(chunk.index);
  }
  return edges;
}

function widen(plan: Plan, edges: readonly number[], margin: number): Plan {
  return { ...plan, wanted: new Set([...plan.wanted, ...withMargin(edges, plan.document, margin)]) };
}

function withMargin(
  chunks: Iterable<number>,
  { chunkCount }: MatchableDocument,
  margin: number,
): Set<number> {
  const wanted = new Set<number>();
  for (const chunk of chunks) {
    const last = Math.min(chunk + margin, chunkCount - 1);
    for (let index = Math.max(0, chunk - margin); index <= last; index += 1) wanted.add(index);
  }
  return wanted;
}

function* batchesOf(plans: readonly Plan[]): Generator<readonly Plan[], undefined> {
  let batch: Plan[] = [];
  let chunks = 0;
  for (const plan of plans) {
    if (batch.length > 0 && chunks + plan.wanted.size > BATCH_CHUNKS) {
      yield batch;
      batch = [];
      chunks = 0;
    }
    batch.push(plan);
    chunks += plan.wanted.size;
  }
  if (batch.length > 0) yield batch;
  return undefined;
}

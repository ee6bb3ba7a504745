/** A query sentence and the sentence of the source that says the same, by their numbers. */
export type SentencePair = { readonly query: number; readonly source: number };

/** Rows of zeros in one block of memory: collecting thousands of small arrays takes longer. */
export function valueRows(rows: number, length: number): Float32Array[] {
  const block = new Float32Array(rows * length);
  return Array.from({ length: rows }, (_, row) => block.subarray(row * length, (row + 1) * length));
}

/** A value for each pair, by query and by source sentence. */
export function pairValues<S>(
  queries: number,
  sources: readonly S[],
  valueAt: (query: number, source: S, place: number) => number,
): Float32Array[] {
  const rows = valueRows(queries, sources.length);
  for (const [query, values] of rows.entries())
    sources.forEach((source, place) => {
      values[place] = valueAt(query, source, place);
    });
  return rows;
}

/** The cost of a query sentence without a counterpart: authors insert their own sentences. */
const GAP_COST = 0.08;

/** More of them in a row end a passage, which would otherwise mark a paragraph of the author's own. A bound of 1 reports one more of 1,000 articles. */
const GAP_SENTENCES_MAX = 2;

/** How far the next pair may lie in the source, in sentences and in either direction, and the cost of each sentence. */
export const JUMP_MAX = 6;
const JUMP_COST = 0.01;

/** Rows below this are noise. */
const SCORE_MIN = 0.15;

/** Enough for a text that takes several parts of one source. */
const PASSAGES_MAX = 20;

/**
 * Finds rows of query sentences that follow the source, best first, by local alignment (Smith & Waterman, 1981) of sentences:
 * several query sentences may share one of the source, the order may change within `JUMP_MAX` sentences, and query sentences
 * may be put in between. No query sentence is in two rows.
 * @param values how strongly a pair of sentences suggests reuse, by query and by source sentence; 0 as in any two texts.
 * @param used the query sentences that no row may contain; the sentences of the rows are added.
 * @param startsParagraph by query sentence: rows are extended within a paragraph only.
 */
export function alignSentences(
  values: readonly Float32Array[],
  used: boolean[],
  startsParagraph: readonly boolean[],
): SentencePair[][] {
  const rows: SentencePair[][] = [];
  while (rows.length < PASSAGES_MAX) {
    const best = bestRow(values, used);
    if (best === undefined || best.score < SCORE_MIN) return rows;
    const row = withNeighbours(best.pairs, values, used, startsParagraph);
    rows.push(row);
    for (const { query } of row) used[query] = true;
  }
  return rows;
}

/**
 * Extends a row at both ends by query sentences that are nearly as similar to the source beside it as to any other: once
 * a passage is found, its neighbours are likely to belong to it.
 */
function withNeighbours(
  pairs: readonly SentencePair[],
  values: readonly Float32Array[],
  used: readonly boolean[],
  startsParagraph: readonly boolean[],
): SentencePair[] {
  const extended = [...pairs];
  for (const step of [-1, 1] as const) {
    for (;;) {
      const edge = step < 0 ? extended[0] : extended.at(-1);
      if (edge === undefined) break;
      const query = edge.query + step;
      if (startsParagraph[step < 0 ? edge.query : query] === true) break;
      const ofQuery = used[query] === false ? values[query] : undefined;
      if (ofQuery === undefined) break;
      const best = bestNear(ofQuery, edge.source);
      if (best.value < NEIGHBOUR_VALUE_MIN) break;
      const pair = { query, source: best.source };
      if (step < 0) extended.unshift(pair);
      else extended.push(pair);
    }
  }
  return extended;
}

const NEIGHBOUR_VALUE_MIN = -0.05;

function bestNear(values: Float32Array, source: number): { readonly source: number; readonly value: number } {
  let best = { source, value: Number.NEGATIVE_INFINITY };
  const end = Math.min(values.length, source + JUMP_MAX + 1);
  for (let at = Math.max(0, source - JUMP_MAX); at < end; at++) {
    const value = values[at] ?? Number.NEGATIVE_INFINITY;
    if (value > best.value) best = { source: at, value };
  }
  return best;
}

/** The state of a row that ends at a source sentence: its score, and the pair that it ends with. */
type State = { readonly score: number; readonly last: Link };
type Link = SentencePair & { readonly before: Link | undefined };

function bestRow(
  values: readonly Float32Array[],
  used: readonly boolean[],
): { readonly pairs: readonly SentencePair[]; readonly score: number } | undefined {
  const sourceSentences = values[0]?.length ?? 0;
  let states: (State | undefined)[] = new Array(sourceSentences);
  let best: State | undefined;
  for (const [query, ofQuery] of values.entries()) {
    if (used[query] === true) {
      states = new Array(sourceSentences);
      continue;
    }
    const next: (State | undefined)[] = new Array(sourceSentences);
    for (let source = 0; source < sourceSentences; source++) {
      const value = ofQuery[source] ?? 0;
      const before = bestBefore(states, source);
      const score = value + Math.max(0, before?.score ?? 0);
      const paired =
        value > 0
          ? {
              score,
              last: { query, source, before: (before?.score ?? 0) > 0 ? before?.last : undefined },
            }
          : undefined;
      if (paired !== undefined && paired.score > (best?.score ?? 0)) best = paired;
      const own = states[source];
      const canSkip =
        own !== undefined && query - own.last.query <= GAP_SENTENCES_MAX && own.score > GAP_COST;
      const skipped = canSkip ? { ...own, score: own.score - GAP_COST } : undefined;
      next[source] = (paired?.score ?? 0) >= (skipped?.score ?? 0) ? paired : skipped;
    }
    states = next;
  }
  if (best === undefined) return undefined;
  const pairs: SentencePair[] = [];
  for (let link: Link | undefined = best.last; link !== undefined; link = link.before)
    pairs.push({ query: link.query, source: link.source });
  return { pairs: pairs.reverse(), score: best.score };
}

function bestBefore(states: readonly (State | undefined)[], source: number): State | undefined {
  let best: State | undefined;
  for (let from = Math.max(0, source - JUMP_MAX); from <= source + JUMP_MAX; from++) {
    const state = states[from];
    if (state === undefined) continue;
    const score = state.score - JUMP_COST * Math.abs(source - from);
    if (best === undefined || score > best.score) best = { score, last: state.last };
  }
  return best;
}

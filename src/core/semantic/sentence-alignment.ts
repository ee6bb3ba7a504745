/** A sentence of the query and the sentence of the source that says the same, by their numbers; `margin` beyond the background. */
export type SentencePair = { readonly query: number; readonly source: number; readonly margin: number };

/** A row of query sentences that follow a part of a source. `score`: the margins of its pairs less the costs. */
export type AlignedSentences = { readonly pairs: readonly SentencePair[]; readonly score: number };

/** What a query sentence costs that has no counterpart: authors put in sentences of their own. */
const GAP_COST = 0.08;

/** How far the source may be left in either direction from one pair to the next, and what each sentence of that costs. */
const JUMP_MAX = 6;
const JUMP_COST = 0.01;

/** Pairs below this are noise: a passage does not end in one. */
const SCORE_MIN = 0.15;

/** Enough for a text that takes several parts of one source. */
const PASSAGES_MAX = 20;

export type AlignmentInput = {
  readonly querySentences: number;
  readonly sourceSentences: number;
  /** The cosine of two sentences less its usual background. */
  readonly margin: (query: number, source: number) => number;
  /** Whether no passage may contain this query sentence. */
  readonly isBarred: (query: number) => boolean;
};

/**
 * Finds rows of query sentences that follow the source, best first, by local alignment (Smith & Waterman, 1981) of sentences:
 * several query sentences may share one of the source, the order may change within `JUMP_MAX` sentences, and query sentences
 * may be put in between. No query sentence is in two rows.
 */
export function alignSentences(input: AlignmentInput): AlignedSentences[] {
  const { querySentences, sourceSentences } = input;
  const margins = Array.from({ length: querySentences }, (_, query) =>
    Float32Array.from({ length: sourceSentences }, (_, source) => input.margin(query, source)),
  );
  const used = Array.from({ length: querySentences }, (_, query) => input.isBarred(query));
  const rows: AlignedSentences[] = [];
  while (rows.length < PASSAGES_MAX) {
    const best = bestRow(margins, used);
    if (best === undefined || best.score < SCORE_MIN) return rows;
    const row = { ...best, pairs: withNeighbours(best.pairs, margins, used) };
    rows.push(row);
    for (const { query } of row.pairs) used[query] = true;
  }
  return rows;
}

/**
 * Extends a row at both ends by query sentences that are nearly as similar to the source beside it as their background: once
 * a passage is found, its neighbours are likely to belong to it.
 */
function withNeighbours(
  pairs: readonly SentencePair[],
  margins: readonly Float32Array[],
  used: readonly boolean[],
): SentencePair[] {
  const extended = [...pairs];
  for (const step of [-1, 1] as const) {
    for (;;) {
      const edge = step < 0 ? extended[0] : extended.at(-1);
      if (edge === undefined) break;
      const query = edge.query + step;
      const ofQuery = used[query] === false ? margins[query] : undefined;
      if (ofQuery === undefined) break;
      const best = bestNear(ofQuery, edge.source);
      if (best.margin < NEIGHBOUR_MARGIN_MIN) break;
      const pair = { query, ...best };
      if (step < 0) extended.unshift(pair);
      else extended.push(pair);
    }
  }
  return extended;
}

const NEIGHBOUR_MARGIN_MIN = -0.05;

function bestNear(
  margins: Float32Array,
  source: number,
): { readonly source: number; readonly margin: number } {
  let best = { source, margin: Number.NEGATIVE_INFINITY };
  const end = Math.min(margins.length, source + JUMP_MAX + 1);
  for (let at = Math.max(0, source - JUMP_MAX); at < end; at++) {
    const margin = margins[at] ?? Number.NEGATIVE_INFINITY;
    if (margin > best.margin) best = { source: at, margin };
  }
  return best;
}

/** The state of a row that ends at a source sentence: its score, and the pair that it ends with. */
type State = { readonly score: number; readonly last: Link };
type Link = SentencePair & { readonly before: Link | undefined };

function bestRow(margins: readonly Float32Array[], used: readonly boolean[]): AlignedSentences | undefined {
  const sourceSentences = margins[0]?.length ?? 0;
  let states: (State | undefined)[] = new Array(sourceSentences);
  let best: State | undefined;
  for (const [query, ofQuery] of margins.entries()) {
    if (used[query] === true) {
      states = new Array(sourceSentences);
      continue;
    }
    const next: (State | undefined)[] = new Array(sourceSentences);
    for (let source = 0; source < sourceSentences; source++) {
      const margin = ofQuery[source] ?? 0;
      const before = bestBefore(states, source);
      const score = margin + Math.max(0, before?.score ?? 0);
      const paired =
        margin > 0
          ? {
              score,
              last: { query, source, margin, before: (before?.score ?? 0) > 0 ? before?.last : undefined },
            }
          : undefined;
      if (paired !== undefined && paired.score > (best?.score ?? 0)) best = paired;
      const own = states[source];
      const skipped =
        own !== undefined && own.score > GAP_COST ? { ...own, score: own.score - GAP_COST } : undefined;
      next[source] = (paired?.score ?? 0) >= (skipped?.score ?? 0) ? paired : skipped;
    }
    states = next;
  }
  if (best === undefined) return undefined;
  const pairs: SentencePair[] = [];
  for (let link: Link | undefined = best.last; link !== undefined; link = link.before)
    pairs.push({ query: link.query, source: link.source, margin: link.margin });
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

import { joinSpans, type Span, spansLength, subtractSpans } from "../../../src/text/span.ts";
import type { PeerAnswer } from "./peer-job.ts";

/** A query with known planted passages. */
export type KnownQuery = {
  readonly name: string;
  /** Queries of a class are counted together. */
  readonly className: string;
  /** The spans that were planted in the query, in code points, by the name of the source. */
  readonly planted: ReadonlyMap<string, readonly Span[]>;
  /** Whether nothing else of it stands in any source, so that every other source is a false one. */
  readonly isAllKnown: boolean;
};

/** How much of the planted text was found in some queries. All figures are sums, so that classes can be added up. */
export type Recall = {
  readonly queries: number;
  /** Planted sources, and how many of them were named. */
  readonly sources: number;
  readonly foundSources: number;
  /** Planted characters of the queries, and how many of them were marked as their source's. */
  readonly chars: number;
  readonly foundChars: number;
  /** Characters that were marked as taken from those sources, rightly or not. */
  readonly markedChars: number;
  /** Queries with complete ground truth, and the sources that were wrongly named for them. */
  readonly knownQueries: number;
  readonly falseSources: number;
};

const NOTHING: Recall = {
  queries: 0,
  sources: 0,
  foundSources: 0,
  chars: 0,
  foundChars: 0,
  markedChars: 0,
  knownQueries: 0,
  falseSources: 0,
};

/** By class, in the order in which the queries have them. A query without an answer has nothing found in it. */
export function recallByClass(
  queries: readonly KnownQuery[],
  answers: readonly PeerAnswer[],
): ReadonlyMap<string, Recall> {
  const answerOf = new Map(answers.map((answer) => [answer.queryName, answer.found]));
  const byClass = new Map<string, Recall>();
  for (const query of queries) {
    const before = byClass.get(query.className) ?? NOTHING;
    byClass.set(query.className, sum(before, recallOf(query, answerOf.get(query.name) ?? new Map())));
  }
  return byClass;
}

export function recallOfAll(byClass: ReadonlyMap<string, Recall>): Recall {
  return [...byClass.values()].reduce(sum, NOTHING);
}

function recallOf(query: KnownQuery, found: PeerAnswer["found"]): Recall {
  const named = [...query.planted].filter(([source]) => found.has(source));
  const other = [...found.keys()].filter((source) => !query.planted.has(source));
  return {
    queries: 1,
    sources: query.planted.size,
    foundSources: named.length,
    chars: total([...query.planted.values()].map(coveredChars)),
    foundChars: total(named.map(([source, spans]) => commonChars(spans, found.get(source) ?? []))),
    markedChars: total(named.map(([source]) => coveredChars(found.get(source) ?? []))),
    knownQueries: query.isAllKnown ? 1 : 0,
    falseSources: query.isAllKnown ? other.length : 0,
  };
}

function sum(one: Recall, other: Recall): Recall {
  return {
    queries: one.queries + other.queries,
    sources: one.sources + other.sources,
    foundSources: one.foundSources + other.foundSources,
    chars: one.chars + other.chars,
    foundChars: one.foundChars + other.foundChars,
    markedChars: one.markedChars + other.markedChars,
    knownQueries: one.knownQueries + other.knownQueries,
    falseSources: one.falseSources + other.falseSources,
  };
}

function coveredChars(spans: readonly Span[]): number {
  return spansLength(joinSpans(spans));
}

/** How many characters lie in spans of both kinds. */
function commonChars(some: readonly Span[], others: readonly Span[]): number {
  const holes = joinSpans(others);
  const missing = joinSpans(some).flatMap((span) => subtractSpans(span, holes));
  return coveredChars(some) - spansLength(missing);
}

function total(counts: readonly number[]): number {
  return counts.reduce((before, count) => before + count, 0);
}

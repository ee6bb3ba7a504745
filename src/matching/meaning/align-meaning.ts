import { enclosingSpan, overlapLength, type Span } from "../../text/span.ts";
import type { TermCounts } from "../words/search-terms.ts";
import { MARGIN_MIN, type SentenceEvidence } from "./meaning-decision.ts";
import type { MeaningModel } from "./meaning-model.ts";
import { alignSentences, JUMP_MAX, pairValues, type SentencePair } from "./sentence-alignment.ts";
import { CodeCosines } from "./sentence-code.ts";
import type { SentenceFingerprint } from "./sentence-section.ts";
import type { SentenceWords } from "./shared-words.ts";
import { wordEvidence } from "./word-evidence.ts";

/** A query sentence: its place (UTF-16), its vector of length 1 and the background of its cosines. */
export type QuerySentence = {
  readonly span: Span;
  readonly vector: Float32Array;
  readonly background: number;
  /** True if a word match in some source covers it; it is then not compared by meaning. */
  readonly isCovered: boolean;
};

/** Compares vectors with codes; each vector is prepared once, since it is compared with many places. Vectors are told apart by identity. */
export class CosinesByVector {
  readonly model: Pick<MeaningModel, "mean" | "calibration">;
  readonly #prepared = new Map<Float32Array, CodeCosines>();

  constructor(model: Pick<MeaningModel, "mean" | "calibration">) {
    this.model = model;
  }

  of(vector: Float32Array): CodeCosines {
    const known = this.#prepared.get(vector);
    if (known !== undefined) return known;
    const fresh = new CodeCosines(vector, this.model.mean, this.model.calibration.code);
    this.#prepared.set(vector, fresh);
    return fresh;
  }
}

/** Cosines of query sentences with corpus sentences, beyond their background. */
export class MeaningComparison {
  readonly #query: readonly QuerySentence[];
  readonly #cosines: readonly CodeCosines[];
  readonly #marginScale: number;

  constructor(cosines: CosinesByVector, query: readonly QuerySentence[]) {
    this.#query = query;
    this.#marginScale = cosines.model.calibration.marginScale;
    this.#cosines = query.map(({ vector }) => cosines.of(vector));
  }

  /** How much of the query sentences `[first, end)` these sentences may contain: the sum of the best margins. */
  reach(first: number, end: number, sentences: readonly SentenceFingerprint[]): number {
    let sum = 0;
    for (let query = first; query < end; query++) {
      if (this.#query[query]?.isCovered !== false) continue;
      let best = 0;
      for (const sentence of sentences) best = Math.max(best, this.margin(query, sentence));
      sum += best;
    }
    return sum;
  }

  /** The cosine less the mean background of both sentences, on the scale of the built-in model. */
  margin(query: number, sentence: SentenceFingerprint): number {
    const cosine = this.#cosines[query]?.of(sentence.code, 0) ?? 0;
    return (cosine - ((this.#query[query]?.background ?? 0) + sentence.background) / 2) * this.#marginScale;
  }
}

/** The query sentences and the source sentences that are aligned, with the terms of their words. */
type AlignedPlace = {
  readonly query: readonly (QuerySentence &
    SentenceWords & {
      /** Whether a blank line stands before it. */
      readonly startsParagraph: boolean;
    })[];
  readonly source: readonly (SentenceFingerprint & { readonly terms: ReadonlySet<string> })[];
  /** The passages that words have found in this document. */
  readonly byWords: readonly WordMatch[];
};

/** A passage that words have found: its places in the query and in the document (UTF-16). */
export type WordMatch = { readonly query: Span; readonly source: Span };

/** Sentences that correspond, with their places (UTF-16); `margin`: their cosine beyond its background. */
type MeaningPair = { readonly query: Span; readonly source: Span; readonly margin: number };

/** Consecutive query sentences that may come from the source, with the evidence for it. */
export type MeaningMatch = {
  readonly query: Span;
  readonly source: Span;
  readonly pairs: readonly MeaningPair[];
  /** Names and numbers of the query sentences that are missing at this place of the source, as they are written. */
  readonly ownNames: readonly string[];
  readonly evidence: Omit<SentenceEvidence, "isSameLanguage" | "querySentences">;
};

/** The rows of query sentences that follow the source, best first; each one alone, and with the rest of its paragraph. */
type MeaningRow = { readonly row: MeaningMatch; readonly paragraph: MeaningMatch | undefined };

/** A margin of .1 weighs as much as 5 nats of words: then most of the rewritten texts are found. */
const MARGIN_PER_NAT = 0.02;
const NATS_MIN = -1;
const NATS_MAX = 5;

/** Lower bound of the word evidence of a sentence elsewhere in the source, in nats. */
const ELSEWHERE_MIN = -3;

/** Sentences this near to a passage may be its source too. */
const NEIGHBOURS = 2;

/** Pairs with a lower margin are not shown: they correspond too little. */
const SHOWN_MARGIN_MIN = -0.05;

/** Aligns query sentences with a part of a source by meaning and words. */
export function alignMeaning(
  cosines: CosinesByVector,
  { query, source, byWords }: AlignedPlace,
  counts: TermCounts,
): MeaningRow[] {
  const comparison = new MeaningComparison(cosines, query);
  const margins = pairValues(query.length, source, (at, sentence) => comparison.margin(at, sentence));
  const words = wordEvidence(
    query.map(({ terms }) => terms),
    source.map(({ terms }) => terms),
    counts,
  );
  const values = pairValues(query.length, source, (at, _, place) => {
    const nats = words[at]?.[place] ?? 0;
    return (margins[at]?.[place] ?? 0) + MARGIN_PER_NAT * Math.min(NATS_MAX, Math.max(NATS_MIN, nats));
  });
  const barred = query.map(({ isCovered }) => isCovered);
  const rows = alignSentences(
    values,
    [...barred],
    query.map(({ startsParagraph }) => startsParagraph),
  );
  return rows.map((row) => ({ row: matchOf(row), paragraph: withParagraph(row) }));

  /** The row with all sentences of its paragraph; undefined if that adds none, or if the row crosses a paragraph. */
  function withParagraph(row: readonly SentencePair[]): MeaningMatch | undefined {
    const [first, last] = [row[0], row.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    let start = first.query;
    while (start > 0 && query[start]?.startsParagraph !== true) start--;
    let end = start + 1;
    while (end < query.length && query[end]?.startsParagraph !== true) end++;
    const isWhole = start === first.query && end === last.query + 1;
    if (isWhole || last.query >= end) return undefined;
    const sources = row.map((pair) => pair.source);
    const from = Math.max(0, Math.min(...sources) - JUMP_MAX);
    const to = Math.min(source.length, Math.max(...sources) + JUMP_MAX + 1);
    const pairs: SentencePair[] = [];
    for (let at = start; at < end; at++) {
      if (barred[at] === true) return undefined;
      const known = row.find((pair) => pair.query === at);
      pairs.push(known ?? { query: at, source: bestIn(values[at], from, to) });
    }
    return matchOf(pairs);
  }

  function matchOf(pairs: readonly SentencePair[]): MeaningMatch {
    const sources = pairs.map((pair) => pair.source);
    const [first, last] = [Math.min(...sources), Math.max(...sources)];
    const [queryFirst, queryEnd] = [pairs[0]?.query ?? 0, (pairs.at(-1)?.query ?? -1) + 1];
    const sentences = queryEnd - queryFirst;
    const [before, after] = [first - NEIGHBOURS, last + NEIGHBOURS];
    let [meaning, meaningElsewhere, found, elsewhere] = [MARGIN_MIN * (sentences - pairs.length), 0, 0, 0];
    const marginOf = (pair: SentencePair) => margins[pair.query]?.[pair.source] ?? 0;
    for (const pair of pairs) {
      meaning += Math.max(MARGIN_MIN, marginOf(pair));
      found += words[pair.query]?.[pair.source] ?? 0;
      meaningElsewhere += bestOutside(margins[pair.query], before, after, MARGIN_MIN);
      elsewhere += bestOutside(words[pair.query], before, after, ELSEWHERE_MIN);
    }
    const shown = pairs.filter((pair) => marginOf(pair) >= SHOWN_MARGIN_MIN);
    const counted = shown.length > 0 ? shown : pairs;
    const shownSources = counted.map((pair) => pair.source);
    const names = new Map(query.slice(queryFirst, queryEnd).flatMap((sentence) => [...sentence.names]));
    const ownNames = namesMissing(
      names,
      source.slice(Math.max(0, Math.min(...shownSources) - 1), Math.max(...shownSources) + 2),
    );
    return {
      query: spansOf(pairs.map((pair) => query[pair.query])).reduce(enclosingSpan),
      source: spansOf(shownSources.map((at) => source[at])).reduce(enclosingSpan),
      pairs: counted.flatMap((pair) => {
        const [ofQuery, ofSource] = [query[pair.query]?.span, source[pair.source]?.span];
        return ofQuery && ofSource ? [{ query: ofQuery, source: ofSource, margin: marginOf(pair) }] : [];
      }),
      ownNames,
      evidence: {
        meaning,
        meaningElsewhere,
        words: found,
        wordsElsewhere: elsewhere,
        namesFound: names.size - ownNames.length,
        namesMissing: ownNames.length,
        isBesideWords: isBesideWords(queryFirst, queryEnd, first, last),
        sentences,
      },
    };
  }

  /** Whether words have found the query sentence before or behind these, in the same paragraph, near these source sentences. */
  function isBesideWords(queryFirst: number, queryEnd: number, first: number, last: number): boolean {
    const beside = [
      query[queryFirst]?.startsParagraph === true ? undefined : query[queryFirst - 1],
      query[queryEnd]?.startsParagraph === true ? undefined : query[queryEnd],
    ];
    const near = spansOf(source.slice(Math.max(0, first - JUMP_MAX), last + JUMP_MAX + 1));
    return beside.some(
      (sentence) =>
        sentence?.isCovered === true &&
        byWords.some(
          (passage) =>
            overlapLength(passage.query, sentence.span) > 0 &&
            near.some((span) => overlapLength(passage.source, span) > 0),
        ),
    );
  }
}

function spansOf(sentences: readonly ({ readonly span: Span } | undefined)[]): Span[] {
  return sentences.flatMap((sentence) => sentence?.span ?? []);
}

/** The written forms of those names, given by their terms, that are in none of the sentences. */
function namesMissing(names: ReadonlyMap<string, string>, sentences: AlignedPlace["source"]): string[] {
  return [...names]
    .filter(([term]) => !sentences.some(({ terms }) => terms.has(term)))
    .map(([, written]) => written);
}

function bestIn(values: Float32Array | undefined, from: number, to: number): number {
  let best = from;
  for (let at = from; at < to; at++) if ((values?.[at] ?? 0) > (values?.[best] ?? 0)) best = at;
  return best;
}

/** The greatest value outside `[first, last]`, at least `least`. */
function bestOutside(values: Float32Array | undefined, first: number, last: number, least: number): number {
  let best = least;
  for (const [at, value] of (values ?? []).entries())
    if ((at < first || at > last) && value > best) best = value;
  return best;
}

import { enclosingSpan, gapLength, overlapLength, type Span, spanLength } from "../../text/span.ts";
import type { TermCounts } from "../words/search-terms.ts";
import { dot } from "./centroids.ts";
import { MARGIN_MAX, MARGIN_MIN, rewordedLogOdds, supportOf, translatedLogOdds } from "./meaning-decision.ts";
import type { MeaningModel } from "./meaning-model.ts";
import { bestIn, bestWindow, paragraphParts } from "./paragraphs.ts";
import { alignSentences, JUMP_MAX, pairValues, type SentencePair } from "./sentence-alignment.ts";
import { CodeCosines } from "./sentence-code.ts";
import type { SentenceFingerprint } from "./sentence-section.ts";
import type { SentenceWords } from "./shared-words.ts";
import { windowedTerms, wordEvidence } from "./word-evidence.ts";

/** The background of a query sentence that there was no time to encode: it equals no other. */
export const NOT_ENCODED_BACKGROUND = 1;

/** A query sentence: its place (UTF-16), its vector of length 1 and the background of its cosines. */
export type QuerySentence = {
  readonly span: Span;
  readonly vector: Float32Array;
  readonly background: number;
  /** True if a word match in some source covers it; it is then not compared by meaning. */
  readonly isCovered: boolean;
  /** Whether a blank line stands before it, or nothing. */
  readonly startsParagraph: boolean;
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

  /** The margins of pairs of query sentences that are near each other and are compared. */
  ownMargins(): number[] {
    const compared = this.#query.filter(isCompared);
    return compared.flatMap((sentence, at) =>
      compared.slice(Math.max(0, at - OWN_DISTANCE_MAX), at).map((other) => {
        const cosine = dot(sentence.vector, other.vector, 0, sentence.vector.length);
        return (cosine - (sentence.background + other.background) / 2) * this.#marginScale;
      }),
    );
  }
}

/** The number of sentences before a query sentence that make pairs with it: all of a usual paragraph, few of a long text. */
const OWN_DISTANCE_MAX = 4;

function isCompared({ isCovered, background }: QuerySentence): boolean {
  return !isCovered && background < NOT_ENCODED_BACKGROUND;
}

/** The query sentences and the source sentences that are aligned, with the terms of their words. */
type AlignedPlace = {
  readonly query: readonly (QuerySentence & SentenceWords)[];
  readonly source: readonly (SentenceFingerprint & Pick<SentenceWords, "terms" | "formulas">)[];
  /** The passages that words have found in this document. */
  readonly byWords: readonly WordMatch[];
};

/** A passage that words have found: its places in the query and in the document (UTF-16). */
export type WordMatch = { readonly query: Span; readonly source: Span };

/** Sentences that correspond, with their places (UTF-16); `margin`: their cosine beyond its background. */
type MeaningPair = { readonly query: Span; readonly source: Span; readonly margin: number };

/** Consecutive query sentences that may come from the source. */
export type MeaningMatch = {
  readonly query: Span;
  readonly source: Span;
  readonly pairs: readonly MeaningPair[];
  /** Names and numbers of the query sentences that are missing at this place of the source, as they are written. */
  readonly ownNames: readonly string[];
  /** Above 0, it is reuse. */
  readonly logOdds: number;
};

type AlignedMeaning = {
  /** Paragraphs, parts of long ones and rows of sentences in them, judged as reworded text; they overlap. */
  readonly reworded: readonly MeaningMatch[];
  /** Rows of sentences that follow the source, best first, judged as translations; each with the rest of its paragraph if that is better. */
  readonly translated: readonly MeaningMatch[];
};

/** A margin of .1 weighs as much as 5 nats of words: then most of the rewritten texts are found. */
const MARGIN_PER_NAT = 0.02;
const NATS_MIN = -1;
const NATS_MAX = 5;

/** Sentences this near to a passage may be its source too. */
const NEIGHBOURS = 2;

/** Parts of a paragraph are one match if both may be reuse: with odds of 1 to 7 or more. */
const JOINED_LOG_ODDS_MIN = -2;

/** Pairs with a lower margin are not shown: they correspond too little. */
const SHOWN_MARGIN_MIN = -0.05;

/**
 * The mean margin of all pairs of sentences of two texts in a language that the encoder knows: in the Universal Declaration of Human Rights, from
 * -.18 (Dutch) to -.03 (Chinese in traditional characters). In other languages it is up to .6, as the encoder hardly tells their sentences apart.
 */
const USUAL_MEAN_MARGIN = -0.14;

/** Pseudocount: the number of pairs with the usual mean that are added, since most sentences of two short texts may correspond. */
const PRIOR_PAIRS = 20;

/** Aligns query sentences with a part of a source by meaning and words. @param querySentences of the whole query */
export function alignMeaning(
  cosines: CosinesByVector,
  { query, source, byWords }: AlignedPlace,
  counts: TermCounts,
  querySentences: number,
): AlignedMeaning {
  const comparison = new MeaningComparison(cosines, query);
  const margins = pairValues(query.length, source, (at, sentence) => comparison.margin(at, sentence));
  subtractExcess(margins, query, comparison.ownMargins());
  const queryTerms = query.map(({ terms }) => terms);
  const known = windowedTerms(new Set(queryTerms.flatMap((terms) => [...terms])), source, counts);
  const words = wordEvidence(queryTerms, known, source.length);
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
  return {
    reworded: paragraphParts(query, rows).flatMap((parts) =>
      withJoined(parts.flatMap((part) => rewordedMatch(part) ?? [])),
    ),
    translated: rows.map((row) => {
      const paragraph = withParagraph(row);
      const whole = paragraph && translatedMatch(paragraph);
      // A paragraph that holds as a whole was most likely taken as a whole.
      return whole !== undefined && whole.logOdds > 0 ? whole : translatedMatch(row);
    }),
  };

  /** A part beside its best window of the source; undefined without a source. */
  function rewordedMatch(part: Span): RewordedMatch | undefined {
    const sentences = query.slice(part.start, part.end);
    const terms = new Set(sentences.flatMap((sentence) => [...sentence.terms]));
    const length = spanLength(spansOf(sentences).reduce(enclosingSpan));
    const ofTerms = [...terms].flatMap((term) => known.get(term) ?? []);
    const window = bestWindow({ ...part, length }, ofTerms, source, margins);
    if (window === undefined) return undefined;
    const pairs = sentences.map((_, at) => ({
      query: part.start + at,
      source: bestIn(margins[part.start + at], window),
    }));
    const names = new Map(sentences.flatMap((sentence) => [...sentence.names]));
    const ownNames = namesMissing(names, source.slice(Math.max(0, window.start - 1), window.end + 1));
    const evidence = {
      words: window.words,
      meaning: pairs.reduce((sum, pair) => sum + Math.min(MARGIN_MAX, marginOf(pair)), 0) / pairs.length,
      namesFound: names.size - ownNames.length,
      namesMissing: ownNames.length,
      sourceSentences: new Set(pairs.map((pair) => pair.source)).size,
      length,
      formulaShare: Math.min(
        formulaShare(sentences),
        formulaShare(pairs.flatMap((pair) => source[pair.source] ?? [])),
      ),
      isBesideWords: isBesideWords(part, window),
    };
    return { pairs, window, ownNames, logOdds: rewordedLogOdds(evidence, querySentences) };
  }

  /** The parts of a paragraph; those that follow each other and come from windows beside each other are one. */
  function withJoined(parts: readonly RewordedMatch[]): MeaningMatch[] {
    const joined: RewordedMatch[] = [];
    for (const part of parts) {
      const last = joined.at(-1);
      const isContinued =
        last !== undefined &&
        Math.min(last.logOdds, part.logOdds) > JOINED_LOG_ODDS_MIN &&
        gapLength(last.window, part.window) <= JUMP_MAX;
      if (isContinued) joined.splice(-1, 1, joinOf(last, part));
      else joined.push(part);
    }
    return joined.map(({ pairs, ownNames, logOdds }) => ({ ...shownMatch(pairs), ownNames, logOdds }));
  }

  /** The row with all sentences of its paragraph; undefined if that adds none, or if the row crosses a paragraph. */
  function withParagraph(row: readonly SentencePair[]): SentencePair[] | undefined {
    const [first, last] = [row[0], row.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    let start = first.query;
    while (start > 0 && query[start]?.startsParagraph !== true) start--;
    let end = start + 1;
    while (end < query.length && query[end]?.startsParagraph !== true) end++;
    const isWhole = start === first.query && end === last.query + 1;
    if (isWhole || last.query >= end) return undefined;
    const sources = row.map((pair) => pair.source);
    const near = {
      start: Math.max(0, Math.min(...sources) - JUMP_MAX),
      end: Math.min(source.length, Math.max(...sources) + JUMP_MAX + 1),
    };
    const pairs: SentencePair[] = [];
    for (let at = start; at < end; at++) {
      if (barred[at] === true) return undefined;
      const paired = row.find((pair) => pair.query === at);
      pairs.push(paired ?? { query: at, source: bestIn(values[at], near) });
    }
    return pairs;
  }

  function translatedMatch(pairs: readonly SentencePair[]): MeaningMatch {
    const sources = pairs.map((pair) => pair.source);
    const [before, after] = [Math.min(...sources) - NEIGHBOURS, Math.max(...sources) + NEIGHBOURS];
    const sentences = (pairs.at(-1)?.query ?? 0) - (pairs[0]?.query ?? 0) + 1;
    let [meaning, meaningElsewhere] = [MARGIN_MIN * (sentences - pairs.length), 0];
    for (const pair of pairs) {
      meaning += Math.max(MARGIN_MIN, marginOf(pair));
      meaningElsewhere += bestOutside(margins[pair.query], before, after, MARGIN_MIN);
    }
    const logOdds = translatedLogOdds({ meaning, meaningElsewhere, sentences }, querySentences);
    // Another language may write names in another way.
    return { ...shownMatch(pairs), ownNames: [], logOdds };
  }

  function shownMatch(pairs: readonly SentencePair[]): Pick<MeaningMatch, "query" | "source" | "pairs"> {
    const near = pairs.filter((pair) => marginOf(pair) >= SHOWN_MARGIN_MIN);
    const shown = near.length > 0 ? near : pairs;
    return {
      query: spansOf(pairs.map((pair) => query[pair.query])).reduce(enclosingSpan),
      source: spansOf(shown.map((pair) => source[pair.source])).reduce(enclosingSpan),
      pairs: shown.flatMap((pair) => {
        const [ofQuery, ofSource] = [query[pair.query]?.span, source[pair.source]?.span];
        return ofQuery && ofSource ? [{ query: ofQuery, source: ofSource, margin: marginOf(pair) }] : [];
      }),
    };
  }

  function marginOf(pair: SentencePair): number {
    return margins[pair.query]?.[pair.source] ?? 0;
  }

  /** Whether words have found the query sentence before or behind these, in the same paragraph, near these source sentences. */
  function isBesideWords({ start, end }: Span, window: Span): boolean {
    const beside = [
      query[start]?.startsParagraph === true ? undefined : query[start - 1],
      query[end]?.startsParagraph === true ? undefined : query[end],
    ];
    const near = spansOf(source.slice(Math.max(0, window.start - JUMP_MAX), window.end + JUMP_MAX));
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

/** A part of a paragraph beside its window of the source, as sentence numbers. */
type RewordedMatch = Pick<MeaningMatch, "ownNames" | "logOdds"> & {
  readonly pairs: readonly SentencePair[];
  readonly window: Span;
};

function joinOf(a: RewordedMatch, b: RewordedMatch): RewordedMatch {
  return {
    pairs: [...a.pairs, ...b.pairs],
    window: enclosingSpan(a.window, b.window),
    ownNames: [...new Set([...a.ownNames, ...b.ownNames])],
    logOdds: Math.max(a.logOdds, b.logOdds) + supportOf(Math.min(a.logOdds, b.logOdds)),
  };
}

/** The share of some sentences that is written in formulas. */
function formulaShare(sentences: readonly { readonly span: Span; readonly formulas: number }[]): number {
  const length = sentences.reduce((sum, { span }) => sum + spanLength(span), 0);
  return sentences.reduce((sum, { formulas }) => sum + formulas, 0) / Math.max(1, length);
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

/** The greatest value outside `[first, last]`, at least `least`. */
function bestOutside(values: Float32Array | undefined, first: number, last: number, least: number): number {
  let best = least;
  for (const [at, value] of (values ?? []).entries())
    if ((at < first || at > last) && value > best) best = value;
  return best;
}

/**
 * Subtracts the excess of their mean over the usual mean from all margins. The background of a sentence is measured on languages that the
 * encoder knows; in others, and in made-up words, all sentences resemble each other.
 * @param margins by query sentence and by source sentence
 * @param ownMargins of query sentences with each other
 */
function subtractExcess(
  margins: readonly Float32Array[],
  query: readonly QuerySentence[],
  ownMargins: readonly number[],
): void {
  let [sum, count] = [USUAL_MEAN_MARGIN * PRIOR_PAIRS, PRIOR_PAIRS];
  const add = (margin: number) => {
    sum += margin;
    count++;
  };
  ownMargins.forEach(add);
  query.forEach((sentence, at) => {
    if (isCompared(sentence)) margins[at]?.forEach(add);
  });
  const excess = sum / count - USUAL_MEAN_MARGIN;
  if (excess <= 0) return;
  for (const row of margins) for (const [at, margin] of row.entries()) row[at] = margin - excess;
}

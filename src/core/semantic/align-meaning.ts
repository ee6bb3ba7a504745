import { enclosingSpan, type Span } from "../text/span.ts";
import type { SemanticModel } from "./semantic-model.ts";
import { alignSentences, type SentencePair } from "./sentence-alignment.ts";
import { CodeCosines } from "./sentence-code.ts";
import type { SentenceFingerprint } from "./sentence-section.ts";

/** A query sentence: its place (UTF-16), its vector of length 1 and the background of its cosines. */
export type QuerySentence = {
  readonly span: Span;
  readonly vector: Float32Array;
  readonly background: number;
  /** Whether words have found it in some source already: then its meaning is no news. */
  readonly isCovered: boolean;
};

/** Sentences of a document that follow each other. */
export type SourcePart = {
  readonly documentId: string;
  readonly sentences: readonly SentenceFingerprint[];
};

/** Sentences that correspond, with their places (UTF-16); `margin`: their cosine beyond its background. */
export type MeaningPair = { readonly query: Span; readonly source: Span; readonly margin: number };

/** A passage that may have been reused, by its meaning alone. */
export type MeaningMatch = {
  readonly documentId: string;
  readonly query: Span;
  readonly source: Span;
  readonly pairs: readonly MeaningPair[];
  /** From the first to the last that has a counterpart. */
  readonly querySentences: number;
  /** See `alignSentences`. */
  readonly score: number;
};

/** Compares a query with parts of documents sentence by sentence. */
export class MeaningComparison {
  readonly #query: readonly QuerySentence[];
  readonly #cosines: readonly CodeCosines[];
  readonly #marginScale: number;

  constructor(model: Pick<SemanticModel, "mean" | "calibration">, query: readonly QuerySentence[]) {
    this.#query = query;
    this.#marginScale = model.calibration.marginScale;
    this.#cosines = query.map(({ vector }) => new CodeCosines(vector, model.mean, model.calibration.code));
  }

  /** How much of these query sentences a part may contain: the sum of their best margins. */
  reach(querySentences: Iterable<number>, { sentences }: SourcePart): number {
    let sum = 0;
    for (const query of querySentences) {
      if (this.#query[query]?.isCovered !== false) continue;
      let best = 0;
      for (const sentence of sentences) best = Math.max(best, this.#margin(query, sentence));
      sum += best;
    }
    return sum;
  }

  /** The rows of query sentences within `[first, end)` that follow the part, best first. */
  align({ first, end }: { readonly first: number; readonly end: number }, part: SourcePart): MeaningMatch[] {
    const rows = alignSentences({
      querySentences: end - first,
      sourceSentences: part.sentences.length,
      margin: (query, source) => {
        const sentence = part.sentences[source];
        return sentence === undefined ? 0 : this.#margin(first + query, sentence);
      },
      isBarred: (query) => this.#query[first + query]?.isCovered !== false,
    });
    return rows.map(({ pairs, score }) => {
      const placed = pairs.map((pair) => this.#placed(first, pair, part));
      return {
        documentId: part.documentId,
        query: placed.map(({ query }) => query).reduce(enclosingSpan),
        source: placed.map(({ source }) => source).reduce(enclosingSpan),
        pairs: placed,
        querySentences: (pairs.at(-1)?.query ?? 0) - (pairs[0]?.query ?? 0) + 1,
        score,
      };
    });
  }

  /** The cosine less the mean background of both sentences, on the scale of the built-in model. */
  #margin(query: number, sentence: SentenceFingerprint): number {
    const cosine = this.#cosines[query]?.of(sentence.code, 0) ?? 0;
    return (cosine - ((this.#query[query]?.background ?? 0) + sentence.background) / 2) * this.#marginScale;
  }

  #placed(first: number, { query, source, margin }: SentencePair, { sentences }: SourcePart): MeaningPair {
    const nowhere = { start: 0, end: 0 };
    return {
      query: this.#query[first + query]?.span ?? nowhere,
      source: sentences[source]?.span ?? nowhere,
      margin,
    };
  }
}

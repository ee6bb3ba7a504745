import { ALIGNMENT, type AlignmentModel } from "../../../src/matching/words/model.ts";
import type { Span } from "../../../src/text/span.ts";
import { foundShare, type KindScore, reportedIndependent, scoreModern } from "../modern/modern-score.ts";
import type { ModernText } from "../modern/modern-texts.ts";
import { type AlignedPair, type AlignPool, alignInPool } from "../pairs/align-pairs.ts";
import { evaluatePairs } from "../scoring/evaluate-pairs.ts";
import type { Benchmark } from "../texts/open-benchmarks.ts";
import type { TextPair } from "../texts/pan-corpus.ts";
import type { WrittenPairs } from "./sample-pairs.ts";

/** A rule that is switched off, or a constant that is changed. */
export type Ablation = {
  readonly name: string;
  readonly change: (model: Changeable<AlignmentModel>) => void;
};

/** A model whose numbers and rules may be replaced; tables as a whole. */
type Changeable<T> = {
  -readonly [Key in keyof T]: T[Key] extends readonly number[] | number | boolean
    ? T[Key]
    : Changeable<T[Key]>;
};

/** The model of every check with these changes. */
export function changedModel(ablations: readonly Ablation[]): AlignmentModel {
  const model: Changeable<AlignmentModel> = structuredClone(ALIGNMENT);
  for (const { change } of ablations) change(model);
  return model;
}

/** The texts that each ablation is measured with. */
export type AblationTexts = {
  readonly pan13: Benchmark;
  readonly mixed: Benchmark;
  readonly modern: { readonly folder: string; readonly texts: readonly ModernText[] };
  readonly sentences: WrittenPairs;
  readonly articles: WrittenPairs;
};

export type AblationFigures = {
  /** plagdet by class; `all` is the total. */
  readonly pan13: Readonly<Record<string, number>>;
  readonly mixed: Readonly<Record<string, number>>;
  /** Pairs without planted passages that have a detection. */
  readonly flaggedPairs: number;
  /** The share of rewritten paragraphs that are found, by kind; `all` is that of all paragraphs. */
  readonly modern: Readonly<Record<string, number>>;
  readonly independent: number;
  readonly outside: number;
  /** The share of copied sentences that are found with exact edges. */
  readonly sentences: number;
  /** Articles that have a passage in another article. */
  readonly articles: number;
};

/** The sources that a search would compare an article with; this raises the evidence that is asked for. */
const ARTICLE_SOURCES = 15;

/** Aligns the texts with a model. */
export async function measureModel(
  model: AlignmentModel,
  { pan13, mixed, modern, sentences, articles }: AblationTexts,
  pool: AlignPool,
  signal: AbortSignal,
): Promise<AblationFigures> {
  const align = <P extends TextPair>(folder: string, pairs: readonly P[], sourcesCompared = 1) =>
    alignInPool(pool, folder, pairs, { signal, sourcesCompared, model });
  const ofPan13 = evaluatePairs(await align(pan13.corpus.folder, pan13.pairs));
  const ofMixed = evaluatePairs(await align(mixed.corpus.folder, mixed.pairs));
  const ofModern = (await align(modern.folder, modern.texts)).map((text) => ({
    ...text,
    detections: new Map([[text.sourceName, text.detections]]),
  }));
  const kinds = scoreModern(ofModern);
  const ofSentences = await align(sentences.folder, sentences.pairs);
  const ofArticles = await align(articles.folder, articles.pairs, ARTICLE_SOURCES);
  const flagged = ofArticles.filter(({ detections }) => detections.length > 0);
  return {
    pan13: plagdets(ofPan13),
    mixed: plagdets(ofMixed),
    flaggedPairs: sum(
      [...ofPan13.classes.slice(0, -1), ...ofMixed.classes.slice(0, -1)],
      (one) => one.flaggedPairs,
    ),
    modern: { ...foundShares(kinds), all: foundShare(kinds) },
    independent: reportedIndependent(kinds),
    outside: sum(kinds, (one) => one.outside),
    sentences: ofSentences.filter(isExact).length / Math.max(1, ofSentences.length),
    articles: new Set(flagged.map(({ queryName }) => queryName)).size,
  };
}

function isExact({ cases, detections }: AlignedPair): boolean {
  return cases.some(({ query, source }) =>
    detections.some((found) => isSame(found.query, query) && isSame(found.source, source)),
  );
}

function isSame(a: Span, b: Span): boolean {
  return a.start === b.start && a.end === b.end;
}

function plagdets({ classes }: ReturnType<typeof evaluatePairs>): Record<string, number> {
  const withCases = classes.filter(({ score }) => score.cases > 0);
  return Object.fromEntries(withCases.map(({ className, score }) => [className, score.plagdet]));
}

function foundShares(kinds: readonly KindScore[]): Record<string, number> {
  const planted = kinds.filter(({ isIndependent }) => !isIndependent);
  return Object.fromEntries(planted.map(({ kind, found, texts }) => [kind, found / texts]));
}

function sum<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((total, item) => total + figure(item), 0);
}

import { randomUUID } from "node:crypto";
import type { CurrentEncoder } from "../../matching/encoder/sentence-encoder.ts";
import { type MatchRun, match } from "../../matching/match.ts";
import type { MeaningReason } from "../../matching/meaning/meaning-reason.ts";
import type { SearchableSet } from "../../matching/set.ts";
import type * as matchingTasks from "../../matching/tasks.ts";
import { TimeBudget } from "../../matching/time-budget.ts";
import type { Compute } from "../../platform/compute-pool.ts";
import { DomainError } from "../../platform/domain-error.ts";
import { Slots } from "../../platform/flow/slots.ts";
import type { ComparisonFigures, SideFigures } from "../../report/figures/comparison.ts";
import type { ReportUnits } from "../../report/figures/offset-unit.ts";
import { type SemanticCoverage, semanticCoverage } from "../../report/figures/report.ts";
import type * as reportTasks from "../../report/tasks.ts";
import type { IntegrityFlag } from "../../text/integrity.ts";
import { blankMargins, type Margins } from "../../text/margins.ts";
import { textSet } from "./text-set.ts";

/** One side of a comparison. */
export type TextToCompare = {
  readonly text: string;
  /** The parts of a PDF's text that are not compared. */
  readonly pageMargins: Margins;
  /** Detected when it is undefined. */
  readonly language: string | undefined;
  /** Null for a text that was not read from a file. */
  readonly filename: string | null;
};

/** A text as it was compared; flags and figures in the requested units. */
export type ComparedText = Pick<TextToCompare, "text" | "filename"> &
  Omit<matchingTasks.TextMeasure, "charCount"> & {
    readonly integrityFlags: readonly IntegrityFlag[];
    readonly figures: SideFigures;
  };

export type Comparison = Pick<ComparisonFigures, "passages"> & {
  readonly query: ComparedText;
  readonly source: ComparedText;
  /** `partial`: the time ended before the words of the texts were compared. */
  readonly coverage: "full" | "partial";
  readonly semanticCoverage: SemanticCoverage;
  /** Why the meaning of the texts was not or not wholly compared. */
  readonly semanticReason: Exclude<MeaningReason, "not_encoded"> | null;
  readonly units: ReportUnits;
  readonly durationMs: number;
};

export type ComparisonOptions = {
  readonly units: ReportUnits;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
};

/**
 * Compares a text with a source as a check compares it with a document of the corpus. Nothing is stored.
 * @throws DomainError `service_busy` when too many comparisons wait; the signal's reason.
 */
export type CompareTexts = (
  query: TextToCompare,
  source: TextToCompare,
  options: ComparisonOptions,
) => Promise<Comparison>;

type CompareTextsParts = {
  readonly compute: Compute<typeof matchingTasks & typeof reportTasks>;
  readonly encoder: CurrentEncoder;
  /** Says how frequent words and shingles are. */
  readonly corpus: SearchableSet;
  /** The time budget of a check, which limits a comparison too. */
  readonly timeBudgetMs: number;
};

/** Comparisons in progress in a process. With the longest texts each holds some 60 MB, and most of the time it waits for the encoder. */
const COMPARISONS_AT_ONCE = 4;

/** Comparisons that wait, and for how long: a person waits no longer, and a program repeats the request. */
const WAITING_MAX = 32;
const WAIT_MS = 10_000;

/** Two of the longest texts hold a thread for a second, on a busy machine for several. One at a time leaves the others to checks and reports. */
const ALIGNED_AT_ONCE = 1;

/** Proxies and browsers give up after a minute without an answer, so a larger time budget of checks does not apply. */
const TIME_MAX_MS = 50_000;

export function createCompareTexts(parts: CompareTextsParts): CompareTexts {
  const { compute, encoder, corpus } = parts;
  const slots = new Slots(COMPARISONS_AT_ONCE, {
    waitingMax: WAITING_MAX,
    waitMs: WAIT_MS,
    busy: tooManyComparisons,
  });
  const alignments = new Slots(ALIGNED_AT_ONCE);

  return (query, source, { units, signal }) => {
    const startedAt = performance.now();
    return slots.run(() => compare(query, source, units, startedAt, signal), { signal });
  };

  async function compare(
    query: TextToCompare,
    source: TextToCompare,
    units: ReportUnits,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<Comparison> {
    const limitMs = Math.min(parts.timeBudgetMs, TIME_MAX_MS);
    const budget = new TimeBudget(limitMs, performance.now() - startedAt);
    const [ofQuery, ofSource] = await Promise.all([measured(query, signal), measured(source, signal)]);
    const [analysedQuery, analysedSource] = await Promise.all([
      compute.run("analyseQuery", { ...ofQuery.compared, withSentences: true }, signal),
      compute.run("analyseSource", ofSource.compared, signal),
    ]);
    const set = textSet({ ...analysedSource, language: ofSource.compared.language }, corpus);
    const matches = await match({ ...analysedQuery, ...ofQuery.compared }, set, {
      ...{ compute, encoder, budget, signal, queryKey: randomUUID() },
      align: (input) => alignInTime(input, budget, signal),
    });
    const { passages, ...figures } = await compute.run(
      "comparisonFigures",
      {
        query: { ...query, flags: analysedQuery.integrityFlags },
        source: { ...source, flags: analysedSource.integrityFlags },
        passages: matches.sources.flatMap((found) => found.passages),
        units,
      },
      signal,
    );
    const { documents, reason } = matches.meaning;
    return {
      query: compared(query, ofQuery.measure, analysedQuery.integrityFlags, figures.query),
      source: compared(source, ofSource.measure, analysedSource.integrityFlags, figures.source),
      passages,
      coverage: matches.checkedChunks < analysedQuery.forms.length ? "partial" : "full",
      semanticCoverage: semanticCoverage(documents, reason),
      // Without a calibration, the encoder has never been available.
      semanticReason: reason === "not_encoded" ? "unavailable" : reason,
      units,
      durationMs: performance.now() - startedAt,
    };
  }

  /** The language and the size of a text, and the text as it is compared: blank where it is not. */
  async function measured({ text, pageMargins, language }: TextToCompare, signal: AbortSignal) {
    const blanked = blankMargins(text, pageMargins);
    const measure = await compute.run("measureText", { text: blanked, language }, signal);
    return { measure, compared: { text: blanked, language: measure.language } };
  }

  /** Undefined when the time was over before the end. */
  async function alignInTime(
    input: matchingTasks.AlignInput,
    { remainingMs }: TimeBudget,
    signal: AbortSignal,
  ): ReturnType<NonNullable<MatchRun["align"]>> {
    if (remainingMs === 0) return undefined;
    const late = AbortSignal.timeout(Math.ceil(remainingMs));
    const ended = AbortSignal.any([signal, late]);
    try {
      return await alignments.run(() => compute.run("alignPacked", input, ended), { signal: ended });
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return undefined;
      throw error;
    }
  }
}

function compared(
  { text, filename }: TextToCompare,
  { language, languageOrigin, wordCount }: matchingTasks.TextMeasure,
  integrityFlags: readonly IntegrityFlag[],
  figures: SideFigures,
): ComparedText {
  return { text, filename, language, languageOrigin, wordCount, integrityFlags, figures };
}

function tooManyComparisons(): DomainError {
  return new DomainError(
    "service_busy",
    "Too many comparisons are in progress. Retry after the number of seconds in Retry-After.",
  );
}

import { randomUUID } from "node:crypto";
import type { Extractor } from "../../extract/extractor.ts";
import type { UploadedFile } from "../../http/input/upload.ts";
import type { CurrentEncoder } from "../../matching/encoder/sentence-encoder.ts";
import { match } from "../../matching/match.ts";
import type { MeaningReason } from "../../matching/meaning/meaning-reason.ts";
import type * as preparationTasks from "../../matching/preparation-tasks.ts";
import type { SearchableSet } from "../../matching/set.ts";
import type * as matchingTasks from "../../matching/tasks.ts";
import { TimeBudget } from "../../matching/time-budget.ts";
import type { SourcePassage } from "../../matching/words/source-passage.ts";
import type { Compute } from "../../platform/compute-pool.ts";
import { DomainError } from "../../platform/domain-error.ts";
import { Slots } from "../../platform/flow/slots.ts";
import type { ComparisonFigures, SideFigures } from "../../report/figures/comparison.ts";
import type { ReportUnits } from "../../report/figures/offset-unit.ts";
import { type Coverage, type SemanticCoverage, semanticCoverage } from "../../report/figures/report.ts";
import type * as reportTasks from "../../report/tasks.ts";
import { type HiddenText, withHiddenText } from "../../text/hidden-text.ts";
import type { IntegrityFlag } from "../../text/integrity.ts";
import { blankMargins, type Margins } from "../../text/margins.ts";
import type { PageNote } from "../../text/page-notes.ts";
import { ACCEPTED_TYPES, inFile, QUERY_TEXT_CHARS_MAX } from "../submit-check.ts";
import { textSet } from "./text-set.ts";

/** One side of a comparison. */
type TextToCompare = {
  readonly text: string;
  /** The parts of a PDF's text that are not compared. */
  readonly pageMargins: Margins;
  readonly hiddenText?: readonly HiddenText[];
  readonly pageNotes?: readonly PageNote[];
  /** Detected when it is undefined. */
  readonly language: string | undefined;
  /** Null for a text that was not read from a file. */
  readonly filename: string | null;
};

/** A text as it was compared. */
type MatchedText = Pick<TextToCompare, "text" | "filename" | "pageMargins" | "pageNotes"> &
  Omit<preparationTasks.TextMeasure, "charCount"> & { readonly flags: readonly IntegrityFlag[] };

/** What was found in two texts, in UTF-16 units. It can be stored as JSON. */
export type MatchedTexts = {
  readonly query: MatchedText;
  readonly source: MatchedText;
  readonly passages: readonly SourcePassage[];
  /** `partial`: the time ended before the words of the texts were compared; only verbatim copies were found. */
  readonly coverage: Coverage;
  readonly semanticCoverage: SemanticCoverage;
  /** Why the meaning of the texts was not or not wholly compared. */
  readonly semanticReason: Exclude<MeaningReason, "not_encoded"> | null;
  readonly durationMs: number;
};

/** A text with its figures, in the requested units. */
export type ComparedText = MatchedText & { readonly figures: SideFigures };

export type Comparison = Pick<ComparisonFigures, "passages"> &
  Omit<MatchedTexts, "query" | "source" | "passages"> & {
    readonly query: ComparedText;
    readonly source: ComparedText;
    readonly units: ReportUnits;
    /** All that the figures follow from. */
    readonly matched: MatchedTexts;
  };

export type ComparisonOptions = {
  readonly units: ReportUnits;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
};

/**
 * Compares a text with a source as a check compares it with a document of the corpus. Nothing is stored.
 * @throws DomainError `service_busy` when too many comparisons wait, or no thread was free in time; the signal's reason.
 */
type CompareTexts = (
  query: TextToCompare,
  source: TextToCompare,
  options: ComparisonOptions,
) => Promise<Comparison>;

type CompareTextsParts = {
  readonly compute: Compute<typeof matchingTasks & typeof preparationTasks & typeof reportTasks>;
  readonly encoder: CurrentEncoder;
  /** Says how frequent words and shingles are. */
  readonly corpus: SearchableSet;
  /** The time budget of a check, which limits a comparison too. Verbatim copies are found in any case. */
  readonly timeBudgetMs: number;
  /** The time after which a comparison without a result is refused; by default `TIME_MAX_MS`. */
  readonly timeMaxMs?: number;
};

/** Comparisons in progress in a process. With the longest texts each holds some 60 MB, and most of the time it waits for the encoder. */
const COMPARISONS_AT_ONCE = 4;

/** Comparisons that wait, and for how long: a person waits no longer, and a program repeats the request. */
const WAITING_MAX = 32;
const WAIT_MS = 10_000;

/** Two of the longest texts hold a thread for a second, on a busy machine for several. One at a time leaves the others to checks and reports. */
const ALIGNED_AT_ONCE = 1;

/**
 * Proxies and browsers give up after a minute without an answer, so a larger time budget of checks does not apply. A comparison is
 * answered within 50 s: what has begun then ends, and the figures are computed.
 */
const TIME_MAX_MS = 45_000;

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
    const { timeMaxMs = TIME_MAX_MS } = parts;
    const spentMs = performance.now() - startedAt;
    const whole = new TimeBudget(timeMaxMs, spentMs);
    const budget = new TimeBudget(Math.min(parts.timeBudgetMs, timeMaxMs), spentMs);
    const [ofQuery, ofSource] = await inTime(whole, signal, (ended) =>
      Promise.all([measured(query, ended), measured(source, ended)]),
    );
    const [analysedQuery, analysedSource] = await inTime(whole, signal, (ended) =>
      Promise.all([
        compute.run("analyseQuery", { ...ofQuery.compared, withSentences: true }, ended),
        compute.run("analyseSource", ofSource.compared, ended),
      ]),
    );
    const set = textSet({ ...analysedSource, language: ofSource.compared.language }, corpus);
    let coverage: Coverage = "full";
    const matches = await match({ ...analysedQuery, ...ofQuery.compared }, set, {
      ...{ compute, encoder, budget, signal, queryKey: randomUUID() },
      align: async (input) => {
        const copies = await inTime(whole, signal, (ended) =>
          compute.run("alignPacked", { ...input, copiesOnly: true }, ended),
        );
        const aligned = await inTime(budget, signal, (ended) =>
          alignments.run(() => compute.run("alignPacked", input, ended), { signal: ended }),
        ).catch((error: unknown) => {
          if (!(error instanceof TimeOver)) throw error;
          coverage = "partial";
        });
        return aligned ?? copies;
      },
    });
    const { documents, reason } = matches.meaning;
    const matched: MatchedTexts = {
      query: matchedText(query, ofQuery.measure, analysedQuery.integrityFlags),
      source: matchedText(source, ofSource.measure, analysedSource.integrityFlags),
      passages: matches.sources.flatMap((found) => found.passages),
      coverage,
      semanticCoverage: semanticCoverage(documents, reason),
      // Without a calibration, the encoder has never been available.
      semanticReason: reason === "not_encoded" ? "unavailable" : reason,
      durationMs: performance.now() - startedAt,
    };
    return withFigures(compute, matched, units, signal);
  }

  /** The language and the size of a text, and the text as it is compared: blank where it is not. */
  async function measured({ text, pageMargins, language }: TextToCompare, signal: AbortSignal) {
    const blanked = blankMargins(text, pageMargins);
    const measure = await compute.run("measureText", { text: blanked, language }, signal);
    return { measure, compared: { text: blanked, language: measure.language } };
  }
}

/** Too few threads were free, or the texts are of a kind that takes very long. */
class TimeOver extends DomainError {
  constructor(options: ErrorOptions) {
    super(
      "service_busy",
      "The texts could not be compared in time. Retry later, or compare shorter texts.",
      options,
    );
  }
}

/** Runs work that ends with its signal. @throws TimeOver when the time is over first; the signal's reason. */
async function inTime<T>(
  { remainingMs }: TimeBudget,
  signal: AbortSignal,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = remainingMs === 0 ? AbortSignal.abort() : AbortSignal.timeout(Math.ceil(remainingMs));
  try {
    return await work(AbortSignal.any([signal, late]));
  } catch (error) {
    signal.throwIfAborted();
    throw late.aborted ? new TimeOver({ cause: error }) : error;
  }
}

function matchedText(
  { text, filename, pageMargins, pageNotes = [], hiddenText = [] }: TextToCompare,
  { language, languageOrigin, wordCount }: preparationTasks.TextMeasure,
  flags: readonly IntegrityFlag[],
): MatchedText {
  const facts = { language, languageOrigin, wordCount };
  return { text, filename, pageMargins, pageNotes, ...facts, flags: withHiddenText(flags, hiddenText) };
}

/** Computes the figures of matched texts in the requested units. @throws the signal's reason */
export async function withFigures(
  compute: Compute<typeof reportTasks>,
  matched: MatchedTexts,
  units: ReportUnits,
  signal: AbortSignal,
): Promise<Comparison> {
  const { query, source, passages: found, ...facts } = matched;
  const input = { query, source, passages: found, units };
  const { passages, ...figures } = await compute.run("comparisonFigures", input, signal);
  return {
    ...facts,
    query: { ...query, figures: figures.query },
    source: { ...source, figures: figures.source },
    passages,
    units,
    matched,
  };
}

function tooManyComparisons(): DomainError {
  return new DomainError(
    "service_busy",
    "Too many comparisons are in progress. Retry after the number of seconds in Retry-After.",
  );
}

/** One side of a comparison: a text or a file, with its language if it is stated. */
type SideToCompare = Pick<TextToCompare, "language"> & {
  readonly content: string | UploadedFile;
};

/** Compares texts or files. @throws the errors of the extraction, with the file's name, and of `CompareTexts`. */
export type CompareUploads = (
  query: SideToCompare,
  source: SideToCompare,
  options: ComparisonOptions,
) => Promise<Comparison>;

type CompareUploadsParts = { readonly extractor: Extractor; readonly compareTexts: CompareTexts };

export function createCompareUploads({ extractor, compareTexts }: CompareUploadsParts): CompareUploads {
  return async (query, source, options) => {
    const { signal } = options;
    const [queryText, sourceText] = await Promise.all([read(query, signal), read(source, signal)]);
    return compareTexts(queryText, sourceText, options);
  };

  async function read({ content, language }: SideToCompare, signal: AbortSignal): Promise<TextToCompare> {
    if (typeof content === "string") return { text: content, pageMargins: [], language, filename: null };
    const { filename, bytes } = content;
    const options = { filename, accept: ACCEPTED_TYPES, textCharsMax: QUERY_TEXT_CHARS_MAX };
    try {
      const { text, margins, hidden, pageNotes } = await extractor.extract(bytes, options, signal);
      return { text, pageMargins: margins, hiddenText: hidden, pageNotes, language, filename };
    } catch (error) {
      throw inFile(filename, error);
    }
  }
}

import type { Batch, Check, ProgressEvent } from "../../../client/index.ts";
import { say, sayCount, texts } from "./texts.ts";

/** A count: `12,345`. A percentage of the API with its two decimals: `12.30%`. A whole one: `12%`. */
export const { count, percent, wholePercent } = texts;

/** A name within a sentence of plain text, where it keeps its own direction; in markup, that is what `bdi` does. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

const UNITS = ["KiB", "MiB", "GiB"] as const;

/** A size, in the unit of the limits that the service states: `812 KiB`, `9.5 MiB`. */
export function bytes(value: number): string {
  if (value < 1024) return sayCount("count.bytes", value);
  const power = Math.min(UNITS.length, Math.floor(Math.log2(value) / 10));
  const shown = value / 1024 ** power;
  const digits = new Intl.NumberFormat(texts.locale, { maximumFractionDigits: shown < 10 ? 1 : 0 });
  return `${digits.format(shown)} ${UNITS[power - 1]}`;
}

const DATE = new Intl.DateTimeFormat(texts.locale, { dateStyle: "medium", timeStyle: "short" });
const FULL_DATE = new Intl.DateTimeFormat(texts.locale, { dateStyle: "full", timeStyle: "long" });
const RELATIVE = new Intl.RelativeTimeFormat(texts.locale, { numeric: "auto" });

/** The units of an age, in seconds. */
const AGES = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Older times are shown as dates. */
const RECENT_S = 7 * 86_400;

/** Date and time: `21 Nov 2026, 19:50`. */
export function date(at: string): string {
  return DATE.format(new Date(at));
}

/** Date and time with weekday, seconds and time zone. */
export function fullDate(at: string): string {
  return FULL_DATE.format(new Date(at));
}

/** The age of something: `5 minutes ago`; its date after a week. */
export function age(at: string, now: number): string {
  // The browser's clock may be slightly behind the service's.
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1000));
  if (seconds >= RECENT_S) return date(at);
  const [unit, length] = AGES.find(([, length]) => seconds >= length) ?? [];
  return unit === undefined ? say("common.justNow") : RELATIVE.format(-Math.floor(seconds / length), unit);
}

type Stage = NonNullable<Check["stage"]>;

/** `start`: the fraction done at its beginning. Retrieval takes most of the time, and it alone counts its steps. */
export const STAGES = [
  { stage: "chunking", start: 0.02 },
  { stage: "fingerprinting", start: 0.06 },
  { stage: "retrieving", start: 0.1 },
  { stage: "aligning", start: 0.8 },
  { stage: "assembling", start: 0.96 },
] as const satisfies readonly { stage: Stage; start: number }[];

/** The name of a stage; a check without one waits for a worker. */
export function stageLabel(stage: Stage | null): string {
  return say(stage === null ? "stage.waiting" : `stage.${stage}`);
}

/** The fraction of a check that is done, from 0 to 1. It never falls as the check goes on. */
export function fractionDone({ stage, chunks_done: done, chunks_total: total }: ProgressEvent): number {
  const index = STAGES.findIndex((one) => one.stage === stage);
  const start = STAGES[index]?.start ?? 0;
  if (stage !== "retrieving" || total === 0) return start;
  const end = STAGES[index + 1]?.start ?? 1;
  return start + (end - start) * Math.min(1, done / total);
}

/** How many parts of the text have been searched; undefined before there is a number. */
export function searchedParts({ stage, chunks_done, chunks_total }: ProgressEvent): string | undefined {
  if (stage !== "retrieving" || chunks_total === 0) return undefined;
  return say("common.partSearched", {
    done: count(chunks_done),
    parts: sayCount("count.parts", chunks_total),
  });
}

/** The title of a batch; one without a title is named by its time. */
export function batchName({ title, created_at }: Pick<Batch, "title" | "created_at">): string {
  return title ?? say("report.batchOf", { date: date(created_at) });
}

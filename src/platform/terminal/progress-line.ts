import { columnsOf, fitColumns } from "./columns.ts";

/** How far a piece of work has come. */
export type Progress = {
  readonly done: number;
  /** As much as is known of by now. */
  readonly total: number;
  /** Whether the total is known for good. */
  readonly totalIsFinal: boolean;
  readonly failed: number;
  /** What it is at now, shown before the figures. */
  readonly at?: string;
};

/** Shorter ones tell little, longer ones leave no room for the figures. */
const BAR_CELLS_MIN = 10;
const BAR_CELLS_MAX = 40;

/**
 * A line that says how far the work has come: done, total, rate, time left, failures.
 * @param unit what is counted, in the plural.
 * @param perSecond the present rate; undefined while it is not known.
 */
export function progressLine(progress: Progress, unit: string, perSecond: number | undefined): string {
  const { done, total, totalIsFinal, failed, at } = progress;
  const parts = [
    `${grouped(done)} of ${grouped(Math.max(done, total))}${totalIsFinal ? "" : " or more"} ${unit}`,
  ];
  if (perSecond !== undefined) parts.push(`${rate(perSecond)} a second`);
  if (perSecond !== undefined && perSecond > 0 && totalIsFinal && total > done) {
    parts.push(`${duration((total - done) / perSecond)} left`);
  }
  if (failed > 0) parts.push(`${grouped(failed)} failed`);
  return `${at === undefined ? "" : `${at}: `}${parts.join(", ")}`;
}

/** The same with a bar before it, cut to fit a terminal of so many columns. */
export function progressBar(line: string, { done, total, totalIsFinal }: Progress, columns: number): string {
  const cells = Math.min(BAR_CELLS_MAX, columns - columnsOf(line) - 4);
  if (cells < BAR_CELLS_MIN) return fitColumns(line, columns - 1);
  const share = totalIsFinal ? done / Math.max(1, done, total) : 0;
  const filled = totalIsFinal && total === 0 ? cells : Math.floor(share * cells);
  return `[${"#".repeat(filled)}${"-".repeat(cells - filled)}] ${line}`;
}

/** Hours, minutes and seconds as on a clock: `1:02:05`, `0:09`. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

function rate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : grouped(Math.round(perSecond));
}

function grouped(count: number): string {
  return count.toLocaleString("en");
}

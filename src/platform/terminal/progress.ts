import { columnsOf, fitColumns, grouped } from "./terminal-text.ts";

/** Fluid on a terminal, and few lines elsewhere, such as in a log file. */
const TERMINAL_INTERVAL_MS = 100;
const PLAIN_INTERVAL_MS = 5_000;

/** The window of the rate: this long, and with this many changes of the count, which grows by hundreds at a time where work is written in batches. */
const RATE_WINDOW_MS = 30_000;
const RATE_CHANGES_MIN = 8;

/** Changes in quick succession count as one. */
const CHANGE_MS = 1_000;

/** A time left from less is a guess. */
const LEFT_AFTER_MS = 10_000;
const LEFT_CHANGES_MIN = 4;

/** How far the rates of both halves of the window may differ before the time left would jump. */
const STEADY_RATIO_MAX = 2;

const COLUMNS_DEFAULT = 80;

/** Moves to the start of the line and clears it. */
const CLEAR_LINE = "\r\u001B[2K";

type DisplayStream = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
};

type DisplayOptions = {
  /** The counted things, in the plural. */
  readonly unit: string;
  /** Whether to show a rate and the time left, true by default. For a few items they are meaningless. */
  readonly showsRate?: boolean;
  /** Milliseconds between two lines. The default depends on the stream. */
  readonly intervalMs?: number;
  readonly now?: () => number;
};

/** Shows progress: on a terminal in one line that is rewritten, elsewhere in a line every few seconds. */
export class ProgressDisplay {
  readonly #stream: DisplayStream;
  readonly #options: DisplayOptions;
  readonly #timer: NodeJS.Timeout;
  #progress: Progress | undefined;
  #samples: Sample[] = [];

  constructor(stream: DisplayStream, options: DisplayOptions) {
    this.#stream = stream;
    this.#options = options;
    const usualMs = stream.isTTY === true ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
    this.#timer = setInterval(() => this.#show(), options.intervalMs ?? usualMs).unref();
  }

  update(progress: Progress): void {
    // A count that restarts has its own rate.
    if (this.#progress === undefined || progress.done < this.#progress.done)
      this.#samples = [{ at: this.#now(), done: progress.done }];
    this.#progress = progress;
  }

  /** Writes a separate line, on a terminal above the progress line. */
  say(line: string): void {
    if (this.#stream.isTTY !== true) this.#stream.write(`${line}\n`);
    else {
      this.#stream.write(`${CLEAR_LINE}${line}\n`);
      this.#show();
    }
  }

  /** Clears the line on a terminal until it is shown again, so that other output can be written. */
  clear(): void {
    if (this.#stream.isTTY === true && this.#progress !== undefined) this.#stream.write(CLEAR_LINE);
  }

  /** Ends the display and clears the line on a terminal. `say` still works. */
  close(): void {
    clearInterval(this.#timer);
    this.clear();
    this.#progress = undefined;
  }

  #show(): void {
    if (this.#progress === undefined) return;
    const { unit, showsRate = true } = this.#options;
    const pace = showsRate ? this.#pace(this.#progress.done) : undefined;
    const line = progressLine(this.#progress, unit, pace);
    if (this.#stream.isTTY !== true) this.#stream.write(`${line}\n`);
    else {
      const columns = this.#stream.columns ?? COLUMNS_DEFAULT;
      this.#stream.write(`${CLEAR_LINE}${progressBar(line, this.#progress, columns)}`);
    }
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now();
  }

  #pace(done: number): Pace | undefined {
    const at = this.#now();
    const former = this.#samples.at(-1);
    if (former !== undefined && done > former.done && at - former.at >= CHANGE_MS)
      this.#samples.push({ at, done });
    while (this.#samples.length > RATE_CHANGES_MIN + 1 && at - (this.#samples[1]?.at ?? at) >= RATE_WINDOW_MS)
      this.#samples.shift();
    // Once all is done, the rate stays as it was.
    const isComplete = this.#progress?.totalIsFinal === true && done >= this.#progress.total;
    return paceOf(this.#samples, isComplete ? (this.#samples.at(-1)?.at ?? at) : at);
  }
}

type Sample = { readonly at: number; readonly done: number };

/** How fast a count grows, and whether it does so evenly enough for a time left. */
type Pace = { readonly perSecond: number; readonly isSteady: boolean };

/** The time since the last change counts once it is longer than usual: between two batches, the rate stays as it is. */
function paceOf(samples: readonly Sample[], at: number): Pace | undefined {
  const [first, last, middle] = [samples[0], samples.at(-1), samples[samples.length >> 1]];
  const changes = samples.length - 1;
  if (first === undefined || last === undefined || middle === undefined || changes < 1) return undefined;
  const spannedMs = last.at - first.at;
  const idleMs = Math.max(0, at - last.at - spannedMs / changes);
  const rate = (from: Sample, to: Sample, moreMs = 0) =>
    ((to.done - from.done) * 1000) / (to.at - from.at + moreMs);
  const [early, late] = [rate(first, middle), rate(middle, last, idleMs)];
  const isSteady =
    spannedMs >= LEFT_AFTER_MS &&
    changes >= LEFT_CHANGES_MIN &&
    Math.max(early, late) <= STEADY_RATIO_MAX * Math.min(early, late);
  return { perSecond: rate(first, last, idleMs), isSteady };
}

export type Progress = {
  readonly done: number;
  /** The known total so far. */
  readonly total: number;
  readonly totalIsFinal: boolean;
  readonly failed: number;
  /** Items in work, shown until the first is done. */
  readonly begun?: number;
  /** The current item, shown before the figures. */
  readonly at?: string;
};

/** Shorter bars show little. */
const BAR_CELLS_MIN = 10;
const BAR_CELLS_MAX = 40;

/** The progress line: done, total, rate, time left if the rate is steady, failures. @param unit the counted things, in the plural. */
export function progressLine(progress: Progress, unit: string, pace: Pace | undefined): string {
  const { done, total, totalIsFinal, failed, begun = 0, at } = progress;
  const parts = [
    `${grouped(done)} of ${grouped(Math.max(done, total))}${totalIsFinal ? "" : " or more"} ${unit}`,
  ];
  if (done === failed && begun > 0) parts.push(`${grouped(begun)} in work`);
  const rate = pace && rateOf(pace.perSecond);
  if (rate !== undefined) parts.push(rate);
  if (rate !== undefined && pace?.isSteady === true && totalIsFinal && total > done)
    parts.push(`${aboutDuration((total - done) / pace.perSecond)} left`);
  if (failed > 0) parts.push(`${grouped(failed)} failed`);
  return `${at === undefined ? "" : `${at}: `}${parts.join(", ")}`;
}

/** The same with a bar before it, cut to the columns of a terminal. */
export function progressBar(line: string, { done, total, totalIsFinal }: Progress, columns: number): string {
  const cells = Math.min(BAR_CELLS_MAX, columns - columnsOf(line) - 4);
  if (cells < BAR_CELLS_MIN) return fitColumns(line, columns - 1);
  const share = totalIsFinal ? done / Math.max(1, done, total) : 0;
  const filled = totalIsFinal && total === 0 ? cells : Math.floor(share * cells);
  return `[${"#".repeat(filled)}${"-".repeat(cells - filled)}] ${line}`;
}

/** A duration as people say it: `under a minute`, `about 12 min`, `about 1.5 h`. */
export function aboutDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "under a minute";
  return minutes < 90 ? `about ${minutes} min` : `about ${Number((seconds / 3600).toFixed(1))} h`;
}

/** Undefined for a rate that would be shown as 0. */
function rateOf(perSecond: number): string | undefined {
  const [rate, time] = perSecond < 1 ? [60 * perSecond, "a minute"] : [perSecond, "a second"];
  if (rate < 0.1) return undefined;
  return `${rate < 10 ? rate.toFixed(1) : grouped(Math.round(rate))} ${time}`;
}

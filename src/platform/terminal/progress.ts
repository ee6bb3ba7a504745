import { columnsOf, fitColumns, grouped } from "./terminal-text.ts";

/** Fluid on a terminal, and few lines elsewhere, such as in a log file. */
const TERMINAL_INTERVAL_MS = 100;
const PLAIN_INTERVAL_MS = 5_000;

/** The window of the rate: long enough to smooth batches, short enough to follow changes. */
const RATE_WINDOW_MS = 15_000;

/** A rate over a shorter time is meaningless. */
const RATE_AFTER_MS = 1_000;

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
  #samples: readonly { readonly at: number; readonly done: number }[] = [];

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
    const perSecond = showsRate ? this.#perSecond(this.#progress.done) : undefined;
    const line = progressLine(this.#progress, unit, perSecond);
    if (this.#stream.isTTY !== true) this.#stream.write(`${line}\n`);
    else {
      const columns = this.#stream.columns ?? COLUMNS_DEFAULT;
      this.#stream.write(`${CLEAR_LINE}${progressBar(line, this.#progress, columns)}`);
    }
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now();
  }

  #perSecond(done: number): number | undefined {
    const at = this.#now();
    this.#samples = [...this.#samples.filter((sample) => at - sample.at <= RATE_WINDOW_MS), { at, done }];
    const [first] = this.#samples;
    if (first === undefined || at - first.at < RATE_AFTER_MS) return undefined;
    return ((done - first.done) * 1000) / (at - first.at);
  }
}

export type Progress = {
  readonly done: number;
  /** The known total so far. */
  readonly total: number;
  readonly totalIsFinal: boolean;
  readonly failed: number;
  /** The current item, shown before the figures. */
  readonly at?: string;
};

/** Shorter bars show little. */
const BAR_CELLS_MIN = 10;
const BAR_CELLS_MAX = 40;

/** The progress line: done, total, rate, time left, failures. @param unit the counted things, in the plural. */
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

/** The same with a bar before it, cut to the columns of a terminal. */
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

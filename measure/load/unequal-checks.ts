import { setTimeout as sleep } from "node:timers/promises";
import type { EngineClient, WireCheck } from "../../test/support/client.ts";
import { prose } from "../../test/support/work/prose.ts";

/** The longest text that a check takes. */
const LONGEST_CHARS = 500_000;

/** The texts that the long checks copy from: five times the length of a check, so that each check aligns much text. */
const BOOKS = 10;
const BOOK_WORDS = 45_000;

const LONG_CHECKS = 20;

/** One page, once a second, as from people who wait for it. */
const SHORT_WORDS = 300;
const SHORT_INTERVAL_MS = 1_000;

/** Seconds, sorted: in the queue, and of the short checks also until they were complete. */
export type Waits = {
  readonly long: readonly number[];
  readonly short: readonly number[];
  readonly shortComplete: readonly number[];
};

const BOOK_TEXTS: readonly string[] = Array.from({ length: BOOKS }, (_, at) =>
  prose(40_000 + at, BOOK_WORDS),
);

export async function addBooks(client: EngineClient): Promise<void> {
  for (const [at, text] of BOOK_TEXTS.entries()) await client.addDocument(`book-${at}.txt`, text);
}

/** Submits twenty checks of 500,000 characters at once, and short ones until those are done. */
export async function checkUnequal(client: EngineClient): Promise<{ waits: Waits; seconds: number }> {
  const started = performance.now();
  const longIds = await Promise.all(
    Array.from({ length: LONG_CHECKS }, (_, at) => client.submit(longText(at))),
  );
  let isOver = false;
  const long = Promise.all(longIds.map((checkId) => ended(client, checkId))).finally(() => {
    isOver = true;
  });
  const shortChecks: Promise<WireCheck>[] = [];
  for (let at = 0; !isOver; at += 1) {
    shortChecks.push(client.submit(prose(50_000 + at, SHORT_WORDS)).then((id) => ended(client, id)));
    await sleep(SHORT_INTERVAL_MS);
  }
  const seconds = (performance.now() - started) / 1000;
  const short = await Promise.all(shortChecks);
  const waits = {
    long: secondsOf(await long, ({ started_at }) => started_at),
    short: secondsOf(short, ({ started_at }) => started_at),
    shortComplete: secondsOf(short, ({ completed_at }) => completed_at),
  };
  return { waits, seconds };
}

/** Alternates pages of the books with pages of its own. */
export function longText(at: number): string {
  const pages = BOOK_TEXTS.flatMap((book, of) => [
    book.slice(12_500 * at, 12_500 * at + 25_000),
    prose(60_000 + 100 * at + of, 5_000).slice(0, 25_000),
  ]);
  return pages.join("\n\n").slice(0, LONGEST_CHARS);
}

async function ended(client: EngineClient, checkId: string): Promise<WireCheck> {
  const check = await client.ended(checkId);
  if (check.status !== "complete") throw new Error(`${checkId}: ${check.status}`);
  return check;
}

function secondsOf(checks: readonly WireCheck[], moment: (check: WireCheck) => string | null): number[] {
  return checks
    .map((check) => (Date.parse(moment(check) ?? "") - Date.parse(check.created_at)) / 1000)
    .sort((a, b) => a - b);
}

import { setTimeout as sleep } from "node:timers/promises";
import type { EngineClient, WireCheck } from "../support/client.ts";
import { prose } from "../support/work/prose.ts";

/** The longest text that a check takes. */
const LONGEST_CHARS = 500_000;

/** Of the texts that the long checks copy from: as long as five of them, so that each check aligns much. */
const BOOKS = 10;
const BOOK_WORDS = 45_000;

const LONG_CHECKS = 20;

/** One page, once a second, as from people who wait for it. */
const SHORT_WORDS = 300;
const SHORT_INTERVAL_MS = 1_000;

/** Seconds in the queue, sorted. */
export type Waits = { readonly long: readonly number[]; readonly short: readonly number[] };

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
  const waits = { long: (await long).map(waitOf), short: (await Promise.all(shortChecks)).map(waitOf) };
  return { waits: { long: waits.long.toSorted(byValue), short: waits.short.toSorted(byValue) }, seconds };
}

/** Alternates pages of the books with pages of its own. */
function longText(at: number): string {
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

function waitOf({ created_at, started_at }: WireCheck): number {
  return (Date.parse(started_at ?? "") - Date.parse(created_at)) / 1000;
}

function byValue(a: number, b: number): number {
  return a - b;
}

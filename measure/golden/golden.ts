import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mochaGlobalTeardown } from "../../test/support/stores.ts";
import { Line, namesIn } from "./canonical.ts";
import { corpusTexts, everyOf, missingCorpusData, PARTS } from "./items.ts";
import { recordItem } from "./record.ts";
import { corpusReady, freshStores, SAMPLE_CACHE, type Stores, startService, upload } from "./service.ts";

export type GoldenRequest = {
  readonly parts: readonly string[];
  readonly writes: boolean;
  readonly wordsOnly: boolean;
  /** Receives the full answers. */
  readonly answers: string | undefined;
  readonly signal: AbortSignal;
};

type Say = (line: string) => void;

const FILE = join(import.meta.dirname, "reports.jsonl");

/** Begins the keys of answers of a service that compares words only. */
const WORDS = "words/";

/** The share of items that are also sent to such a service. */
const WORDS_SHARE = 1 / 4;

const AT_ONCE = 3;
const OPENAPI = "openapi";

/** Records the answers of the service, or compares them with those recorded. @returns the exit status. */
export async function runGolden(request: GoldenRequest, say: Say): Promise<number> {
  const run = await readAnswers(request, say).finally(mochaGlobalTeardown);
  const isRead = ({ key }: Line) => {
    const isWords = key.startsWith(WORDS);
    const part = key.slice(isWords ? WORDS.length : 0).split("/")[0] ?? "";
    return request.parts.includes(part) && !run.skipped.has(part) && (isWords || !request.wordsOnly);
  };
  const recorded = existsSync(FILE) ? (await readFile(FILE, "utf8")).split("\n").slice(0, -1) : [];
  const before = recorded.map((line) => Line.parse(JSON.parse(line)));
  if (!request.writes) return compare(before.filter(isRead), run.lines, say);
  const lines = sorted([...before.filter((line) => !isRead(line)), ...run.lines]);
  await writeFile(FILE, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return 0;
}

async function readAnswers(request: GoldenRequest, say: Say) {
  const skipped = new Map<string, string>();
  const lines: Line[] = [];
  const missing = missingCorpusData();
  for (const part of missing.length > 0 ? request.parts.filter((one) => one !== OPENAPI) : [])
    skipped.set(part, `without ${missing.join(" and ")}, the corpus is not the recorded one`);
  const stores = await freshStores();
  // First without meaning: the index is written once more when documents are encoded.
  for (const byMeaning of request.wordsOnly ? [false] : [false, true])
    lines.push(...(await readFromService(request, { stores, byMeaning, skipped, say })));
  for (const [part, reason] of skipped) say(`${part} was skipped: ${reason}`);
  return { lines, skipped };
}

type Phase = {
  readonly stores: Stores;
  readonly byMeaning: boolean;
  /** Parts without data, with the reasons. */
  readonly skipped: Map<string, string>;
  readonly say: Say;
};

async function readFromService(
  request: GoldenRequest,
  { stores, byMeaning, skipped, say }: Phase,
): Promise<Line[]> {
  say(byMeaning ? "With meaning" : "By words alone");
  const told = timer(say);
  const needsCorpus = request.parts.some((part) => part !== OPENAPI && !skipped.has(part));
  const service = await startService(stores, {
    SAMPLE_CORPUS: needsCorpus ? "on" : "off",
    SEMANTIC: byMeaning ? "on" : "off",
  });
  try {
    if (needsCorpus && !existsSync(SAMPLE_CACHE))
      throw new Error(`The service has no sample corpus:\n${service.output.join("\n")}`);
    const documents = namesIn(needsCorpus ? await upload(service, await corpusTexts()) : []);
    if (needsCorpus) {
      const count = await corpusReady(service, stores, { byMeaning, signal: request.signal });
      told(`${count} documents are matchable`);
    }
    const lines: Line[] = [];
    for (const part of request.parts.filter((one) => !skipped.has(one))) {
      const items = (await PARTS[part]?.()) ?? [];
      if (typeof items === "string") {
        skipped.set(part, items);
        continue;
      }
      const sent = byMeaning ? items : everyOf(items, items.length * WORDS_SHARE);
      const options = { prefix: `${byMeaning ? "" : WORDS}${part}/`, documents, answers: request.answers };
      const before = lines.length;
      await atOnce(sent, async (item, at) => {
        request.signal.throwIfAborted();
        lines.push(...(await recordItem(service, item, at, options)));
      });
      told(`${part}: ${lines.length - before} answers`);
    }
    return lines;
  } finally {
    await service.end("SIGTERM");
  }
}

/** Adds to each line the seconds since the last one. */
function timer(say: Say): Say {
  let last = performance.now();
  return (line) => {
    say(`  ${line}, ${((performance.now() - last) / 1000).toFixed(0)} s`);
    last = performance.now();
  };
}

async function atOnce<T>(items: readonly T[], work: (item: T, at: number) => Promise<void>): Promise<void> {
  const waiting = items.entries();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const [at, item] of waiting) await work(item, at);
  });
  await Promise.all(workers);
}

function sorted(lines: readonly Line[]): Line[] {
  return lines.toSorted((a, b) => Number(a.key > b.key) - Number(a.key < b.key));
}

/** Prints which answers differ, with their figures. @returns the exit status. */
function compare(recorded: readonly Line[], lines: readonly Line[], say: Say): number {
  const before = new Map(recorded.map((line) => [line.key, line]));
  const now = new Map(lines.map((line) => [line.key, line]));
  const all = [...new Map([...before, ...now]).values()];
  const different = sorted(all.filter(({ key }) => before.get(key)?.sha256 !== now.get(key)?.sha256));
  for (const { key } of different)
    say(`${key}\n  recorded: ${figures(before.get(key))}\n  now:      ${figures(now.get(key))}`);
  say(`${all.length - different.length} of ${all.length} answers are the recorded ones`);
  if (different.length > 0 && different.every(({ key }) => !key.startsWith(WORDS)))
    say(
      "Only answers with meaning differ. The encoder's numbers can differ between processors: a recording on another " +
        "processor can be the reason. Answers by words alone do not depend on it.",
    );
  return different.length > 0 ? 1 : 0;
}

function figures(line: Line | undefined): string {
  if (line === undefined) return "no such answer";
  const { key: _, sha256, ...rest } = line;
  return [...Object.entries(rest).map((one) => one.join(" ")), `sha256 ${sha256.slice(0, 12)}`].join(", ");
}

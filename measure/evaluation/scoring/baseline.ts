import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { TextPair } from "../texts/pan-corpus.ts";
import type { PassagePair } from "./match-passages.ts";
import { matchPassages } from "./match-passages.ts";
import { score } from "./score.ts";

/** The figures of the task's own scorer for its baseline on the whole training corpus. */
const OFFICIAL: ReadonlyMap<string, string> = new Map([
  ["02-no-obfuscation plagdet", "0.93294"],
  ["03-random-obfuscation plagdet", "0.07024"],
  ["04-translation-obfuscation plagdet", "0.10400"],
  ["05-summary-obfuscation plagdet", "0.04977"],
  ["all plagdet", "0.43157"],
  ["all recall", "0.35448"],
  ["all precision", "0.92352"],
  ["all granularity", "1.27694"],
]);

/**
 * Scores the detections of the baseline and compares the result with the official figures.
 * @param pairs the whole training corpus of PAN 2013.
 * @param file the detections as a gzipped table.
 * @returns a sentence for every figure that differs in its five digits; none if the scorer is correct.
 */
export async function baselineDifferences(pairs: readonly TextPair[], file: string): Promise<string[]> {
  const figures = await baselineFigures(pairs, file);
  return [...OFFICIAL]
    .filter(([name, official]) => figures.get(name) !== official)
    .map(([name, official]) => `${name} is ${figures.get(name)}, officially ${official}`);
}

async function baselineFigures(pairs: readonly TextPair[], file: string): Promise<Map<string, string>> {
  const detections = await readDetections(file);
  const scored = pairs.map((pair) => ({
    className: pair.className,
    ...matchPassages({
      cases: pair.cases,
      detections: detections.get(`${pair.queryName} ${pair.sourceName}`) ?? [],
    }),
  }));
  const all = score(scored);
  const figures = new Map<string, string>([
    ["all plagdet", all.plagdet.toFixed(5)],
    ["all recall", all.recall.toFixed(5)],
    ["all precision", all.precision.toFixed(5)],
    ["all granularity", all.granularity.toFixed(5)],
  ]);
  for (const [className, ofClass] of Map.groupBy(scored, (pair) => pair.className)) {
    figures.set(`${className} plagdet`, score(ofClass).plagdet.toFixed(5));
  }
  return figures;
}

/** The detections by `query name` `source name`. */
async function readDetections(file: string): Promise<Map<string, PassagePair[]>> {
  const table = (await promisify(gunzip)(await readFile(file))).toString("utf8");
  const detections = new Map<string, PassagePair[]>();
  for (const row of table.trimEnd().split("\n").slice(1)) {
    const [queryName, queryStart, queryLength, sourceName, sourceStart, sourceLength] = row.split("\t");
    const key = `${queryName} ${sourceName}`;
    const found = detections.get(key) ?? [];
    found.push({ query: spanOf(queryStart, queryLength), source: spanOf(sourceStart, sourceLength) });
    detections.set(key, found);
  }
  return detections;
}

function spanOf(start: string | undefined, length: string | undefined) {
  return { start: Number(start), end: Number(start) + Number(length) };
}

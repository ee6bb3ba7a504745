import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { codePointLength } from "../../../src/text/code-points.ts";
import type { Span } from "../../../src/text/span.ts";
import {
  medianOf,
  type PeerAnswer,
  type PeerJob,
  PeerMissing,
  type PeerRun,
  type PeerText,
} from "./peer-job.ts";

/**
 * Its default is runs of 8 words. Runs of 5 with 12 words in all found the most on 50 texts of PAN13 at no more than one false
 * source a text without reuse; without the least number of words, six of them were false.
 */
export const RUN_WORDS_MIN = 5;
const SHARED_WORDS_MIN = 12;

export const SIM_TEXT_MISSING = "not installed; Debian and Ubuntu have it in similarity-tester";

/** Runs `sim_text` over all sources for each query: it keeps no index. @throws PeerMissing */
export async function runSimText({ sources, queries }: PeerJob): Promise<PeerRun> {
  const nameOf = new Map(sources.map(({ name, file }) => [file, name]));
  const answers: PeerAnswer[] = [];
  for (const query of queries) {
    const started = performance.now();
    const runs = simTextRuns(await simText(query, sources));
    const seconds = (performance.now() - started) / 1000;
    const lines = lineStarts(await readFile(query.file, "utf8"));
    answers.push({ queryName: query.name, seconds, found: foundIn(runs, nameOf, lines) });
  }
  const fromScratchSeconds = medianOf(answers.map(({ seconds }) => seconds));
  return { fromScratchSeconds, warmSeconds: undefined, answers };
}

async function simText(query: PeerText, sources: readonly PeerText[]): Promise<string> {
  // -n: places instead of texts; -S: the query against the sources only; -e: each source by itself, so that
  // text that several sources contain is found in each.
  const child = spawn("sim_text", ["-i", "-n", "-S", "-e", "-T", "-r", String(RUN_WORDS_MIN)], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", (cause) => {
      reject(new PeerMissing(SIM_TEXT_MISSING, { cause }));
    });
  });
  // Nothing can be written to a program that can't be started; `failed` reports the error.
  child.stdin.on("error", () => undefined);
  child.stdin.end(`${[query.file, "/", ...sources.map(({ file }) => file)].join("\n")}\n`);
  return await Promise.race([readAll(child.stdout), failed]);
}

/** A row of equal words, from one line of the query to another; lines count from 1. */
export type SimTextRun = {
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly sourceFile: string;
  readonly words: number;
};

/** The runs in the output of `sim_text -n`. */
export function simTextRuns(output: string): SimTextRun[] {
  return [...output.matchAll(RUN)].map(([, file = "", first, last, sourceFile = "", words]) => ({
    file,
    firstLine: Number(first),
    lastLine: Number(last),
    sourceFile,
    words: Number(words),
  }));
}

/** `query.txt: line 30-35|source.txt: line 8-9[108]` */
const RUN = /^(.*): line (\d+)-(\d+)\|(.*): line \d+-\d+\[(\d+)\]$/gm;

function foundIn(
  runs: readonly SimTextRun[],
  nameOf: ReadonlyMap<string, string>,
  lines: readonly number[],
): ReadonlyMap<string, readonly Span[]> {
  const bySource = [...Map.groupBy(runs, ({ sourceFile }) => sourceFile)];
  const shown = bySource.filter(
    ([, of]) => of.reduce((sum, { words }) => sum + words, 0) >= SHARED_WORDS_MIN,
  );
  return new Map(
    shown.map(([sourceFile, of]) => [
      nameOf.get(sourceFile) ?? sourceFile,
      of.map(({ firstLine, lastLine }) => ({
        start: lines[firstLine - 1] ?? 0,
        end: lines[lastLine] ?? lines.at(-1) ?? 0,
      })),
    ]),
  );
}

/** Where each line begins, and the text's end, in code points. */
function lineStarts(text: string): number[] {
  let at = 0;
  return [0, ...text.split(/(?<=\n)/).map((line) => (at += codePointLength(line)))];
}

import { existsSync, readFileSync } from "node:fs";

export type AnswerCounts = {
  readonly answers: number;
  /** Rejected or failed requests with their number, such as `429 POST /_bulk`. */
  readonly faults: ReadonlyMap<string, number>;
};

/** Requests of a start, a deletion or a rebuild for objects that may not exist. */
const EXPECTED_404 = /^404 (HEAD \S+|GET \/\S*_alias\S*|DELETE \S+|GET \/\S*_doc\/\S+)$/;

/** Counts the answers that `record-answers.ts` wrote. */
export function countAnswers(file: string): AnswerCounts {
  const lines = (existsSync(file) ? readFileSync(file, "utf8") : "")
    .split("\n")
    .filter((line) => line !== "");
  const faults = new Map<string, number>();
  for (const line of lines) {
    const status = Number(line.split(" ")[0]);
    if ((status > 0 && status < 400) || EXPECTED_404.test(line)) continue;
    faults.set(line, (faults.get(line) ?? 0) + 1);
  }
  return { answers: lines.length, faults };
}

export function sumOf(faults: AnswerCounts["faults"]): number {
  return faults.values().reduce((sum, count) => sum + count, 0);
}

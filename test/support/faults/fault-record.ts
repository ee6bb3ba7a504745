import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { textTable } from "../../../src/platform/terminal/terminal-text.ts";

/** One line a fault and run; `.data` is kept between runs. */
const FILE = join(import.meta.dirname, "..", "..", "..", ".data", "faults.json");

/** A fault that a test has made, and what came of it. */
export type FaultOutcome = {
  readonly fault: string;
  /** What was under way at the time. */
  readonly under: string;
  readonly tries: number;
  /** Checks and documents, over all tries. */
  readonly lost: number;
  /** From the end of the fault until all work was done, the longest of the tries. */
  readonly healSeconds: number;
  /** Other figures of this fault, by what they are. */
  readonly more?: Readonly<Record<string, number>>;
};

const recorded: FaultOutcome[] = [];

/** Keeps the outcome in `.data/faults.json`, and prints all of this run in a table when the run ends. */
export function recordFault(outcome: FaultOutcome): void {
  if (recorded.length === 0) process.once("exit", printTable);
  recorded.push(outcome);
  mkdirSync(join(FILE, ".."), { recursive: true });
  appendFileSync(FILE, `${JSON.stringify({ at: new Date().toISOString(), ...outcome })}\n`);
}

function printTable(): void {
  const rows = recorded.map(({ fault, under, tries, lost, healSeconds, more = {} }) => [
    fault,
    under,
    String(tries),
    String(lost),
    `${healSeconds.toFixed(1)} s`,
    Object.entries(more)
      .map(([name, value]) => `${name} ${value.toFixed(1)}`)
      .join(", "),
  ]);
  const table = textTable([["fault", "under way", "tries", "lost", "healed after", ""], ...rows]);
  process.stdout.write(`\n${table.join("\n")}\n`);
}

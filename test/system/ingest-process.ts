import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { z } from "zod";
import { childEnvironment } from "../support/processes/child-environment.ts";
import { corpusEnvironment } from "../support/processes/corpus-environment.ts";
import { useCorpus } from "../support/use-corpus.ts";

const SCRIPTS = fileURLToPath(new URL("../../scripts/", import.meta.url));

/** What `--json` prints; nothing more, in this order. */
export const IngestResult = z.strictObject({
  added: z.int(),
  replaced: z.int(),
  unchanged: z.int(),
  removed: z.int(),
  failed: z.int(),
  chunks: z.int(),
  seconds: z.number(),
  languages: z.array(z.strictObject({ language: z.string(), count: z.int(), language_origin: z.string() })),
  semantic_backlog: z.nullable(
    z.strictObject({ documents: z.int(), chunks: z.int(), seconds: z.nullable(z.number()) }),
  ),
});

/** The command as a user runs it, in a process of its own, so that a test can end it in any way. */
export class IngestProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  stdout = "";
  stderr = "";

  constructor(
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
    script: string = "ingest",
  ) {
    this.#child = spawn(process.execPath, [join(SCRIPTS, `${script}.ts`), ...args], {
      env: childEnvironment({ LOG_LEVEL: "warn", ...environment }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.#closed = once(this.#child, "close");
  }

  kill(signal: "SIGKILL" | "SIGINT"): void {
    this.#child.kill(signal);
  }

  /** Waits until it has written this to the standard error; fails if it ends before. */
  async says(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.stderr)) {
      if (this.#child.exitCode !== null) expect.fail(`it ended without a word of ${pattern}: ${this.stderr}`);
      await sleep(10);
    }
  }

  /** Waits for the end; gives the exit status, null when a signal ended it. */
  async ended(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  /** What the last line of its standard output says. */
  get result(): z.output<typeof IngestResult> {
    return IngestResult.parse(JSON.parse(this.stdout.trimEnd().split("\n").at(-1) ?? ""));
  }
}

/** A corpus of its own, and the commands that ingest into it. */
export function useIngest() {
  const made = useCorpus();

  const start = (script: string, ...args: readonly string[]) =>
    new IngestProcess(args, corpusEnvironment(made.options), script);

  /** Runs a command to its end; gives its result and the milliseconds it took. */
  async function run(script: string, ...args: readonly string[]) {
    const started = performance.now();
    const command = start(script, ...args, "--json");
    expect(await command.ended(), command.stderr).to.equal(0);
    return { result: command.result, tookMs: performance.now() - started };
  }

  /** Kills a run at a share of its usual time, and runs it again to its end. */
  async function runKilled(share: number, usualMs: number, script: string, ...args: readonly string[]) {
    const killed = start(script, ...args);
    await sleep(share * usualMs);
    killed.kill("SIGKILL");
    await killed.ended();
    await run(script, ...args);
  }

  return { made, start, run, runKilled };
}

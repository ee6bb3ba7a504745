import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { EngineClient } from "../client.ts";
import { childEnvironment } from "./child-environment.ts";

const MAIN = fileURLToPath(new URL("../../../scripts/start.ts", import.meta.url));

/** With which the launcher and the image start it (see `scripts/launch.mjs`). */
export const SERVICE_FLAGS: readonly string[] = [
  "--max-semi-space-size=8",
  "--heap-growing-percent=40",
  "--no-parallel-scavenge",
];

/** The value of `MALLOC_ARENA_MAX` that they give it. */
export const MALLOC_ARENAS = "2";

type ProgramOptions = {
  readonly nodeArguments?: readonly string[];
  readonly main?: string;
  readonly programArguments?: readonly string[];
};

/** The program as a user runs it, in a process of its own, so that a test can end it in any way. */
export class ServiceProcess {
  readonly client: EngineClient;
  /** What it has printed so far. */
  readonly output: string[];
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, address: string, output: string[]) {
    this.#child = child;
    this.client = new EngineClient(address);
    this.output = output;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Where the statistics API listens; undefined without that role. */
  get statisticsAddress(): string | undefined {
    return addressIn(this.output, STATISTICS_LINE);
  }

  /**
   * Starts it and waits until it serves, or, without a role that does, works.
   * @param how with arguments for Node.js itself, or another program, such as that of another release, with arguments.
   */
  static async start(
    environment: Readonly<Record<string, string>>,
    { nodeArguments = SERVICE_FLAGS, main = MAIN, programArguments = [] }: ProgramOptions = {},
  ): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [...nodeArguments, main, ...programArguments], {
      env: childEnvironment({
        MALLOC_ARENA_MAX: MALLOC_ARENAS,
        ENGINE_PORT: "0",
        STATISTICS_PORT: "0",
        DRAIN_SECONDS: "0",
        SAMPLE_CORPUS: "off",
        ...environment,
      }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = await outputUntilServing(child);
    return new ServiceProcess(child, addressIn(output, ENGINE_LINE) ?? "", output);
  }

  /** Rejects when it ends: for work that would wait forever for its answers. */
  async gone(): Promise<never> {
    const { exitCode, signalCode } = this.#child;
    const [code, signal] =
      exitCode === null && signalCode === null ? await once(this.#child, "exit") : [exitCode, signalCode];
    throw new Error(`the service ended with ${code ?? signal}:\n${this.output.slice(-20).join("\n")}`);
  }

  /** Sends a signal and waits for the end; gives the exit code, null when a signal ended it. */
  async end(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode;
    const exited = once(this.#child, "exit");
    this.#child.kill(signal);
    await exited;
    return this.#child.exitCode;
  }
}

/** What it prints when all of it is up. */
const LAST_LINE = "Stop with Ctrl-C";

/** Waits until a service has printed its last line; gives all lines, to which later ones are added. Rejects when it ends before. */
export async function outputUntilServing(child: ChildProcess): Promise<string[]> {
  if (child.stdout === null || child.stderr === null) throw new Error("its output is not read");
  const output: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => output.push(line));
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => {
      output.push(line);
      if (line === LAST_LINE) resolve();
    });
    // "close" comes after the last line that it printed, which "exit" need not.
    child.once("close", (code) =>
      reject(new Error(`ended with ${code} before it served:\n${output.join("\n")}`)),
    );
  });
  return output;
}
const ENGINE_LINE = /^Engine:\s+(\S+)$/;
const STATISTICS_LINE = /^Statistics:\s+(\S+)\/v1\/$/;

function addressIn(output: readonly string[], line: RegExp): string | undefined {
  return output.flatMap((printed) => line.exec(printed)?.[1] ?? []).at(0);
}

import process from "node:process";
import { DomainError } from "../../core/domain-error.ts";
import { ConfigError } from "../config.ts";

/** Says what is wrong with how a command was called. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Wrong usage, told apart from work that failed. */
const USAGE_STATUS = 2;

/**
 * What `read` makes of the arguments; undefined when there is nothing to do: help was asked for and is printed, or the call
 * was wrong, which is said with the usage, and the exit status is 2.
 * @param read throws UsageError, or what `parseArgs` throws.
 */
export async function readCommand<R>(
  usage: string,
  read: (args: string[]) => R | Promise<R>,
): Promise<R | undefined> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(`${usage}\n`);
    return undefined;
  }
  try {
    return await read(args);
  } catch (error) {
    if (!(error instanceof UsageError) && !isParseError(error)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}\n`);
    process.exitCode = USAGE_STATUS;
    return undefined;
  }
}

/** Prints a result: for people on the standard output; as JSON in its last line where that is asked for, people's on the standard error. */
export function printResult(lines: readonly string[], json: unknown): void {
  const out = json === undefined ? process.stdout : process.stderr;
  for (const line of lines) out.write(`${line}\n`);
  if (json !== undefined) process.stdout.write(`${JSON.stringify(json)}\n`);
}

function isParseError(error: unknown): error is Error {
  return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

/** One Ctrl-C may arrive twice, from the terminal and from npm: what comes this soon after the first is the same. */
const SAME_SIGNAL_MS = 1_000;

/** Is aborted at the first SIGINT or SIGTERM; a second one, of a person who won't wait, ends the process at once. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  let firstAt: number | undefined;
  const onSignal = () => {
    if (firstAt !== undefined && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
    firstAt ??= performance.now();
    stopping.abort(new Error("stopped by a signal"));
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return stopping.signal;
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** One clear message for what a person can mend; the stack for what nobody foresaw. */
export function explainError(error: unknown): string {
  if (error instanceof DomainError && error.code === "store_unavailable" && error.cause instanceof Error) {
    const reason = error.cause.message || error.cause.name;
    if (error.message.includes(reason)) return error.message;
    return `${error.message} (${reason})\nIf it is another server that you want, set DATABASE_URL or OPENSEARCH_URL.`;
  }
  if (error instanceof ConfigError || error instanceof DomainError) return error.message;
  return error instanceof Error ? `${error.stack}` : String(error);
}

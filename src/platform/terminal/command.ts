import { once } from "node:events";
import process from "node:process";
import { ConfigError, DomainError } from "../domain-error.ts";
import { errorCode } from "../error-code.ts";

/** A wrong call of a command; the message names the fault. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The exit status for wrong usage, as opposed to 1 for work that failed. */
const USAGE_STATUS = 2;

/** Reads the arguments of the process. Returns undefined after `--help`, and after a wrong call, with the exit status 2. */
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

/** Prints a result. With `json`, the lines for people go to the standard error and the JSON to the standard output. */
export function printResult(lines: readonly string[], json: unknown): void {
  const out = json === undefined ? process.stdout : process.stderr;
  for (const line of lines) out.write(`${line}\n`);
  if (json !== undefined) process.stdout.write(`${JSON.stringify(json)}\n`);
}

function isParseError(error: unknown): error is Error {
  return error instanceof TypeError && errorCode(error).startsWith("ERR_PARSE_ARGS");
}

/** One Ctrl-C may arrive twice, from the terminal and from npm: signals within this time count as one. */
const SAME_SIGNAL_MS = 1_000;

/** Aborted at the first SIGINT or SIGTERM, which is the cause of its reason. A second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (firstAt !== undefined && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
    firstAt ??= performance.now();
    stopping.abort(new Error("stopped by a signal", { cause: signal }));
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return stopping.signal;
}

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/** A clear message for an error that a person can fix; the stack for any other error. */
export function explainError(error: unknown): string {
  if (error instanceof DomainError && error.code === "store_unavailable" && error.cause instanceof Error) {
    const reason = error.cause.message || error.cause.name;
    if (error.message.includes(reason)) return error.message;
    return `${error.message} (${reason})\nCheck that the server runs and that this machine reaches it, or set DATABASE_URL or OPENSEARCH_URL to another one.`;
  }
  if (error instanceof ConfigError || error instanceof DomainError) return error.message;
  return error instanceof Error ? `${error.stack}` : String(error);
}

import process from "node:process";

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

import { execFile } from "node:child_process";

/** The user that a store runs as when this process is root. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number };

export type CommandResult = {
  readonly ok: boolean;
  /** True when there is no such program on this machine. */
  readonly missing: boolean;
  readonly stdout: string;
  readonly stderr: string;
};

export type CommandOptions = {
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly account?: Account | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Longest output kept of a command, in bytes: package managers can be talkative. */
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Runs a program to its end. A failure, a missing program and a time-out are results, not errors;
 * only an aborted `signal` rejects.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const { account, signal, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    execFile(
      command,
      [...args],
      {
        timeout: timeoutMs,
        maxBuffer: OUTPUT_BYTES_MAX,
        cwd: options.cwd ?? "/",
        env: options.env ?? process.env,
        ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout, stderr) => {
        if (signal?.aborted) reject(signal.reason);
        else resolve({ ok: error === null, missing: error?.code === "ENOENT", stdout, stderr });
      },
    );
  });
}

/** The last lines of a text that say something, joined by line breaks. */
export function lastLines(text: string, count: number): string {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-count)
    .join("\n");
}

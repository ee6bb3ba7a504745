import { execFile } from "node:child_process";

/** The user that a store runs as when this process is root. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number };

/** How to talk to the person who waits. An aborted signal ends the wait and stops all started work. */
export type Waiting = {
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

export type CommandResult = {
  readonly ok: boolean;
  readonly missing: boolean;
  readonly stdout: string;
  readonly stderr: string;
};

type CommandOptions = {
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly account?: Account | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** The most output that is kept of a command, in bytes: package managers can be verbose. */
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;

/** Runs a program to its end; a failure, a missing program and a timeout are results. */
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
        ...ownerOf(account),
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout, stderr) => {
        if (signal?.aborted) reject(signal.reason);
        else resolve({ ok: error === null, missing: error?.code === "ENOENT", stdout, stderr });
      },
    );
  });
}

/** The options of `node:child_process` that run a program as an account; without one it runs as this user. */
export function ownerOf(account: Account | undefined): { readonly uid?: number; readonly gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid };
}

/** The last lines of a text that are not blank. */
export function lastLines(text: string, count: number): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(-count).join("\n");
}

const PROGRESS_MS = 5_000;

/** Runs `work`, and shows a waiting person every five seconds the activity, which may change, with its duration. */
export async function withProgress<T>(
  activity: string | (() => string),
  say: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const show = () =>
    say(
      `${typeof activity === "string" ? activity : activity()} (${Math.round((performance.now() - started) / 1000)} s)`,
    );
  const timer = setInterval(show, PROGRESS_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../support/processes/child-environment.ts";

/** The program of `npm run check`. */
export const SCRIPT = fileURLToPath(new URL("../../../scripts/check.ts", import.meta.url));

export type EndedCommand = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs the check command in a folder, with what is given on the standard input. */
export async function runCheckCommand(
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>>,
  input = "",
): Promise<EndedCommand> {
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    cwd: folder,
    env: childEnvironment(environment),
  });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  if (child.exitCode === null) await once(child, "exit");
  return { status: child.exitCode, stdout, stderr };
}

export async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(stream)).toString();
}

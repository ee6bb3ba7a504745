import { readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type CommandResult, runCommand } from "./run-command.ts";

/** Ways to call pip in order of preference: the first that reports its version is used. */
export const PIP_COMMANDS: readonly (readonly string[])[] = [
  ["python3", "-m", "pip"],
  ["pip3"],
  ["pip"],
  ["python", "-m", "pip"],
];

/** The first `--version` of a cold Python takes a few seconds at most. */
const PROBE_TIMEOUT_MS = 20_000;
/** 36 MB in 11 s where it was measured; five minutes allow 1 Mbit/s. */
const DOWNLOAD_TIMEOUT_MS = 300_000;
/** pip's default of five retries takes two minutes on a machine without a network. */
const PIP_RETRIES = "2";

/** A file of a Python package: the source archive (`.tar.gz`) or the wheel, and its SHA-256. */
type PythonPackage = {
  readonly name: string;
  readonly version: string;
  readonly form: "source" | "wheel";
  readonly sha256: string;
};

/** Downloads the package with pip, which verifies the hash, into a folder; returns the file's path. @throws Error */
export async function pipDownload(
  { name, version, form, sha256 }: PythonPackage,
  givenFolder: string,
  pipCommands: readonly (readonly string[])[],
  signal: AbortSignal | undefined,
): Promise<string> {
  const [command, ...first] = await workingPip(pipCommands, signal);
  if (command === undefined)
    throw new Error("no pip was found (tried python3 -m pip, pip3, pip, python -m pip)");
  // Commands run in another directory, where a relative path would not be found.
  const folder = resolve(givenFolder);
  const requirements = join(folder, "requirements.txt");
  await writeFile(requirements, `${name}==${version} --hash=sha256:${sha256}\n`);
  const only = form === "source" ? "--no-binary" : "--only-binary";
  const options = ["--no-deps", only, name, "--require-hashes", "-r", requirements, "-d", folder];
  const quiet = [
    "--quiet",
    "--no-input",
    "--disable-pip-version-check",
    "--no-cache-dir",
    "--retries",
    PIP_RETRIES,
  ];
  // The folder also takes pip's temporary files, so that they are removed with it.
  const downloaded = await runCommand(command, [...first, "download", ...quiet, ...options], {
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    env: { ...process.env, TMPDIR: folder },
    signal,
  });
  if (!downloaded.ok)
    throw new Error(`pip could not download ${name}: ${lastError(downloaded) ?? "it gave no reason"}`);
  const ending = form === "source" ? ".tar.gz" : ".whl";
  const file = (await readdir(folder)).find((entry) => entry.endsWith(ending));
  if (file === undefined) throw new Error(`pip downloaded no ${form} file of ${name}`);
  return join(folder, file);
}

async function workingPip(
  commands: readonly (readonly string[])[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  for (const command of commands) {
    const [program = "", ...first] = command;
    const probe = await runCommand(program, [...first, "--version"], { timeoutMs: PROBE_TIMEOUT_MS, signal });
    if (probe.ok) return command;
  }
  return [];
}

function lastError({ stdout, stderr }: CommandResult): string | undefined {
  return `${stdout}\n${stderr}`
    .split("\n")
    .findLast((line) => line.startsWith("ERROR:"))
    ?.slice("ERROR:".length)
    .trim();
}

import { execFile, spawn } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

/** The source package that carries the first 100 MB of the English Wikipedia of March 2006 (the file enwik8). */
const PACKAGE = "mingru-pytorch";
const REQUIREMENT = `${PACKAGE}==0.2.1 --hash=sha256:fc9b278b4e04db930a5cd4cdab36e2713b1d6e14084269b161d4f133819e758d\n`;
const MEMBER = "mingru_pytorch-0.2.1/data/enwik8.gz";

/** Ways to call pip, in the order tried: the first one that tells its version is used. */
export const PIP_COMMANDS: readonly (readonly string[])[] = [
  ["python3", "-m", "pip"],
  ["pip3"],
  ["pip"],
  ["python", "-m", "pip"],
];

/** A first `--version` of a cold Python takes a few seconds at most. */
const PROBE_TIMEOUT_MS = 20_000;
/** 36 MB in 11 s where it was measured; five minutes allow 1 Mbit/s. */
const DOWNLOAD_TIMEOUT_MS = 300_000;
/** pip's own five retries hold up a machine without a network for two minutes; two are enough. */
const PIP_RETRIES = "2";

/**
 * Downloads the package with pip into `folder` and gives the archive's path. pip verifies the hash.
 * pip reads the metadata of every source package and fetches its build tool (hatchling) for that, 2 s in a folder of
 * its own; the only switch against it (`--no-build-isolation`) needs the build tool installed, so it is not used.
 * Throws an `Error` that says why: no pip, no network, another file than expected.
 */
export async function downloadPackage(
  folder: string,
  pipCommands: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<string> {
  const [command, ...first] = await workingPip(pipCommands, signal);
  if (command === undefined)
    throw new Error("no pip was found (tried python3 -m pip, pip3, pip, python -m pip)");
  const requirements = join(folder, "requirements.txt");
  await writeFile(requirements, REQUIREMENT);
  const options = ["--no-deps", "--no-binary", PACKAGE, "--require-hashes", "-r", requirements, "-d", folder];
  const quiet = [
    "--quiet",
    "--no-input",
    "--disable-pip-version-check",
    "--no-cache-dir",
    "--retries",
    PIP_RETRIES,
  ];
  const { error, output } = await run(
    command,
    [...first, "download", ...quiet, ...options],
    folder,
    signal,
    DOWNLOAD_TIMEOUT_MS,
  );
  if (error !== null)
    throw new Error(`pip could not download ${PACKAGE}: ${lastError(output) ?? error.message}`);
  const archive = (await readdir(folder)).find((name) => name.endsWith(".tar.gz"));
  if (archive === undefined) throw new Error(`pip left no source archive of ${PACKAGE}`);
  return join(folder, archive);
}

/**
 * The text of the package's data file, piece by piece; holds no more than a piece.
 * Uses the system's `tar`, which Linux, macOS and Windows 10 have; throws an `Error` that says so where it is missing.
 */
export async function* archiveText(archive: string, signal: AbortSignal): AsyncGenerator<string> {
  const tar = spawn("tar", ["-xzOf", archive, MEMBER], { stdio: ["ignore", "pipe", "pipe"], signal });
  let complaint = "";
  tar.stderr.setEncoding("utf8").on("data", (piece: string) => {
    complaint += piece;
  });
  const failure = new Promise<string | null>((resolve) => {
    tar.once("error", (error) => resolve(`the system's tar could not be run (${error.message})`));
    tar.once("close", (code) =>
      resolve(code === 0 ? null : `tar could not read ${MEMBER}: ${complaint.trim()}`),
    );
  });
  const text = createGunzip().setEncoding("utf8");
  pipeline(tar.stdout, text, () => undefined);
  try {
    yield* text;
  } catch (error) {
    throw new Error((await failure) ?? "the data file in the package is damaged", { cause: error });
  }
  const reason = await failure;
  if (reason !== null) throw new Error(reason);
}

async function workingPip(
  commands: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  for (const command of commands) {
    const [program = "", ...first] = command;
    const { error } = await run(program, [...first, "--version"], undefined, signal, PROBE_TIMEOUT_MS);
    signal.throwIfAborted();
    if (error === null) return command;
  }
  return [];
}

type Outcome = { readonly error: Error | null; readonly output: string };

/** `temporary` becomes the child's folder for temporary files, so that all it leaves can be removed with it. */
function run(
  program: string,
  args: readonly string[],
  temporary: string | undefined,
  signal: AbortSignal,
  timeout: number,
): Promise<Outcome> {
  const env = temporary === undefined ? process.env : { ...process.env, TMPDIR: temporary };
  return new Promise((resolve) => {
    execFile(program, args, { env, signal, timeout, windowsHide: true }, (error, stdout, stderr) => {
      resolve({ error, output: `${stdout}\n${stderr}` });
    });
  });
}

/** pip's last line that names an error, without the word. */
function lastError(output: string): string | undefined {
  return output
    .split("\n")
    .findLast((line) => line.startsWith("ERROR:"))
    ?.slice("ERROR:".length)
    .trim();
}

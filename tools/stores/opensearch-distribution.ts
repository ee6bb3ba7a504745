import { createHash } from "node:crypto";
import { chmodSync, createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { stripVTControlCharacters } from "node:util";
import { storeUnavailable } from "../../src/platform/domain-error.ts";
import {
  type CommandResult,
  lastLines,
  runCommand,
  type Waiting,
  withProgress,
} from "../../src/platform/run-command.ts";
import { type JavaRange, OPENSEARCH_3_JAVA } from "./java-home.ts";
import { makeFolder } from "./store-place.ts";

/** A release on Maven Central, with the SHA-512 of its archive and the Java that it runs on. */
export type OpenSearchRelease = {
  readonly version: string;
  readonly sha512: string;
  readonly java: JavaRange;
};

/** The release that the service starts. */
export const EMBEDDED_RELEASE: OpenSearchRelease = {
  version: "3.8.0",
  sha512:
    "8470fc447309e84216f9359030db53a85b087492e161e5ce1a29276e776d4725" +
    "b802f93ba8d218ea88e4a7999addadb863be93b8e1f89e9a292163e636e62de3",
  java: OPENSEARCH_3_JAVA,
};

/** The official minimal distribution: no JDK, no plugins, all modules. */
function artifact({ version }: OpenSearchRelease): string {
  return `org.opensearch.distribution.integ-test-zip:opensearch:${version}:zip`;
}

function fileName({ version }: OpenSearchRelease): string {
  return `opensearch-${version}.zip`;
}

/** 160 MB came in 2 s on a fast line; a slow one (0.5 MB/s) needs six minutes. */
const FETCH_TIMEOUT_MS = 15 * 60_000;

/** Unpacking takes 1.5 s on two cores. */
const UNPACK_TIMEOUT_MS = 3 * 60_000;

/**
 * The folder of the unpacked OpenSearch distribution below `root`. Maven fetches the archive once into the user's cache
 * folder, for all checkouts. Its SHA-512 is checked before it is unpacked, and a damaged one is fetched again.
 */
export async function opensearchDistribution(
  root: string,
  javaHome: string,
  fetching: Waiting,
  release: OpenSearchRelease = EMBEDDED_RELEASE,
): Promise<string> {
  const { version } = release;
  const folder = join(root, `opensearch-${version}`);
  if (isComplete(folder, version)) return folder;
  const archive = await verifiedArchive(release, fetching);
  fetching.say(`Unpacking OpenSearch ${version}`);
  const fresh = `${folder}.unpacking`;
  rmSync(fresh, { recursive: true, force: true });
  makeFolder(fresh);
  await unpack(archive, fresh, javaHome, fetching.signal);
  rmSync(folder, { recursive: true, force: true });
  renameSync(join(fresh, `opensearch-${version}`), folder);
  rmSync(fresh, { recursive: true });
  // `jar` and Python ignore file modes.
  for (const program of readdirSync(join(folder, "bin"))) chmodSync(join(folder, "bin", program), 0o755);
  return folder;
}

function isComplete(folder: string, version: string): boolean {
  const parts = [
    "bin/opensearch",
    "config/jvm.options",
    "modules/analysis-common",
    "modules/transport-netty4",
  ];
  // Since OpenSearch 3 it replaces Java's security manager.
  if (!version.startsWith("2.")) parts.push("agent");
  return [...parts, `lib/opensearch-${version}.jar`].every((part) => existsSync(join(folder, part)));
}

async function verifiedArchive(release: OpenSearchRelease, fetching: Waiting): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "similarity-check");
  const archive = join(cache, fileName(release));
  if (await isGenuine(archive, release)) return archive;
  if (existsSync(archive)) fetching.say(`${archive} is damaged: fetching it again`);
  await fetchArchive(release, archive, fetching);
  if (await isGenuine(archive, release)) return archive;
  rmSync(archive, { force: true });
  throw storeUnavailable(
    `The OpenSearch archive that Maven fetches is not the official one (its SHA-512 differs). ` +
      `Check Maven's local repository and mirror settings, or put the official ${fileName(release)} into ${cache}, or set OPENSEARCH_URL.`,
  );
}

/** Fetches into another folder and renames, so that two checkouts can do it at the same time. */
async function fetchArchive(
  release: OpenSearchRelease,
  archive: string,
  { say, signal }: Waiting,
): Promise<void> {
  const folder = join(dirname(archive), `fetch-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  say(`Fetching OpenSearch ${release.version} with Maven (160 MB, once)`);
  const copy = ["dependency:copy", `-Dartifact=${artifact(release)}`, `-DoutputDirectory=${folder}`];
  const options = { timeoutMs: FETCH_TIMEOUT_MS, cwd: folder, signal };
  try {
    const fetched = await withProgress("OpenSearch is being fetched", say, () =>
      runCommand("mvn", ["-q", "-B", ...copy], options),
    );
    if (!fetched.ok) throw storeUnavailable(fetchMessage(release, fetched, archive));
    renameSync(join(folder, fileName(release)), archive);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fetchMessage(release: OpenSearchRelease, fetched: CommandResult, archive: string): string {
  const wayOut = `or put ${fileName(release)} of the Maven artifact ${artifact(release)} at ${archive}, or set OPENSEARCH_URL to an OpenSearch of yours.`;
  if (fetched.missing) {
    return `The embedded OpenSearch is fetched with Maven, and there is no mvn on the PATH. Install Maven, ${wayOut}`;
  }
  const printed = stripVTControlCharacters(`${fetched.stdout}\n${fetched.stderr}`);
  const errors = printed.split("\n").filter((line) => /^\[ERROR\]\s+\S/.test(line));
  const reason = (errors[0] ?? lastLines(printed, 3)).slice(0, 600);
  return `Maven could not fetch OpenSearch ${release.version}. Check the network and Maven's settings, ${wayOut}\n${reason}`;
}

async function isGenuine(archive: string, { sha512 }: OpenSearchRelease): Promise<boolean> {
  if (!existsSync(archive)) return false;
  const hash = createHash("sha512");
  await pipeline(createReadStream(archive), hash);
  return hash.digest("hex") === sha512;
}

/** With `unzip`, the `jar` of the JDK that OpenSearch runs on, or Python, whichever works first. */
async function unpack(
  archive: string,
  folder: string,
  javaHome: string,
  signal?: AbortSignal,
): Promise<void> {
  const ways: readonly [string, readonly string[]][] = [
    ["unzip", ["-q", archive, "-d", folder]],
    [join(javaHome, "bin", "jar"), ["xf", archive]],
    ["python3", ["-m", "zipfile", "-e", archive, folder]],
  ];
  let problem = "";
  for (const [command, args] of ways) {
    const result = await runCommand(command, args, { timeoutMs: UNPACK_TIMEOUT_MS, cwd: folder, signal });
    if (result.ok) return;
    if (!result.missing) problem = lastLines(result.stderr, 3);
  }
  throw storeUnavailable(
    `The OpenSearch archive could not be unpacked into ${folder}: ${problem || "there is no unzip, no jar and no python3; install unzip"}`,
  );
}

import { existsSync, globSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { storeUnavailable } from "../../src/platform/domain-error.ts";

/** The major versions of Java that a release of OpenSearch starts on; without `max`, all newer ones may work. */
export type JavaRange = { readonly min: number; readonly max?: number };

/** OpenSearch 2 needs Java's security manager, which Java 24 removed. */
export const OPENSEARCH_2_JAVA: JavaRange = { min: 11, max: 23 };
export const OPENSEARCH_3_JAVA: JavaRange = { min: 21 };

/** The newest Java that OpenSearch 3.8's launch options support. A newer one is used only if there is no other. */
const JAVA_MAJOR_SUPPORTED = 25;

type JavaHome = { readonly home: string; readonly major: number };

/** Where Java is installed on Linux and macOS, from the root or, without a slash, from the user's home. */
const USUAL_HOMES: readonly string[] = [
  "/usr/{lib,lib64}/jvm/*",
  "/usr/{java,local}/*",
  "/opt/*",
  "/opt/java/*",
  ".sdkman/candidates/java/*",
  ".asdf/installs/java/*",
  ".local/share/mise/installs/java/*",
  ".jdks/*",
  "/Library/Java/JavaVirtualMachines/*/Contents/Home",
  "Library/Java/JavaVirtualMachines/*/Contents/Home",
  "/{opt/homebrew,usr/local}/opt/*/libexec/openjdk.jdk/Contents/Home",
];

/** `OPENSEARCH_JAVA_HOME`, `JAVA_HOME`, or else the best home that is `usable`. @throws DomainError that lists those found */
export function findJavaHome(
  env: NodeJS.ProcessEnv,
  usable: (home: string) => boolean,
  range: JavaRange = OPENSEARCH_3_JAVA,
): JavaHome {
  const isFit = ({ major }: JavaHome) =>
    major >= range.min && (range.max === undefined || major <= range.max);
  const named = [env.OPENSEARCH_JAVA_HOME, env.JAVA_HOME].flatMap((home) => describeHome(home));
  const installed = installedHomes(env).flatMap((home) => describeHome(home));
  const ranked = [...named.filter(isFit), ...byPreference(installed.filter(isFit))];
  const chosen = ranked.find(({ home }) => usable(home));
  if (chosen !== undefined) return chosen;
  const found = new Map([...named, ...installed].map((java) => [java.home, java]));
  const all = [...found.values()];
  throw storeUnavailable(noJavaMessage(all, all.filter(isFit), range));
}

/** The major version in a `release` file: 8 for `1.8.0_292`, 25 for `25.0.3`. */
export function javaMajor(release: string): number | undefined {
  const version = /^JAVA_VERSION="?(\d+)(?:\.(\d+))?/m.exec(release);
  if (version === null) return undefined;
  return Number(version[1] === "1" ? version[2] : version[1]);
}

/** Supported versions from the newest to the oldest, then newer ones from the oldest to the newest. */
export function byPreference(homes: readonly JavaHome[]): JavaHome[] {
  const rank = ({ major }: JavaHome) =>
    major <= JAVA_MAJOR_SUPPORTED ? JAVA_MAJOR_SUPPORTED - major : major;
  return homes.toSorted((a, b) => rank(a) - rank(b));
}

function describeHome(home: string | undefined): JavaHome[] {
  if (home === undefined || home === "" || !existsSync(join(home, "bin", "java"))) return [];
  try {
    const major = javaMajor(readFileSync(join(home, "release"), "utf8"));
    return major === undefined ? [] : [{ home, major }];
  } catch {
    return [];
  }
}

function installedHomes(env: NodeJS.ProcessEnv): string[] {
  const own = homedir();
  const homes = USUAL_HOMES.flatMap((pattern) => globSync(pattern, { cwd: own }).toSorted());
  return [...new Set([...homes, ...homesOnPath(env)].flatMap((home) => resolved(resolve(own, home))))];
}

/** `java` on the PATH is usually a chain of links into the `bin` of a home. */
function homesOnPath(env: NodeJS.ProcessEnv): string[] {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => resolved(join(folder, "java"))).map((java) => dirname(dirname(java)));
}

function resolved(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function noJavaMessage(found: readonly JavaHome[], fit: readonly JavaHome[], range: JavaRange): string {
  const list = found.map(({ home, major }) => `Java ${major} in ${home}`).join(", ");
  const wanted = range.max === undefined ? `${range.min} or newer` : `${range.min} to ${range.max}`;
  const seen =
    found.length === 0
      ? "none was found"
      : fit.length === 0
        ? `found only ${list}`
        : `found ${list}, but the user that OpenSearch runs as cannot start ${fit.length === 1 ? "it" : "them"}`;
  return (
    `The embedded OpenSearch needs Java ${wanted}: ${seen}. Install a JDK ${wanted} ` +
    "and, if it is in an unusual place, set OPENSEARCH_JAVA_HOME to its folder; or set OPENSEARCH_URL to your own OpenSearch."
  );
}

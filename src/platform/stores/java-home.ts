import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { DomainError } from "../../core/domain-error.ts";

/** Oldest Java that OpenSearch 3 starts on. */
export const JAVA_MAJOR_MIN = 21;

/** Newest Java that OpenSearch 3.8's own launch options know; a newer one is taken only when there is no other. */
const JAVA_MAJOR_PROVEN = 25;

export type JavaHome = { readonly home: string; readonly major: number };

/** Folders that hold one Java home per entry, on Linux and macOS; `suffix` leads from the entry to the home. */
const SHELVES: readonly { readonly folder: string; readonly suffix: string }[] = [
  { folder: "/usr/lib/jvm", suffix: "" },
  { folder: "/usr/lib64/jvm", suffix: "" },
  { folder: "/usr/java", suffix: "" },
  { folder: "/usr/local", suffix: "" },
  { folder: "/opt", suffix: "" },
  { folder: "/opt/java", suffix: "" },
  { folder: join(homedir(), ".sdkman/candidates/java"), suffix: "" },
  { folder: join(homedir(), ".asdf/installs/java"), suffix: "" },
  { folder: join(homedir(), ".local/share/mise/installs/java"), suffix: "" },
  { folder: join(homedir(), ".jdks"), suffix: "" },
  { folder: "/Library/Java/JavaVirtualMachines", suffix: "Contents/Home" },
  { folder: join(homedir(), "Library/Java/JavaVirtualMachines"), suffix: "Contents/Home" },
  { folder: "/opt/homebrew/opt", suffix: "libexec/openjdk.jdk/Contents/Home" },
  { folder: "/usr/local/opt", suffix: "libexec/openjdk.jdk/Contents/Home" },
];

/**
 * A Java home that OpenSearch can run on: `OPENSEARCH_JAVA_HOME`, else `JAVA_HOME`, else the best of the usual
 * folders. `usable` says whether the user that OpenSearch will run as can start it.
 * Throws with all that was found when none will do.
 */
export function findJavaHome(env: NodeJS.ProcessEnv, usable: (home: string) => boolean): JavaHome {
  const named = [env.OPENSEARCH_JAVA_HOME, env.JAVA_HOME].flatMap((home) => describeHome(home));
  const shelved = shelvedHomes(env).flatMap((home) => describeHome(home));
  const ranked = [...named.filter(isFit), ...byPreference(shelved.filter(isFit))];
  const chosen = ranked.find(({ home }) => usable(home));
  if (chosen !== undefined) return chosen;
  const found = new Map([...named, ...shelved].map((java) => [java.home, java]));
  throw new DomainError("store_unavailable", noJavaMessage([...found.values()]));
}

/** Java's major version from the text of a home's `release` file: 8 for `1.8.0_292`, 25 for `25.0.3`. */
export function javaMajor(release: string): number | undefined {
  const version = /^JAVA_VERSION="?(\d+)(?:\.(\d+))?/m.exec(release);
  if (version === null) return undefined;
  return Number(version[1] === "1" ? version[2] : version[1]);
}

/** The newest proven version first, then the others below it, then the unproven ones, oldest first. */
export function byPreference(homes: readonly JavaHome[]): JavaHome[] {
  const rank = ({ major }: JavaHome) => (major <= JAVA_MAJOR_PROVEN ? JAVA_MAJOR_PROVEN - major : major);
  return homes.toSorted((a, b) => rank(a) - rank(b));
}

function isFit({ major }: JavaHome): boolean {
  return major >= JAVA_MAJOR_MIN;
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

function shelvedHomes(env: NodeJS.ProcessEnv): string[] {
  const homes = SHELVES.flatMap(({ folder, suffix }) =>
    entries(folder).map((entry) => join(folder, entry, suffix)),
  );
  return [...new Set([...homes, ...homesOnPath(env)].flatMap((home) => resolved(home)))];
}

/** `java` on the PATH is mostly a chain of links into a home's `bin`. */
function homesOnPath(env: NodeJS.ProcessEnv): string[] {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => resolved(join(folder, "java"))).map((java) => dirname(dirname(java)));
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function resolved(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function noJavaMessage(found: readonly JavaHome[]): string {
  const list = found.map(({ home, major }) => `Java ${major} in ${home}`).join(", ");
  const fit = found.filter(isFit);
  const seen =
    found.length === 0
      ? "none was found"
      : fit.length === 0
        ? `found only ${list}`
        : `found ${list}, but the user that OpenSearch runs as cannot start ${fit.length === 1 ? "it" : "them"}`;
  return (
    `The embedded OpenSearch needs Java ${JAVA_MAJOR_MIN} or newer: ${seen}. Install a JDK ${JAVA_MAJOR_MIN} or newer ` +
    "and, if it lies in an unusual place, set OPENSEARCH_JAVA_HOME to its folder; or set OPENSEARCH_URL to an OpenSearch of yours."
  );
}

import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { childEnvironment } from "./child-environment.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** The parts of a checkout that the service and its commands read. */
const PARTS = ["dist/pages", "index-templates", "migrations", "package.json", "scripts", "src", "tools"];

/** `npm ci` took 20 s with a filled cache. */
const PROGRAM_TIMEOUT_MS = 10 * 60_000;

/** A release's program in a folder of its own, with its packages and pages. */
export type Release = { readonly name: string; readonly folder: string };

/** This checkout. */
export const PRESENT: Release = { name: "this checkout", folder: ROOT };

/**
 * The release that users come from: the Git revision in UPGRADE_FROM, otherwise the newest tag before this commit, otherwise the
 * program before the newest migration landed. Without that history, as in a shallow clone, it is this checkout itself.
 * @param folder that does not exist yet.
 */
export async function previousRelease(folder: string): Promise<Release> {
  const revision = process.env.UPGRADE_FROM ?? (await newestTag()) ?? (await beforeNewestMigration());
  if (revision === undefined) return PRESENT;
  const [name = revision] = await git("describe", "--tags", "--always", revision);
  mkdirSync(folder, { recursive: true });
  await run("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", revision, folder], ROOT);
  if (packagesOf(folder) === packagesOf(ROOT))
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  else await run("npm", ["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"], folder);
  await run(process.execPath, [join(folder, "scripts", "build-pages.ts")], folder);
  return { name, folder };
}

/** This checkout with one more migration: what the release after this one is to the tables. */
export function nextRelease(folder: string): Release {
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const migration = "alter table checks add column of_the_next_release boolean not null default false;\n";
  writeFileSync(join(folder, "migrations", "9999_next_release.sql"), migration);
  return { name: "this checkout with one more migration", folder };
}

export function migrationsOf({ folder }: Release): string[] {
  return migrationFiles(readdirSync(join(folder, "migrations")));
}

function migrationFiles(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith(".sql")).toSorted();
}

async function newestTag(): Promise<string | undefined> {
  const [tag] = await git("describe", "--tags", "--abbrev=0", "--match=v[0-9]*", "HEAD~1");
  return tag;
}

/** Branches may number a migration anew before it lands, so only states whose migrations this release has as well count. */
async function beforeNewestMigration(): Promise<string | undefined> {
  const present = migrationsOf(PRESENT);
  for (const landing of await git("rev-list", "--first-parent", "HEAD", "--", "migrations")) {
    const before = `${landing}~1`;
    const names = migrationFiles(await git("ls-tree", "--name-only", `${before}:migrations`));
    const isEarlier = names.length > 0 && names.length < present.length;
    if (isEarlier && names.every((name, at) => name === present[at])) return before;
  }
  return undefined;
}

/** The lines that Git prints; none if it fails, as without a repository or without the revision. */
async function git(...args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)("git", [...args], { cwd: ROOT }).catch(() => ({ stdout: "" }));
  return stdout.split("\n").filter(Boolean);
}

/** The lock file without the version of the program. */
function packagesOf(folder: string): string {
  const {
    version: _,
    packages,
    ...lock
  } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return JSON.stringify({ ...lock, packages: { ...packages, "": undefined } });
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(command, [...args], {
    cwd,
    env: childEnvironment(),
    timeout: PROGRAM_TIMEOUT_MS,
  });
}

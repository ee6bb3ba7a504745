import { execFile } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** Below the repository, so that its imports find the packages that are installed here. */
const FOLDER = join(ROOT, ".data", "release-before");

const run = promisify(execFile);

/**
 * Lays out the sources from before the newest migration came, as git remembers them, and gives the path of their program.
 * Undefined where there is no history: in an archive of the sources, or a shallow clone.
 */
export async function releaseBefore(): Promise<string | undefined> {
  const newest = (await readdir(join(ROOT, "migrations"))).filter((file) => file.endsWith(".sql")).toSorted();
  const added = ["log", "-1", "--diff-filter=A", "--format=%P", "--", `migrations/${newest.at(-1)}`];
  const [parent] = (await git(added)).split(/\s+/);
  if (parent === undefined || parent === "") return undefined;
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const archive = join(FOLDER, "sources.tar");
  await git(["archive", "--format=tar", "-o", archive, parent]);
  await run("tar", ["-xf", archive, "-C", FOLDER]);
  await rm(archive);
  return join(FOLDER, "src", "main.ts");
}

async function git(args: readonly string[]): Promise<string> {
  const { stdout } = await run("git", [...args], { cwd: ROOT }).catch(() => ({ stdout: "" }));
  return stdout.trim();
}

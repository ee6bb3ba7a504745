import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { DomainError } from "../../../src/core/domain-error.ts";
import { isPanCorpus, type PanCorpus, readPanCorpus } from "./pan-corpus.ts";
import { EVALUATION_DIR } from "./places.ts";

/**
 * Reads the corpus at `path`: a folder, or an archive that `tar` can unpack, which is done once and kept.
 * @returns undefined when nothing is there.
 * @throws DomainError `invalid_input` when something else is there.
 */
export async function openPanCorpus(path: string): Promise<PanCorpus | undefined> {
  if (!existsSync(path)) return undefined;
  const folder = statSync(path).isDirectory() ? path : await unpacked(path);
  if (isPanCorpus(folder)) return readPanCorpus(folder);
  throw new DomainError(
    "invalid_input",
    `${path} holds no corpus in PAN's layout: "pairs", "susp" and "src" are not all there.`,
  );
}

/** The folder with the archive's content; the name tells one edition of an archive from the next. */
async function unpacked(archive: string): Promise<string> {
  const { size, mtimeMs } = statSync(archive);
  const kept = join(EVALUATION_DIR, `${basename(archive)}-${size}-${Math.trunc(mtimeMs)}`);
  if (!existsSync(kept)) {
    await mkdir(EVALUATION_DIR, { recursive: true });
    const fresh = await mkdtemp(join(EVALUATION_DIR, "unpacking-"));
    try {
      await promisify(execFile)("tar", ["-xf", archive, "-C", fresh]);
      await rename(fresh, kept);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }
  const [only] = await readdir(kept);
  return only === undefined || isPanCorpus(kept) ? kept : join(kept, only);
}

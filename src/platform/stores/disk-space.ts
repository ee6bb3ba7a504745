import { statfsSync } from "node:fs";
import { DomainError } from "../../core/domain-error.ts";

/** The unpacked distribution (203 MB), both empty stores (60 MB) and the sample corpus, with room to work. */
const FREE_BYTES_MIN = 2 * 1024 ** 3;

/** OpenSearch's default flood stage watermark: above it, all its indices become read-only. */
const USED_FLOOD = 0.95;

/** OpenSearch's default high watermark: above it, a lone node refuses to create an index. */
const USED_HIGH = 0.9;

export type DiskSpace = { readonly totalBytes: number; readonly freeBytes: number };

/** Throws when the disk of `folder` is too full for the stores to work, and warns when it soon will be. */
export function checkDiskSpace(folder: string, say: (line: string) => void): void {
  const { blocks, bavail, bsize } = statfsSync(folder);
  const verdict = judgeDiskSpace(folder, { totalBytes: blocks * bsize, freeBytes: bavail * bsize });
  if (verdict.fits) verdict.warning === undefined || say(verdict.warning);
  else throw new DomainError("store_unavailable", verdict.problem);
}

export type DiskVerdict =
  | { readonly fits: true; readonly warning: string | undefined }
  | { readonly fits: false; readonly problem: string };

/** What the free space means for the stores; counted as OpenSearch counts it, by what a user may still write. */
export function judgeDiskSpace(folder: string, { totalBytes, freeBytes }: DiskSpace): DiskVerdict {
  const used = 1 - freeBytes / totalBytes;
  const state = `${gigabytes(freeBytes)} GB are free on the disk of ${folder} (${Math.floor(used * 100)}% used)`;
  if (freeBytes < FREE_BYTES_MIN) {
    return { fits: false, problem: `The stores need 2 GB of disk, but only ${state}. ${WAY_OUT}` };
  }
  if (used >= USED_FLOOD) {
    return {
      fits: false,
      problem: `OpenSearch writes nothing to a disk over 95% full: ${state}. ${WAY_OUT}`,
    };
  }
  if (used >= USED_HIGH) {
    return {
      fits: true,
      warning: `OpenSearch makes no new index on a disk over 90% full: ${state}. ${WAY_OUT}`,
    };
  }
  return { fits: true, warning: undefined };
}

const WAY_OUT = "Free some space, or set DATA_DIR to a folder on another disk.";

function gigabytes(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1);
}

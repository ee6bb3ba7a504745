import type { Progress } from "../../platform/terminal/progress.ts";
import type { InspectedFile } from "../sources/input/inspect-file.ts";
import type { OnBytes } from "../sources/input/read-text.ts";

const MEGABYTE = 1_000_000;

/** What a person should know of a file before it is read: its size, and its encoding when it is not the usual one. */
export function describe({ bytes, encoding }: InspectedFile): string {
  const size = `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return encoding === "utf-8" ? size : `${size}, read as ${encoding}`;
}

/** Counts the bytes of several files that are read one after the other, and tells how many megabytes are done. Stops at a signal. */
export function megabyteProgress(
  inputs: readonly InspectedFile[],
  {
    onProgress,
    signal,
  }: { readonly onProgress?: (progress: Progress) => void; readonly signal?: AbortSignal },
): OnBytes {
  const total = inputs.reduce((sum, { bytes }) => sum + bytes, 0);
  let read = 0;
  return (bytes) => {
    signal?.throwIfAborted();
    read += bytes;
    onProgress?.({
      done: Math.round(read / MEGABYTE),
      total: Math.round(total / MEGABYTE),
      totalIsFinal: true,
      failed: 0,
    });
  };
}

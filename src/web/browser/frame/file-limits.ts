import { bytes } from "./wording/numbers.ts";

/** The engine's limit on a file to be checked, and its default for documents of the corpus. */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;

/**
 * Why a file would be refused, known before it is sent; undefined when nothing speaks against it. Its kind is decided
 * by what it holds, which the service looks at.
 */
export function fileFault({ size }: { readonly size: number }): string | undefined {
  if (size === 0) return "This file is empty.";
  if (size <= FILE_BYTES_MAX) return undefined;
  return `This file has ${bytes(size)}; at most ${bytes(FILE_BYTES_MAX)} can be read. Split it, or take out its pictures.`;
}

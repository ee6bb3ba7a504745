import { bytes } from "./wording/numbers.ts";

/** The engine's limit on a file to be checked. */
const FILE_BYTES_MAX = 10 * 1024 * 1024;

/**
 * Why a file would be refused, known before it is sent; undefined when nothing speaks against it. Its kind is decided
 * by what it holds, which the service looks at.
 * @param bytesMax the limit in bytes, where it is known
 */
export function fileFault(
  { size }: { readonly size: number },
  bytesMax: number = FILE_BYTES_MAX,
): string | undefined {
  if (size === 0) return "This file is empty.";
  if (size <= bytesMax) return undefined;
  return `This file has ${bytes(size)}; at most ${bytes(bytesMax)} can be read. Split it, or take out its pictures.`;
}

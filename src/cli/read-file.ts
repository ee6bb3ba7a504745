import { open } from "node:fs/promises";
import { basename, resolve } from "node:path";
import process from "node:process";
import { addAbortSignal } from "node:stream";

/** What the service takes. A larger file is refused here, before it fills the memory. */
const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** A file that can't be sent; the message says why. */
export class FileError extends Error {
  override readonly name = "FileError";
}

/** What the standard input is called where a file has its name. */
export const STANDARD_INPUT = "standard input";

/**
 * A file as it is sent to the service, `-` for what comes from the standard input.
 * @throws FileError; once the signal is aborted, an error of no meaning.
 */
export async function readFile(path: string, signal: AbortSignal): Promise<File> {
  // Nobody may ever end the standard input.
  if (path === "-") return new File(await upToLimit(addAbortSignal(signal, process.stdin)), STANDARD_INPUT);
  // npm runs scripts in the package's own directory; this is where it was called.
  const full = resolve(
    process.env.npm_lifecycle_event === undefined ? "" : (process.env.INIT_CWD ?? ""),
    path,
  );
  try {
    await using handle = await open(full);
    return new File(await upToLimit(handle.createReadStream({ autoClose: false })), basename(full));
  } catch (error) {
    throw error instanceof FileError ? error : new FileError(reasonOf(error), { cause: error });
  }
}

async function upToLimit(bytes: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > FILE_BYTES_MAX)
      throw new FileError("The file is larger than 10 MiB, the most that the service takes.");
    chunks.push(chunk);
  }
  return chunks;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "There is no such file.";
  if (code === "EISDIR") return "It is a folder; name the files in it.";
  if (code === "EACCES" || code === "EPERM") return "It may not be read.";
  return error instanceof Error ? error.message : String(error);
}

import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import process from "node:process";
import { visibleText } from "../../platform/terminal/terminal-text.ts";

/** The limit of the service. A larger file is refused before it fills the memory. */
const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** A file that can't be sent; the message says why. */
export class FileError extends Error {
  override readonly name = "FileError";
}

export const STANDARD_INPUT = "standard input";

/** The name of a file as it is shown. */
export function nameOf(file: string): string {
  return file === "-" ? STANDARD_INPUT : visibleText(file);
}

/** npm runs scripts in the package's directory; INIT_CWD is the directory in which the user called it. */
export function fullPath(path: string): string {
  return resolve(process.env.npm_lifecycle_event === undefined ? "" : (process.env.INIT_CWD ?? ""), path);
}

/** Reads a file as it is sent to the service, by default under its own name. @throws FileError */
export async function fileAt(path: string, name: string = basename(path)): Promise<File> {
  try {
    return new File(await upToLimit(createReadStream(path)), name);
  } catch (error) {
    throw error instanceof FileError ? error : new FileError(reasonOf(error), { cause: error });
  }
}

export async function upToLimit(
  bytes: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > FILE_BYTES_MAX)
      throw new FileError("The file is larger than 10 MiB, the limit of the service.");
    chunks.push(chunk);
  }
  return chunks;
}

/** Why a file or folder can't be read. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "There is no such file.";
  if (code === "EISDIR") return "This is a folder. Name the files in it.";
  if (code === "EACCES" || code === "EPERM") return "You have no permission to read it.";
  return error instanceof Error ? error.message : String(error);
}

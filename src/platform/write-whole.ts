import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";

/** Writes a file atomically: no reader and no other writer ever sees a part of it. A stream is written in constant memory. */
export async function writeWhole(
  path: string,
  content: Uint8Array | string | AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomUUID()}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(temporary, content);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type InspectedFile,
  inspectFile,
  type OnBytes,
} from "../../src/statistics/sources/input/text-file.ts";

type Parser<T> = (input: InspectedFile, onBytes: OnBytes) => AsyncIterable<T>;

/** Gives what `use` makes of a file with this content, which goes afterwards. */
export async function withFile<T>(
  name: string,
  content: string | Uint8Array,
  use: (input: InspectedFile) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "statistics-"));
  try {
    const file = join(folder, name);
    await writeFile(file, content);
    return await use(await inspectFile(file));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** All that a parser makes of a file with this content. */
export function parsed<T>(parser: Parser<T>, content: string | Uint8Array, name = "file.txt"): Promise<T[]> {
  return withFile(name, content, (input) => Array.fromAsync(parser(input, () => undefined)));
}

/** The message of the error that `work` ends with; a test that expects one fails when there is none. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("nothing was refused");
}

import { type InspectedFile, readBytes } from "./inspect-file.ts";

/** Is told of each piece of a file that was read, in bytes. */
export type OnBytes = (bytes: number) => void;

/** The text of a file, piece by piece, without its byte-order mark; memory does not grow with the file. */
export async function* readText({ file, encoding }: InspectedFile, onBytes: OnBytes): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const bytes of readBytes(file)) {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== "") yield text;
    onBytes(bytes.length);
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}

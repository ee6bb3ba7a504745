import { Readable } from "node:stream";
import type { Context } from "koa";
import { turn } from "../platform/flow/turns.ts";

/** Names the file as which a browser saves or shows the answer. Older clients get `plainName` unless the name is plain ASCII. */
export function nameFile(
  ctx: Context,
  name: string,
  plainName: string,
  type: "attachment" | "inline" = "attachment",
): void {
  ctx.attachment(name, { type, fallback: /^[\x20-\x7e]*$/.test(name) || plainName });
}

/** Answers with a table as `csvFile` makes it, line by line. */
export function sendCsv(ctx: Context, lines: Parameters<typeof inTurns>[0]): void {
  ctx.type = CSV_TYPE;
  ctx.body = Readable.from(inTurns(lines));
}

const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/**
 * A file name from a title by a person: short, and without characters that are invisible or special in file systems and shells.
 * @param fallback replaces a title without usable characters.
 * @param ending such as ` - passages.csv`. It also keeps a title from naming a device of Windows (`CON`).
 */
export function downloadName(title: string, fallback: string, ending: string): string {
  const plain = title.toWellFormed().normalize("NFC").replace(UNSAFE, " ").replace(/\s+/gu, " ");
  const short = [...plain].slice(0, NAME_CHARS_MAX).join("");
  const name = short.replace(/^[\s.]+|[\s.…]+$/gu, "");
  return `${name === "" ? fallback : name}${ending}`;
}

/** File systems allow 255 bytes; a character takes up to 4, and the ending needs some. */
const NAME_CHARS_MAX = 50;

const UNSAFE = /[\p{C}"*/:<>?\\|]/gu;

/** Parts are sent together up to this length, because each would be a chunk of the response. */
const CHUNK_LENGTH = 64 * 1024;

/** Text or markup. */
type Part = { toString(): string };

/** How long a response may compute at a stretch. With the longest part of one, 20 ms, a pass of the event loop stays below 50 ms. */
const TURN_MS = 10;

/**
 * Makes a response from its parts without holding up other requests: after each turn, the event loop does whatever else is waiting.
 * All responses that are made at the same time share the turns, one in each pass of the loop.
 */
export async function* inTurns(parts: Iterable<Part> | AsyncIterable<Part>): AsyncGenerator<string> {
  let chunk = "";
  await turn();
  let endsAt = performance.now() + TURN_MS;
  for await (const part of parts) {
    chunk += part.toString();
    if (chunk.length >= CHUNK_LENGTH) {
      yield chunk;
      chunk = "";
    }
    if (performance.now() < endsAt) continue;
    await turn();
    endsAt = performance.now() + TURN_MS;
  }
  if (chunk !== "") yield chunk;
}

import { Readable } from "node:stream";
import type { Context } from "koa";
import { inTurns } from "./in-turns.ts";

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

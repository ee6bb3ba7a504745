/**
 * A pattern of what stands in a tag behind its name; a `>` inside quotation marks does not end it. Written so that it
 * repeats once per value, not per character: V8 keeps each repetition on a stack, which a tag of 10 MB overflowed.
 */
export const ATTRIBUTES = `[^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*)*`;

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** The attributes of a start tag by their names, prefixes left out. */
export function readAttributes(tag: string): ReadonlyMap<string, string> {
  const pairs = tag.matchAll(/(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map(
    [...pairs].map(([, name = "", double, single]) => [name, unescapeXml(double ?? single ?? "")]),
  );
}

/** Decodes a part of a package: UTF-16 with a byte-order mark, else UTF-8, as the format allows. */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** Text as it must be written between two tags. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Replaces the references that XML knows without a document type; others stay as they are. */
export function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-fA-F]+)|(\w+));/g, (all, decimal, hex, name) => {
    if (name !== undefined) return NAMED.get(name) ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

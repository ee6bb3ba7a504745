import { promisify } from "node:util";
import { brotliCompressSync, brotliDecompress, brotliDecompressSync, constants } from "node:zlib";
import { outsidePair } from "../text/code-points.ts";
import type { Span } from "../text/span.ts";

/** A section of a text, compressed on its own. `start` and `length` are in UTF-16 units. */
export type PackedSection = {
  readonly start: number;
  readonly length: number;
  readonly encoding: "br" | "utf8";
  readonly body: Uint8Array;
};

/** In UTF-16 units. Unpacking a section takes 0.3 ms, a check reads a few of a book, and larger ones hardly compress better. */
const SECTION_LENGTH_MAX = 65_536;

/** Texts of 4.5 KB shrink to 0.40 (zstd 0.43, PostgreSQL 0.71) at 37 MB/s. 9 saves no more; 11 gives 0.33 at 1 MB/s. */
const BROTLI_QUALITY = 5;

/** A window of 64 KB, which holds a section of most scripts. */
const BROTLI_WINDOW_BITS = 16;

/** Cuts a text into sections and compresses each. Together they give back the same text; an empty text has no section. */
export function packText(text: string): PackedSection[] {
  const sections: PackedSection[] = [];
  for (let start = 0; start < text.length; ) {
    const end = outsidePair(text, Math.min(start + SECTION_LENGTH_MAX, text.length));
    sections.push({ start, length: end - start, ...pack(text.slice(start, end)) });
    start = end;
  }
  return sections;
}

/** @throws when the bytes are not a section. */
export function unpackSection({ encoding, body }: PackedSection): string {
  const bytes = encoding === "br" ? brotliDecompressSync(body) : Buffer.from(body);
  return bytes.toString("utf8");
}

/** The same without blocking the thread. */
export async function unpackSectionAsync({ encoding, body }: PackedSection): Promise<string> {
  const bytes = encoding === "br" ? await promisify(brotliDecompress)(body) : Buffer.from(body);
  return bytes.toString("utf8");
}

/** The whole text of all its sections, in any order. */
export function unpackText(sections: readonly PackedSection[]): string {
  return sections
    .toSorted((a, b) => a.start - b.start)
    .map(unpackSection)
    .join("");
}

/** The part of a text between two offsets, from the sections that overlap it, ascending. */
export function textBetween(
  sections: readonly { readonly start: number; readonly text: string }[],
  { start, end }: Span,
): string {
  return sections
    .map((section) =>
      section.text.slice(Math.max(0, start - section.start), Math.max(0, end - section.start)),
    )
    .join("");
}

function pack(text: string): Pick<PackedSection, "encoding" | "body"> {
  const plain = Buffer.from(text);
  const compressed = brotliCompressSync(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
  return compressed.length < plain.length
    ? { encoding: "br", body: compressed }
    : { encoding: "utf8", body: plain };
}

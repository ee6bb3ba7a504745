import type { Span } from "../../text/span.ts";
import {
  type HeadingLine,
  isBibliographyTitle,
  isOtherSectionTitle,
  readHeading,
  readsLikeTitle,
  startsLikeTitle,
} from "./heading.ts";
import { type Line, lines } from "./lines.ts";

/** An open bibliography, and the number of its latest entry with the punctuation after it. */
type Section = {
  readonly start: number;
  readonly heading: HeadingLine;
  readonly entry: { readonly number: number; readonly numberEnd: string } | undefined;
};

/** Lines longer than this, in UTF-16 units, are neither headings nor looked at as such. */
const LINE_UNITS_MAX = 400;

const ENTRY_NUMBER = /^\s*(\d{1,3})([.)．]?)\s/;

/**
 * The bibliographies of a text: ascending, disjoint UTF-16 spans, each from the start of its heading's line to the start
 * of the next heading's line, or to the text's end.
 *
 * A heading is a line of its own: "References", "7. LITERATUR", "## Works cited:", "参 考 文 献". A line in small letters
 * needs a blank line before it, since it may be the rest of a sentence. What ends a bibliography: a heading by its markup
 * (one below the bibliography's own level is a part of it), the known title of another part ("Appendix B", "Chapter 9"), and a
 * numbered title, unless its number goes on counting the entries. Linear in the text.
 */
export function bibliography(text: string): Span[] {
  const found: Span[] = [];
  let section: Section | undefined;
  let followsBlank = true;
  for (const [line, next] of linesWithNext(text)) {
    const content = lineContent(text, line);
    const heading = readHeading(content, next === undefined ? "" : lineContent(text, next));
    if (heading !== undefined && opensBibliography(heading, followsBlank)) {
      section = { start: section?.start ?? line.start, heading, entry: undefined };
    } else if (
      section !== undefined &&
      heading !== undefined &&
      endsSection(section, heading, followsBlank)
    ) {
      found.push({ start: section.start, end: line.start });
      section = undefined;
    } else if (section !== undefined) {
      section = withEntry(section, content);
    }
    followsBlank = content.trim() === "" && line.end - line.start <= LINE_UNITS_MAX;
  }
  if (section !== undefined) found.push({ start: section.start, end: text.length });
  return found;
}

function* linesWithNext(text: string): Generator<readonly [Line, Line | undefined]> {
  let current: Line | undefined;
  for (const next of lines(text)) {
    if (current !== undefined) yield [current, next];
    current = next;
  }
  if (current !== undefined) yield [current, undefined];
}

/** The line, or nothing if it is too long to matter. */
function lineContent(text: string, { start, end }: Line): string {
  return end - start > LINE_UNITS_MAX ? "" : text.slice(start, end);
}

function opensBibliography(heading: HeadingLine, followsBlank: boolean): boolean {
  if (!isBibliographyTitle(heading.title)) return false;
  return isSetApart(heading, followsBlank) || heading.number.length > 0;
}

function endsSection(section: Section, heading: HeadingLine, followsBlank: boolean): boolean {
  if (heading.isChapter) return true;
  if (isOtherSectionTitle(heading.title) && isSetApart(heading, followsBlank)) return true;
  if (heading.level !== undefined) return heading.level <= (section.heading.level ?? heading.level);
  const [first, ...rest] = heading.number;
  if (first === undefined || !readsLikeTitle(heading.title)) return false;
  const [ownNumber] = section.heading.number;
  // "7.1 Books" below "7 References" is a part of it; no bibliography numbers its entries like that.
  if (rest.length > 0) return first !== ownNumber;
  const { entry } = section;
  if (entry?.number === first - 1 && entry.numberEnd === heading.numberEnd) return false;
  return followsBlank || first - 1 === ownNumber;
}

/** Whether a line with the right words stands like a heading rather than like the rest of a sentence. */
function isSetApart(heading: HeadingLine, followsBlank: boolean): boolean {
  return heading.level !== undefined || followsBlank || startsLikeTitle(heading.title);
}

function withEntry(section: Section, content: string): Section {
  const numbered = ENTRY_NUMBER.exec(content);
  if (numbered === null) return section;
  return { ...section, entry: { number: Number(numbered[1]), numberEnd: numbered[2] ?? "" } };
}

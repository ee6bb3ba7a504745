import { isBibliographyTitle, readHeading } from "../../text/bibliography-headings.ts";
import type { LinePlace } from "./pdf-lines.ts";
import type { PagedParagraph } from "./pdf-paragraphs.ts";

/** A footnote begins with its mark: a number without the dot or the brackets that entries of a list have, a star or a dagger. */
const MARK = /^\s*(?:\d{1,3}(?![\d.,)\]])|[*∗†‡§¶‖]{1,3})\s*["“„«‘]?\p{L}/u;

/** The letters of a note are smaller than those of the text above by more than this ratio. */
const SMALLER_RATIO = 1.08;

/** Rounding tolerance of the height of letters. */
const SAME_HEIGHT_RATIO = 1.02;

/**
 * The footnotes of a page: paragraphs in smaller letters than the one above them, from one that begins with the mark of a note, to
 * the end of their column.
 * @param paragraphs of a page, in the order in which they are read
 */
export function notesAtFoot(paragraphs: readonly PagedParagraph[]): PagedParagraph[] {
  const notes: PagedParagraph[] = [];
  let own: PagedParagraph[] = [];
  for (const [at, paragraph] of paragraphs.entries()) {
    const before = paragraphs[at - 1];
    const [above, place] = [before?.lines.at(-1)?.place, paragraph.lines[0]?.place];
    if (before === undefined || above === undefined || place === undefined || !isUnder(above, place)) {
      notes.push(...own);
      own = [];
    } else if (own.length > 0) {
      if (place.height <= SAME_HEIGHT_RATIO * above.height) own.push(paragraph);
      else own = [];
    } else if (place.height * SMALLER_RATIO < above.height && isMarked(paragraph) && !isHeading(before))
      own = [paragraph];
  }
  return [...notes, ...own];
}

function isMarked({ lines: [line] }: PagedParagraph): boolean {
  return MARK.test(line?.text ?? "");
}

/** Entries below the heading of a bibliography may be in smaller letters too. */
function isHeading({ lines }: PagedParagraph): boolean {
  return isBibliographyTitle(readHeading(lines.at(-1)?.text ?? "", "")?.title ?? "");
}

function isUnder(above: LinePlace, below: LinePlace): boolean {
  return below.baseline < above.baseline && below.left < above.right && above.left < below.right;
}

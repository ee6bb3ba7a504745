import { makePdf } from "../../extract/made-documents.ts";

/** The header of each page. */
export const PAGED_HEADER = "Proceedings of the society of keepers";
const LINE_WORDS = 11;

/** The text in lines of about the same length, which a page of `linesOfPage` holds with a header and a page number. */
export function pagedPdf(text: string, linesOfPage: number): Buffer {
  const words = text.split(" ");
  const lines = Array.from({ length: Math.ceil(words.length / LINE_WORDS) }, (_, at) =>
    words.slice(at * LINE_WORDS, (at + 1) * LINE_WORDS).join(" "),
  );
  const draw = (content: string, x: number, y: number) => `BT /F1 9 Tf ${x} ${y} Td (${content}) Tj ET\n`;
  const pages = Array.from({ length: Math.ceil(lines.length / linesOfPage) }, (_, page) =>
    [
      draw(PAGED_HEADER, 72, 765),
      ...lines
        .slice(page * linesOfPage, (page + 1) * linesOfPage)
        .map((content, at) => draw(content, 72, 700 - 11 * at)),
      draw(`Page ${page + 1}`, 280, 30),
    ].join(""),
  );
  return makePdf({ pages });
}

import { type Answer, type HostileUpload, NO_TEXT, TAKEN, TEXT, UNREADABLE } from "../hostile-upload.ts";
import { type PdfEnding, type PdfObject, pdfLine, pdfOf, pdfStream } from "./made-pdf.ts";

/** A page's content with the text that is read all the same. */
export const LINE = pdfStream(pdfLine(TEXT));
export const READ = { ...TAKEN, text: TEXT } as const;
/** Broken references and loops: whether anything is left to read is the reader's choice. */
export const READ_OR_NOT = [READ, TAKEN, NO_TEXT, UNREADABLE] as const;

export function pdf(
  name: string,
  answers: readonly Answer[],
  objects: readonly PdfObject[] | (() => readonly PdfObject[]),
  ending: PdfEnding = {},
): HostileUpload {
  const make = () => pdfOf(typeof objects === "function" ? objects() : objects, ending);
  return { name, filename: "hostile.pdf", answers, make };
}

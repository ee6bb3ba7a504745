import { packagedTesseract, systemTesseract } from "../../../src/extract/ocr/tesseract.ts";
import { scannedPdf } from "./scanned-pdf.ts";
import { typesetPdf } from "./typeset-pdf.ts";

/** Whether an OCR engine is installed; says so if not. */
export async function hasOcr(): Promise<boolean> {
  const found = (await packagedTesseract()) !== undefined || (await systemTesseract()) !== undefined;
  if (!found) console.log("skipped: no Tesseract is installed");
  return found;
}

/** A page of a text, printed and scanned. */
export function scannedText(text: string): Promise<Buffer> {
  return scannedPdf(typesetPdf(`#set page("a4")\n#set text(11pt)\n${text}`));
}

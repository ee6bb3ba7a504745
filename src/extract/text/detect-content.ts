/** The format of a file's bytes. `foreign` is a known one that is not read; its name completes "The file is …". */
type Content =
  | { readonly kind: "pdf" }
  | { readonly kind: "zip" }
  | { readonly kind: "encrypted_office" }
  | { readonly kind: "rtf" }
  | { readonly kind: "markup"; readonly name: string; readonly isHtml: boolean }
  | { readonly kind: "foreign"; readonly name: string }
  | { readonly kind: "other" };

/** PDF readers look for the header in the first kilobyte; anything before it is junk from the transport. */
const PDF_HEADER_WITHIN_BYTES = 1024;

/** The end marker of a PDF is in its last kilobyte; a mail gateway may have appended something. */
const PDF_TRAILER_WITHIN_BYTES = 1024;

/** Enough for a byte-order mark, blank lines and a comment before the first element of HTML or XML. */
const MARKUP_WITHIN_BYTES = 1024;

/** Formats that are common in uploads and that the share of control characters may not reveal. */
const FOREIGN_SIGNATURES = [
  { signature: "%!PS", name: "a PostScript document" },
  { signature: "\x89PNG", name: "a PNG image" },
  { signature: "\xff\xd8\xff", name: "a JPEG image" },
  { signature: "GIF8", name: "a GIF image" },
  { signature: "II*\0", name: "a TIFF image" },
  { signature: "MM\0*", name: "a TIFF image" },
  { signature: "\x1f\x8b", name: "a gzip archive" },
  { signature: "7z\xbc\xaf", name: "a 7-Zip archive" },
  { signature: "Rar!", name: "a RAR archive" },
] as const;

const OLE_SIGNATURE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/** As bytes: a search for UTF-16 text never ends in a buffer that starts at an odd offset (Node.js issue 65959). */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");

/** Recognises a file by its content, whatever its name. */
export function detectContent(bytes: Uint8Array): Content {
  const head = latin1(bytes.subarray(0, PDF_HEADER_WITHIN_BYTES));
  if (isPdf(bytes, head)) return { kind: "pdf" };
  if (head.startsWith("PK\x03\x04") || head.startsWith("PK\x05\x06")) return { kind: "zip" };
  if (head.startsWith(OLE_SIGNATURE)) return detectOle(bytes);
  if (head.startsWith("{\\rtf")) return { kind: "rtf" };
  const foreign = FOREIGN_SIGNATURES.find(({ signature }) => head.startsWith(signature));
  if (foreign !== undefined) return { kind: "foreign", name: foreign.name };
  const markup = detectMarkup(bytes);
  return markup ?? { kind: "other" };
}

/** At the very start a header is enough, as in a truncated PDF. After junk it needs the end marker: a text may mention `%PDF-1.7`. */
function isPdf(bytes: Uint8Array, head: string): boolean {
  if (/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\0\s]*%PDF-/.test(head)) return true;
  if (!/%PDF-\d/.test(head)) return false;
  const tail = latin1(bytes.subarray(Math.max(0, bytes.length - PDF_TRAILER_WITHIN_BYTES)));
  return /startxref\s+\d+\s+%%EOF/.test(tail);
}

/** Word before 2007 and protected DOCX share one container (MS-CFB); the latter has a stream EncryptedPackage, named in UTF-16. */
function detectOle(bytes: Uint8Array): Content {
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(ENCRYPTED_PACKAGE)) {
    return { kind: "encrypted_office" };
  }
  return { kind: "foreign", name: "a legacy Office document (such as .doc); save it as DOCX" };
}

function detectMarkup(bytes: Uint8Array): Content | undefined {
  const start = latin1(bytes.subarray(0, MARKUP_WITHIN_BYTES))
    .replaceAll("\0", "") // UTF-16 of ASCII
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
    .replace(/^(?:\s|<!--[\s\S]*?-->)+/, "");
  if (/^<(?:!doctype\s+html|html|head|body)[\s>]/i.test(start))
    return { kind: "markup", name: "an HTML page", isHtml: true };
  if (/^<\?xml\s/i.test(start))
    return { kind: "markup", name: "an XML document", isHtml: /<(?:!doctype\s+)?html[\s>]/i.test(start) };
  return undefined;
}

/** One character per byte, so that patterns can be matched against binary data. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

import { DomainError, unreadableFile } from "../platform/domain-error.ts";
import { latexText } from "./formats/latex-text.ts";
import { readBook, readOpenDocument, readSlides } from "./formats/packed-documents.ts";
import { rtfText } from "./formats/rtf-text.ts";
import { xmlArticleText } from "./formats/xml-articles.ts";
import type { OcrSettings } from "./ocr/ocr-settings.ts";
import { readPdfText } from "./pdf/pdf-text.ts";
import { detectContent } from "./text/detect-content.ts";
import { documentProperties } from "./text/document-properties.ts";
import {
  assertAccepted,
  type ExtractedText,
  type ExtractOptions,
  type MediaType,
  passwordProtected,
  type ReadContent,
  storableText,
  unsupportedFileType,
} from "./text/extracted-text.ts";
import { htmlText } from "./text/html-text.ts";
import { decodeText, hasTextExtension, isLatexSource, readTextFile } from "./text/text-file.ts";
import { decodeHtml } from "./word/embedded-files.ts";
import { readWordHtml } from "./word/word-html.ts";
import { asWordPackage, openPackage, openWordPackage, type Package } from "./word/word-package.ts";
import { readWordProperties } from "./word/word-properties.ts";
import { readWordText } from "./word/word-text.ts";

const PDF = "application/pdf";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/**
 * Reads the text of a file; its content decides the type. Only characters that can't be stored change, see `storableText`.
 * @param ocr reads scanned pages of a PDF
 * @throws DomainError `unsupported_file_type`, `unreadable_file`, `no_extractable_text`, `text_too_long`.
 */
export async function extractText(
  bytes: Uint8Array,
  options: ExtractOptions,
  ocr?: OcrSettings,
): Promise<ExtractedText> {
  if (bytes.length === 0) {
    throw new DomainError("no_extractable_text", "The file is empty (0 bytes).");
  }
  return storableText(await readContent(bytes, options, ocr), options.textCharsMax);
}

/** A Word document as HTML, see `readWordHtml`. @throws DomainError `unsupported_file_type`, `unreadable_file`. */
export async function extractHtml(bytes: Uint8Array): Promise<string> {
  return readWordHtml(await openWordPackage(bytes, [DOCX]));
}

async function readContent(
  bytes: Uint8Array,
  options: ExtractOptions,
  ocr: OcrSettings | undefined,
): Promise<ReadContent> {
  const content = detectContent(bytes);
  switch (content.kind) {
    case "pdf":
      assertAccepted(PDF, "a PDF", options.accept);
      return named(PDF, options, await readPdfText(bytes, options.textCharsMax, ocr));
    case "zip":
      return readPacked(bytes, options);
    case "encrypted_office":
      throw passwordProtected();
    case "rtf":
      return readAs("application/rtf", "an RTF document", options, () => rtfText(bytes));
    case "foreign":
      throw unsupportedFileType(content.name, options.accept);
    case "markup":
      // A page in place of a document says that it was not found.
      if (/\.(?:pdf|docx)$/i.test(options.filename)) throw unsupportedFileType(content.name, options.accept);
      return hasTextExtension(options.filename)
        ? readTextFile(bytes, options)
        : readMarkup(bytes, content, options);
    case "other":
      if (!isLatexSource(options)) return readTextFile(bytes, options);
      return readAs("application/x-tex", "a LaTeX source", options, () => latexText(decodeText(bytes) ?? ""));
    default:
      return content satisfies never;
  }
}

/** Documents that are ZIP archives, by the part that tells them apart. */
const PACKED = [
  {
    mediaType: "application/vnd.oasis.opendocument.text",
    found: "an OpenDocument text",
    isFormat: async (archive: Package) =>
      (await mimeType(archive)).startsWith("application/vnd.oasis.opendocument.text"),
    read: readOpenDocument,
  },
  {
    mediaType: "application/epub+zip",
    found: "an EPUB book",
    isFormat: async (archive: Package) =>
      archive.has("META-INF/container.xml") && !(await mimeType(archive)).includes("opendocument"),
    read: readBook,
  },
  {
    mediaType: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    found: "a presentation (PPTX)",
    isFormat: async (archive: Package) => archive.has("ppt/presentation.xml"),
    read: readSlides,
  },
] as const;

async function mimeType(archive: Package): Promise<string> {
  return archive.isEncrypted ? "" : ((await archive.readXml("mimetype")) ?? "");
}

async function readPacked(bytes: Uint8Array, options: ExtractOptions): Promise<ReadContent> {
  const archive = await openPackage(bytes);
  for (const { mediaType, found, isFormat, read } of PACKED) {
    if (!options.accept.includes(mediaType) || !(await isFormat(archive))) continue;
    return readAs(mediaType, found, options, () => read(archive));
  }
  const word = await asWordPackage(archive, options.accept);
  assertAccepted(DOCX, "a Word document (DOCX)", options.accept);
  const text = await readWordText(word);
  return named(DOCX, options, { ...text, margins: [], stated: await readWordProperties(word) });
}

type Stated = Parameters<typeof documentProperties>[0];

function named(
  mediaType: MediaType,
  { filename }: ExtractOptions,
  { stated, ...content }: Omit<ReadContent, "mediaType" | "properties"> & { readonly stated: Stated },
): ReadContent {
  return { ...content, mediaType, properties: documentProperties(stated, filename) };
}

function readMarkup(
  bytes: Uint8Array,
  content: { readonly name: string; readonly isHtml: boolean },
  options: ExtractOptions,
): Promise<ReadContent> {
  if (content.isHtml)
    return readAs("text/html", content.name, options, () => htmlText(decodeHtml(bytes)).trim());
  return readAs("application/xml", content.name, options, () => {
    const text = xmlArticleText(decodeHtml(bytes));
    if (text === undefined)
      throw unsupportedFileType(`${content.name}, but neither JATS nor TEI`, options.accept);
    return text;
  });
}

/** @throws DomainError `unsupported_file_type` for a type that is not accepted, `unreadable_file` for a damaged file. */
async function readAs(
  mediaType: MediaType,
  found: string,
  { accept }: ExtractOptions,
  read: () => string | Promise<string>,
): Promise<ReadContent> {
  assertAccepted(mediaType, found, accept);
  try {
    return { text: await read(), mediaType, margins: [] };
  } catch (cause) {
    throw cause instanceof DomainError
      ? cause
      : unreadableFile(`The file is ${found} that can't be read: it is damaged.`, cause);
  }
}

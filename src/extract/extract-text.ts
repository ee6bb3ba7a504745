import { DomainError } from "../platform/domain-error.ts";
import { readPdfText } from "./pdf/pdf-text.ts";
import { detectContent } from "./text/detect-content.ts";
import {
  assertAccepted,
  type ExtractedText,
  type ExtractOptions,
  passwordProtected,
  type ReadContent,
  storableText,
  unsupportedFileType,
} from "./text/extracted-text.ts";
import { hasTextExtension, readTextFile } from "./text/text-file.ts";
import { readWordHtml } from "./word/word-html.ts";
import { openWordPackage } from "./word/word-package.ts";
import { readWordText } from "./word/word-text.ts";

const PDF = "application/pdf";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/**
 * Reads the text of a file; its content decides the type. Only characters that can't be stored change, see `storableText`.
 * @throws DomainError `unsupported_file_type`, `unreadable_file`, `no_extractable_text`, `text_too_long`.
 */
export async function extractText(bytes: Uint8Array, options: ExtractOptions): Promise<ExtractedText> {
  if (bytes.length === 0) {
    throw new DomainError("no_extractable_text", "The file is empty (0 bytes).");
  }
  return storableText(await readContent(bytes, options), options.textCharsMax);
}

/** A Word document as HTML, see `readWordHtml`. @throws DomainError `unsupported_file_type`, `unreadable_file`. */
export async function extractHtml(bytes: Uint8Array): Promise<string> {
  return readWordHtml(await openWordPackage(bytes, [DOCX]));
}

async function readContent(bytes: Uint8Array, options: ExtractOptions): Promise<ReadContent> {
  const content = detectContent(bytes);
  switch (content.kind) {
    case "pdf":
      assertAccepted(PDF, "a PDF", options.accept);
      return { ...(await readPdfText(bytes, options.textCharsMax)), mediaType: PDF };
    case "zip": {
      const archive = await openWordPackage(bytes, options.accept);
      assertAccepted(DOCX, "a Word document (DOCX)", options.accept);
      return { text: await readWordText(archive), mediaType: DOCX, margins: [] };
    }
    case "encrypted_office":
      throw passwordProtected();
    case "foreign":
      throw unsupportedFileType(content.name, options.accept);
    case "markup":
      if (!hasTextExtension(options.filename)) throw unsupportedFileType(content.name, options.accept);
      return readTextFile(bytes, options);
    case "other":
      return readTextFile(bytes, options);
    default:
      return content satisfies never;
  }
}

import type { Extractor } from "../extract/extractor.ts";
import type { ScannedPage } from "../extract/text/scanned-page.ts";
import { DomainError } from "../platform/domain-error.ts";
import type { Database } from "../platform/postgres/database.ts";
import { checkNotFound } from "../report/index.ts";
import type { CheckStore, Original } from "./check-store.ts";

type ReadOriginalParts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly extractor: Extractor;
};

export type ReadOriginal = ReturnType<typeof createReadOriginal>;

/** Reading the uploaded file of a check. An unknown check is `check_not_found`, one whose file is not kept `original_not_found`. */
export function createReadOriginal({ database, checks, extractor }: ReadOriginalParts) {
  async function find(checkId: string): Promise<Original> {
    const check = await checks.find(database, checkId);
    if (check === undefined) throw checkNotFound(checkId);
    if (check.original === null) throw notKept();
    return check.original;
  }

  async function content(checkId: string): Promise<Buffer> {
    const bytes = await checks.originalContent(database, checkId);
    if (bytes === undefined) throw checkNotFound(checkId); // deleted since
    return bytes;
  }

  return {
    find,
    content,
    /** What OCR has read on the pages of a PDF. */
    async ocrPages(checkId: string): Promise<readonly ScannedPage[]> {
      const pages = await checks.ocrPages(database, checkId);
      if (pages === undefined) throw checkNotFound(checkId);
      return pages;
    },
    /** A Word document as HTML. @throws `original_not_found` for another file; the errors of `Extractor.toHtml`. */
    async html(checkId: string, signal: AbortSignal): Promise<string> {
      const { mediaType } = await find(checkId);
      if (mediaType !== DOCX) throw notWord();
      return extractor.toHtml(await content(checkId), signal);
    },
  };
}

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

function notKept(): DomainError {
  return new DomainError(
    "original_not_found",
    "No file is kept for this check: it was submitted as text, or this service did not keep files (KEEP_ORIGINALS) when it arrived.",
  );
}

function notWord(): DomainError {
  return new DomainError(
    "original_not_found",
    "Only Word documents have an HTML view. Download the file itself instead.",
  );
}

import { createHash } from "node:crypto";
import type { IngestDocuments } from "../corpus/index.ts";
import { DomainError } from "../platform/domain-error.ts";
import type { Database } from "../platform/postgres/database.ts";
import { checkNotFound, refuseReport } from "../report/index.ts";
import { displayTitle } from "../text/display-title.ts";
import { withoutMargins } from "../text/margins.ts";
import type { CheckStore } from "./check-store.ts";
import { defaultTitle } from "./submit-check.ts";

/** Adds the text of a complete check to the corpus. @throws DomainError `check_not_found`; `check_not_complete`; `no_extractable_text` */
export type AddToCorpus = (
  checkId: string,
  collection: string | undefined,
) => Promise<{ readonly documentId: string; readonly isNew: boolean }>;

type AddToCorpusParts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly ingestDocuments: IngestDocuments;
};

/** Not before the check is complete: it would find itself. The bytes of a kept file identify the document, as in an upload of that file, unless text of templates is cut. */
export function createAddToCorpus({ database, checks, ingestDocuments }: AddToCorpusParts): AddToCorpus {
  return async (checkId, collection) => {
    const check = await checks.findText(database, checkId);
    if (check === undefined) throw checkNotFound(checkId);
    if (check.status !== "complete") refuseReport(check.status);
    const { queryText, uncompared, language, languageOrigin, original, group, owner, hasTemplateText } =
      check;
    const text = withoutMargins(queryText, uncompared);
    if (text.trim() === "")
      throw new DomainError(
        "no_extractable_text",
        "All of this text comes from templates or page margins, so there is nothing to add to the corpus.",
      );
    const file = hasTemplateText ? undefined : await checks.originalContent(database, checkId);
    const bytes = file ?? Buffer.from(text);
    const isFileName = original !== null && check.title === defaultTitle(original.filename);
    const title = (isFileName ? check.properties.title : null) ?? displayTitle(check.title, queryText);
    const [ingested] = await ingestDocuments([
      {
        origin: { scope: "uploaded", collection },
        belonging: { group, owner },
        filename: original?.filename ?? title,
        title,
        author: check.properties.author,
        mediaType: original?.mediaType ?? "text/plain",
        // Otherwise it is detected again, as for an upload.
        language: languageOrigin === "stated" ? language : undefined,
        sourceUrl: null,
        sizeBytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        text,
        pageNotes: check.pageNotes,
      },
    ]);
    if (ingested === undefined) throw new Error("the ingest of one document returned none");
    return { documentId: ingested.document.documentId, isNew: ingested.outcome === "added" };
  };
}

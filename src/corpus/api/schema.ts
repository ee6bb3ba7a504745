import { z } from "zod";
import { FilePart } from "../../http/input/upload.ts";

import {
  Count,
  formPart,
  JoinedCollection,
  LANGUAGE_RULE,
  Language,
  LanguageOriginName,
  Name,
  PageNote,
  PaginationQuery,
  sortingQuery,
  Timestamp,
  Title,
  titleSearch,
  Uuid,
  uuidParameter,
} from "../../http/input/wire-types.ts";
import { documentNotFound, FINGERPRINT_STATUSES } from "../documents/document.ts";
import { DOCUMENT_SORTS } from "../documents/document-store.ts";
import { SourceUrl } from "../documents/source-url.ts";

export const UploadDocumentForm = z
  .object({
    title: formPart(
      Title,
      "A display name; by default the title in the properties of a PDF or DOCX file, if it looks like one, otherwise the file name without its extension.",
    ),
    language: formPart(Language, `Language of the text, an ISO 639-1 code. ${LANGUAGE_RULE}`),
    source_url: formPart(SourceUrl, "Where the document is published; shown in reports, never fetched."),
    collection: formPart(
      JoinedCollection,
      "The collection that it belongs to. A check can be limited to collections.",
    ),
    group: formPart(Name, "What it belongs to, such as an assignment. A check can leave out its own group."),
    owner: formPart(Name, "Whose text it is. A check can leave out the documents of its own owner."),
    file: FilePart.describe(
      "A PDF, DOCX, TXT or Markdown file of at most 10 MiB, unless the operator has set another limit.",
    ),
  })
  .meta({ id: "UploadDocumentForm" });

export const DocumentParams = z.object({
  document_id: uuidParameter(
    "Identifier of the document.",
    "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd",
    documentNotFound,
  ),
});

const Selection = z.object({
  title: titleSearch("Only documents whose title or file name contains this text, ignoring case."),
  fingerprint_status: z.enum(FINGERPRINT_STATUSES).optional().describe("Only documents with this status."),
  ...sortingQuery(
    DOCUMENT_SORTS,
    "`date`: by time of upload, which is the default; `words`: by `word_count`; `title`: by `title`, ignoring case, letter by letter in the order of Unicode.",
  ),
});

export const ListDocumentsQuery = PaginationQuery.extend(Selection.shape);

export const ExportDocumentsQuery = Selection;

export const CorrectDocumentBody = z.object({ language: Language }).meta({ id: "CorrectDocumentBody" });

export const CorpusCoverage = z
  .object({
    documents: Count.describe(
      "Documents in the corpus, uploaded or not; an estimate beyond 100,000, like all counts here.",
    ),
    fingerprinted: Count.describe("Those that are matchable by words."),
    encoded: Count.describe("Those whose sentences are encoded, so that they are matchable by meaning."),
    semantic_coverage: z
      .enum(["full", "partial", "none"])
      .describe(
        "Whether a check compares the meaning of its text with all, part or none of the matchable documents.",
      ),
    semantic_coverage_reason: z
      .enum(["off", "unavailable", "not_encoded"])
      .nullable()
      .describe(
        "Why not with all; null when it does. `off`: semantic matching is switched off; `unavailable`: there is no " +
          "encoder; `not_encoded`: documents wait to be encoded.",
      ),
  })
  .meta({ id: "CorpusCoverage" });

const Collection = z
  .object({
    collection: z
      .string()
      .nullable()
      .describe("Its name, as in `collections` of a check; null: uploads without a collection."),
    documents: Count,
    uploaded_documents: Count.describe(
      "Those of them that were uploaded through the API, which lists no others.",
    ),
    words: Count,
    text_bytes: Count.describe("Size of the texts in UTF-8."),
    languages: z.record(z.string(), Count).describe("Number of documents by ISO 639-1 code."),
    newest_at: Timestamp.describe("When the newest document was added."),
    fingerprinted: Count.describe("Documents that are matchable by words."),
    encoded: Count.describe("Documents that are matchable by meaning."),
  })
  .meta({ id: "CorpusCollection" });

export const CollectionList = z.object({ items: z.array(Collection) }).meta({ id: "CorpusCollectionList" });

export const DocumentMetadata = z
  .object({
    document_id: Uuid,
    filename: z.string(),
    title: z.string(),
    media_type: z.string(),
    language: z.string(),
    language_origin: LanguageOriginName,
    source_url: z.string().nullable(),
    size_bytes: Count,
    sha256: z.string(),
    char_count: Count,
    word_count: Count,
    chunk_count: Count.describe("0 until the document is fingerprinted."),
    fingerprint_status: z.enum(FINGERPRINT_STATUSES).describe("Matchable once it is fingerprinted."),
    semantic_status: z
      .enum(["pending", "encoded"])
      .describe(
        "Matchable by its meaning once it is encoded, some seconds later; it stays pending while semantic matching is off.",
      ),
    created_at: Timestamp,
    fingerprinted_at: Timestamp.nullable(),
    author: z
      .string()
      .optional()
      .describe(
        "The author in the properties of a PDF or DOCX file; missing where none looks like a person's name.",
      ),
    collection: z.string().optional().describe("As given; missing if there was none."),
    group: z.string().optional().describe("As given; missing if there was none."),
    owner: z.string().optional().describe("As given; missing if there was none."),
    page_notes: z
      .array(PageNote)
      .optional()
      .describe(
        "How the text of pages was read; missing where all were read as usual, and where it is not known, as for submissions of plug-ins.",
      ),
  })
  .meta({ id: "CorpusDocument" });

export const DocumentWithText = DocumentMetadata.extend({ extracted_text: z.string() }).meta({
  id: "CorpusDocumentWithText",
});

export const DocumentList = z
  .object({ items: z.array(DocumentMetadata), total: Count, limit: Count, offset: Count })
  .meta({ id: "CorpusDocumentList" });

import { Readable } from "node:stream";
import { Router } from "@koa/router";
import type { Context } from "koa";
import type { z } from "zod";
import { clientGone } from "../../http/client-gone.ts";
import { csvFile } from "../../http/csv.ts";
import { inTurns } from "../../http/in-turns.ts";
import { readJsonBody } from "../../http/input/json-body.ts";
import { parse } from "../../http/input/parse.ts";
import { readUpload } from "../../http/input/upload.ts";
import { pathUuid, withoutBlanks } from "../../http/input/wire-types.ts";
import type { PendingAnswers } from "../../http/pending-answers.ts";
import type { DocumentSelection } from "../documents/document-store.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";
import type { ReadCoverage } from "../meaning/read-coverage.ts";
import {
  type CorrectLanguage,
  type DeleteDocument,
  documentNotFound,
  type ReadDocument,
  type UploadDocument,
} from "../uploaded-documents.ts";
import { DOCUMENT_COLUMNS, presentCoverage, presentDocument, presentDocumentWithText } from "./presenter.ts";
import {
  CorrectDocumentBody,
  ExportDocumentsQuery,
  ListDocumentsQuery,
  UploadDocumentFields,
} from "./schema.ts";

type CorpusUseCases = Pick<CorpusStores, "database" | "documents"> & {
  readonly readCoverage: ReadCoverage;
  readonly readDocument: ReadDocument;
  readonly uploadDocument: UploadDocument;
  readonly correctLanguage: CorrectLanguage;
  readonly deleteDocument: DeleteDocument;
  readonly uploadBytesMax: number;
  readonly pendingAnswers: PendingAnswers;
};

/** The sections of the text that are read together, in two bytes a character, and what is made of one of them. */
const DOCUMENT_ANSWER_BYTES = 1.5 * 1024 * 1024;

export function corpusRouter(useCases: CorpusUseCases): Router {
  const { database, documents, readCoverage, readDocument, uploadDocument, correctLanguage, deleteDocument } =
    useCases;
  const { uploadBytesMax, pendingAnswers } = useCases;
  const router = new Router();

  router.post("/v1/corpus/documents", async (ctx) => {
    const signal = clientGone(ctx);
    const { file, fields } = await readUpload(ctx, {
      fileBytesMax: uploadBytesMax,
      fields: ["title", "language", "source_url"],
    });
    const { title, language, source_url: sourceUrl } = parse(UploadDocumentFields, withoutBlanks(fields));
    const { document, added } = await uploadDocument({ file, title, language, sourceUrl, signal });
    ctx.status = added ? 201 : 200;
    ctx.body = presentDocument(document);
  });

  router.get("/v1/corpus/documents", async (ctx) => {
    const { limit, offset, ...query } = parse(ListDocumentsQuery, ctx.query);
    const { items, total } = await documents.listUploaded(database, selectionOf(query), { limit, offset });
    ctx.body = { items: items.map(presentDocument), total, limit, offset };
  });

  router.get("/v1/corpus/documents.csv", async (ctx) => {
    const selection = selectionOf(parse(ExportDocumentsQuery, ctx.query));
    const batches = await documents.exportUploaded(database, selection);
    ctx.attachment("documents.csv");
    ctx.type = "text/csv; charset=utf-8; header=present";
    ctx.body = Readable.from(inTurns(csvFile(DOCUMENT_COLUMNS, batches, presentDocument)));
  });

  router.get("/v1/corpus/coverage", async (ctx) => {
    ctx.body = presentCoverage(await readCoverage());
  });

  router.get("/v1/corpus/documents/:document_id", async (ctx) => {
    const { document, text } = await readDocument(documentIdOf(ctx));
    await pendingAnswers.reserve(ctx.res, DOCUMENT_ANSWER_BYTES);
    ctx.type = "application/json; charset=utf-8";
    ctx.body = Readable.from(presentDocumentWithText(document, text));
  });

  router.patch("/v1/corpus/documents/:document_id", async (ctx) => {
    const documentId = documentIdOf(ctx);
    const { language } = parse(CorrectDocumentBody, await readJsonBody(ctx));
    ctx.body = presentDocument(await correctLanguage(documentId, language));
  });

  router.delete("/v1/corpus/documents/:document_id", async (ctx) => {
    await deleteDocument(documentIdOf(ctx));
    ctx.status = 204;
  });

  return router;
}

function selectionOf(query: z.output<typeof ExportDocumentsQuery>): DocumentSelection {
  const { fingerprint_status: status, title, sort, order } = query;
  return { title, status, sort, order };
}

function documentIdOf(ctx: Context): string {
  return pathUuid(ctx, "document_id", documentNotFound);
}

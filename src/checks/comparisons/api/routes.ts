import { Router } from "@koa/router";
import type { Context } from "koa";
import { clientGone } from "../../../http/client-gone.ts";
import { JSON_BODY_BYTES_MAX, readJsonBody } from "../../../http/input/json-body.ts";
import { invalidInput, parse } from "../../../http/input/parse.ts";
import { readForm, type UploadedFile } from "../../../http/input/upload.ts";
import { withoutBlanks } from "../../../http/input/wire-types.ts";
import { sendLargeJson } from "../../../http/large-answer.ts";
import type { PendingAnswers } from "../../../http/pending-answers.ts";
import { UPLOAD_BYTES_MAX } from "../../api/routes.ts";
import { QUERY_TEXT_CHARS_MAX } from "../../submit-check.ts";
import type { Comparison, ComparisonOptions } from "../compare-texts.ts";
import type { CompareUploads } from "../compare-uploads.ts";
import { presentComparison } from "./presenter.ts";
import { CompareFilesFields, CompareTextsBody, ComparisonQuery } from "./schema.ts";

export type ComparisonRouteParts = {
  readonly compareUploads: CompareUploads;
  readonly pendingAnswers: PendingAnswers;
};

/** The answer on two of the longest texts, before its size is known. */
const ANSWER_BYTES = 8 * 1024 * 1024;

/** Of UTF-8: four for a character. */
const TEXT_BYTES_MAX = 4 * QUERY_TEXT_CHARS_MAX;

export function comparisonRouter({ compareUploads, pendingAnswers }: ComparisonRouteParts): Router {
  const router = new Router();

  router.post("/v1/comparisons", async (ctx) => {
    const options = optionsOf(ctx);
    // Two texts, each as long as that of a check.
    const body = parse(CompareTextsBody, await readJsonBody(ctx, 2 * JSON_BODY_BYTES_MAX));
    const query = { content: body.query_text, language: body.language };
    const source = { content: body.source_text, language: body.source_language };
    await answer(ctx, await compareUploads(query, source, options));
  });

  router.post("/v1/comparisons/upload", async (ctx) => {
    const options = optionsOf(ctx);
    const { files, fields } = await readForm(ctx, {
      files: ["query_file", "source_file"],
      fileBytesMax: UPLOAD_BYTES_MAX,
      fields: ["query_text", "source_text", "language", "source_language"],
      texts: ["query_text", "source_text"],
      fieldBytesMax: TEXT_BYTES_MAX,
    });
    const sent = parse(CompareFilesFields, withoutBlanks(fields));
    const query = contentOf("query", files.query_file, sent.query_text);
    const source = contentOf("source", files.source_file, sent.source_text);
    const comparison = await compareUploads(
      { content: query, language: sent.language },
      { content: source, language: sent.source_language },
      options,
    );
    await answer(ctx, comparison);
  });

  async function answer(ctx: Context, comparison: Comparison): Promise<void> {
    await pendingAnswers.reserve(ctx.res, ANSWER_BYTES);
    sendLargeJson(ctx, presentComparison(comparison), pendingAnswers);
  }

  return router;
}

function optionsOf(ctx: Context): ComparisonOptions {
  const { offset_unit: offsets, length_unit: lengths = offsets } = parse(ComparisonQuery, ctx.query);
  return { units: { offsets, lengths }, signal: clientGone(ctx) };
}

/** A side is given as a file or as a text. */
function contentOf(
  side: "query" | "source",
  file: UploadedFile | undefined,
  text: string | undefined,
): string | UploadedFile {
  if (file !== undefined && text !== undefined)
    throw invalidInput([{ field: `${side}_text`, message: `must not be given together with ${side}_file` }]);
  const content = file ?? text;
  if (content === undefined)
    throw invalidInput([{ field: `${side}_file`, message: `is required, or ${side}_text` }]);
  return content;
}

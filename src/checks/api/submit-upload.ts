import { createHash } from "node:crypto";
import { TITLE_CHARS_MAX } from "../../http/input/wire-types.ts";
import type { Extractor } from "../../platform/extract/extractor.ts";
import { firstCharacters, QUERY_TEXT_CHARS_MAX, type SubmitCheck } from "../submit-check.ts";

export type SubmitUploadInput = {
  readonly file: { readonly filename: string; readonly bytes: Uint8Array };
  readonly language: string;
  readonly title: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
};

/** Accepts a file whose text is to be checked. @throws what the extraction and `SubmitCheck` throw. */
export type SubmitUpload = (input: SubmitUploadInput) => Promise<string>;

type Parts = { readonly extractor: Extractor; readonly submitCheck: SubmitCheck };

export function createSubmitUpload({ extractor, submitCheck }: Parts): SubmitUpload {
  return async ({ file, language, title, idempotencyKey, signal }) => {
    const options = { filename: file.filename, accept: ACCEPTED, textCharsMax: QUERY_TEXT_CHARS_MAX };
    const { text } = await extractor.extract(file.bytes, options, signal);
    const sha256 = createHash("sha256").update(file.bytes).digest("hex");
    return submitCheck({
      queryText: text,
      language,
      title: title ?? firstCharacters(file.filename, TITLE_CHARS_MAX),
      idempotencyKey,
      request: ["file", sha256, file.filename, language, title ?? null],
    });
  };
}

const ACCEPTED = [
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "text/plain",
] as const;

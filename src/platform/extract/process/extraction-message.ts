import { z } from "zod";

import { DomainError } from "../../../core/domain-error.ts";
import type { ExtractedText, ExtractOptions } from "../extracted-text.ts";
import { MEDIA_TYPES } from "../media-type.ts";

/** What the service sends to an extraction process: one file at a time. */
export const ExtractionRequest = z.object({
  bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  options: z.object({
    filename: z.string(),
    accept: z.array(z.enum(MEDIA_TYPES)),
    textCharsMax: z.number(),
  }),
});

export type ExtractionRequest = z.infer<typeof ExtractionRequest>;

/** What can be wrong with a file; such an error crosses the process boundary as data and is rebuilt. */
export const RefusalCode = z.enum([
  "unsupported_file_type",
  "unreadable_file",
  "no_extractable_text",
  "text_too_long",
]);

/** What an extraction process sends: `ready` once, then one answer to each request, with its memory in bytes. */
export const ExtractionMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({
    kind: z.literal("text"),
    text: z.string(),
    mediaType: z.enum(MEDIA_TYPES),
    memoryBytes: z.number(),
  }),
  z.object({ kind: z.literal("refused"), code: RefusalCode, message: z.string(), memoryBytes: z.number() }),
  z.object({ kind: z.literal("failed"), message: z.string(), memoryBytes: z.number() }),
]);

export type ExtractionMessage = z.infer<typeof ExtractionMessage>;
export type ExtractionAnswer = Exclude<ExtractionMessage, { kind: "ready" }>;

/** Turns an answer back into the text, or throws the error that it stands for. */
export function openAnswer(answer: ExtractionAnswer): ExtractedText {
  switch (answer.kind) {
    case "text":
      return { text: answer.text, mediaType: answer.mediaType };
    case "refused":
      throw new DomainError(answer.code, answer.message);
    case "failed":
      throw new Error(`extraction failed: ${answer.message}`);
    default:
      return answer satisfies never;
  }
}

/** The request as it is sent. */
export function extractionRequest(bytes: Uint8Array, options: ExtractOptions): ExtractionRequest {
  const { filename, accept, textCharsMax } = options;
  return { bytes, options: { filename, accept: [...accept], textCharsMax } };
}

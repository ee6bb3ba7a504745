import { z } from "zod";
import { HIDING_MEANS } from "../text/integrity.ts";
import { PAGE_NOTE_KINDS } from "../text/page-notes.ts";
import { BULK_MEDIA_TYPES } from "./text/extracted-text.ts";
import { ScannedPage } from "./text/scanned-page.ts";

const FileBytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** A file to read as text, or a Word document as HTML. */
export const ExtractionRequest = z.discriminatedUnion("task", [
  z.object({
    task: z.literal("text"),
    bytes: FileBytes,
    options: z.object({
      filename: z.string(),
      accept: z.array(z.enum(BULK_MEDIA_TYPES)).readonly(),
      textCharsMax: z.number(),
    }),
  }),
  z.object({ task: z.literal("html"), bytes: FileBytes }),
]);
export type ExtractionRequest = z.infer<typeof ExtractionRequest>;

/** The shape of `OcrSettings`, which a process is given as JSON. */
export const OcrSettings = z.object({
  languages: z.array(z.string()).readonly(),
  pagesMax: z.number(),
  pageMs: z.number(),
});

/** The possible faults of a file. Such an error crosses the process boundary as data and is rebuilt. */
export const RefusalCode = z.enum([
  "unsupported_file_type",
  "unreadable_file",
  "no_extractable_text",
  "text_too_long",
]);

export const ExtractionAnswer = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("text"),
    text: z.string(),
    mediaType: z.enum(BULK_MEDIA_TYPES),
    margins: z.array(z.object({ start: z.number(), end: z.number() })).readonly(),
    hidden: z
      .array(z.object({ at: z.number(), means: z.enum(HIDING_MEANS), chars: z.number(), text: z.string() }))
      .readonly(),
    pageNotes: z
      .array(z.object({ kind: z.enum(PAGE_NOTE_KINDS), pages: z.array(z.number()).readonly() }))
      .readonly(),
    scanned: z.array(ScannedPage).readonly().optional(),
    properties: z.object({ title: z.string().nullable(), author: z.string().nullable() }).optional(),
  }),
  z.object({ kind: z.literal("html"), html: z.string() }),
  z.object({ kind: z.literal("refused"), code: RefusalCode, message: z.string() }),
]);
export type ExtractionAnswer = z.infer<typeof ExtractionAnswer>;

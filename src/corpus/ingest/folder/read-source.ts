import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename, extname } from "node:path/posix";
import type { Extractor } from "../../../extract/extractor.ts";
import { BULK_MEDIA_TYPES } from "../../../extract/text/extracted-text.ts";
import { DomainError } from "../../../platform/domain-error.ts";
import { errorMessage } from "../../../platform/error-code.ts";
import { Slots } from "../../../platform/flow/slots.ts";
import type { Logger } from "../../../platform/logger.ts";
import { withoutMargins } from "../../../text/margins.ts";
import { DOCUMENT_CHARS_MAX, type Document, type SourceDocument } from "../../documents/document.ts";
import type { FreshSource } from "../source-writer.ts";
import type { FoundFile } from "./folder-survey.ts";
import { fileFault, NOT_A_FILE } from "./walk-folder.ts";

const MEBIBYTE = 1024 * 1024;

/** A larger file would fill the process that extracts its text, which has 1 GB and holds the file more than once. */
export const FILE_BYTES_MAX = 256 * MEBIBYTE;

/** Larger files are in memory one at a time: a folder of them takes no more memory than its largest. */
const LARGE_BYTES = 16 * MEBIBYTE;

/** Opens the file that was found, not a later replacement: follows no link and waits for no pipe. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export type ReadResult =
  | FreshSource
  | { readonly outcome: "unchanged"; readonly known: Document }
  | { readonly outcome: "failed"; readonly path: string; readonly reason: string };

type Options = {
  readonly extractor: Extractor;
  readonly log: Logger;
  readonly collection: string;
  readonly language: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Reads a file, and extracts its text if its bytes have changed. @throws only the signal's reason. */
export function createReadSource({ extractor, log, collection, language, signal }: Options) {
  const large = new Slots(1);

  return async ({ file: { path, absolutePath }, known }: FoundFile): Promise<ReadResult> => {
    try {
      await using handle = await open(absolutePath, OPEN_FLAGS).catch(rethrowUnreadable);
      const stats = await handle.stat().catch(rethrowUnreadable);
      if (!stats.isFile()) throw new UnreadableSource(NOT_A_FILE);
      if (stats.size > FILE_BYTES_MAX) throw new UnreadableSource(tooLarge(stats.size));
      const read = async () => toSource(await handle.readFile().catch(rethrowUnreadable), path, known);
      return await (stats.size > LARGE_BYTES ? large.run(read, { signal }) : read());
    } catch (error) {
      signal?.throwIfAborted();
      const isExplained = error instanceof UnreadableSource || error instanceof DomainError;
      if (!isExplained) log.error({ err: error, path }, "cannot read a file");
      return { outcome: "failed", path, reason: errorMessage(error) };
    }
  };

  async function toSource(bytes: Uint8Array, path: string, known: Document | undefined): Promise<ReadResult> {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (known?.sha256 === sha256) return { outcome: "unchanged", known };
    const filename = basename(path);
    const { text, mediaType, margins, pageNotes, properties } = await extractor.extract(
      bytes,
      { filename, accept: BULK_MEDIA_TYPES, textCharsMax: DOCUMENT_CHARS_MAX },
      signal,
    );
    const source: SourceDocument = {
      origin: { scope: "platform", collection, path },
      filename,
      title: properties?.title ?? (basename(path, extname(path)) || filename),
      author: properties?.author,
      mediaType,
      language,
      sourceUrl: null,
      sizeBytes: bytes.length,
      sha256,
      text: withoutMargins(text, margins),
      pageNotes,
    };
    return { outcome: known === undefined ? "added" : "replaced", path, source };
  }
}

/** A file that can't be read; the message gives the reason in a sentence. */
class UnreadableSource extends Error {
  override readonly name = "UnreadableSource";
}

function tooLarge(sizeBytes: number): string {
  const megabytes = Math.ceil(sizeBytes / MEBIBYTE);
  return `It has ${megabytes} MiB; the limit is ${FILE_BYTES_MAX / MEBIBYTE} MiB.`;
}

function rethrowUnreadable(error: unknown): never {
  throw new UnreadableSource(fileFault(error), { cause: error });
}

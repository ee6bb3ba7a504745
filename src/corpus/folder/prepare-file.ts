import { basename, extname } from "node:path/posix";
import { DomainError } from "../../core/domain-error.ts";
import { MEDIA_TYPES } from "../../platform/extract/extracted-text.ts";
import type { Extractor } from "../../platform/extract/extractor.ts";
import type { Logger } from "../../platform/logger.ts";
import { DOCUMENT_CHARS_MAX, type Document, type SourceDocument } from "../document.ts";
import type { FoundFile } from "./folder-survey.ts";
import { type ReadSourceFile, UnreadableSource } from "./read-source-file.ts";

/** A document as the folder has it now. */
export type FreshSource = {
  readonly outcome: "added" | "replaced";
  readonly path: string;
  readonly source: SourceDocument;
};

export type PreparedFile =
  | FreshSource
  | { readonly outcome: "unchanged"; readonly known: Document }
  | { readonly outcome: "failed"; readonly path: string; readonly reason: string };

/** Reads a file, and its text when its bytes are others than before. @throws only the signal's reason. */
export type PrepareFile = (found: FoundFile) => Promise<PreparedFile>;

type Options = {
  readonly readSourceFile: ReadSourceFile;
  readonly extractor: Extractor;
  readonly log: Logger;
  readonly collection: string;
  readonly language: string;
  readonly signal?: AbortSignal | undefined;
};

export function createPrepareFile(options: Options): PrepareFile {
  const { readSourceFile, extractor, log, collection, language, signal } = options;

  return async ({ file: { path, absolutePath }, known }) => {
    try {
      return await readSourceFile(
        absolutePath,
        async ({ bytes, sha256 }) => {
          if (known?.sha256 === sha256) return { outcome: "unchanged", known };
          const filename = basename(path);
          const { text, mediaType } = await extractor.extract(
            bytes,
            { filename, accept: MEDIA_TYPES, textCharsMax: DOCUMENT_CHARS_MAX },
            signal,
          );
          const source: SourceDocument = {
            origin: { scope: "platform", collection, path },
            filename,
            title: basename(path, extname(path)) || filename,
            mediaType,
            language,
            sourceUrl: null,
            sizeBytes: bytes.length,
            sha256,
            text,
          };
          return { outcome: known === undefined ? "added" : "replaced", path, source };
        },
        signal,
      );
    } catch (error) {
      signal?.throwIfAborted();
      const isExplained = error instanceof UnreadableSource || error instanceof DomainError;
      if (!isExplained) log.error({ err: error, path }, "a file could not be read");
      return { outcome: "failed", path, reason: error instanceof Error ? error.message : String(error) };
    }
  };
}

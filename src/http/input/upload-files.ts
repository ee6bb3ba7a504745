import type { IncomingMessage } from "node:http";
import type { Duplex, Writable } from "node:stream";
import multer from "@koa/multer";
import type { Context } from "koa";
import { z } from "zod";
import { DomainError } from "../../platform/domain-error.ts";
import { errorCode } from "../../platform/error-code.ts";
import { declaredBytes, invalidInput } from "./parse.ts";
import {
  FIELD_BYTES_MAX,
  FORM_PARTS_MAX,
  formError,
  inMemory,
  isRecord,
  parseForm,
  theFields,
  withOwnBody,
} from "./upload.ts";

/** A file of a form under the name that its client gave it, which may be a path. */
export type SentFile = { readonly path: string; readonly bytes: Uint8Array };

/** Parts of one name that are files. `readFiles` reads them. */
export const FileParts = z.array(
  z.custom<SentFile>().meta({ override: { type: "string", format: "binary" } }),
);

type SentForm = {
  readonly files: Readonly<Record<string, readonly SentFile[]>>;
  readonly fields: Readonly<Record<string, string>>;
};

/**
 * Reads a multipart form with many files into memory, in their order. Parts with files of other names are ignored.
 * @throws DomainError as `readUpload`; `body_too_large` when all of it exceeds `bytesMax` or there are more than `filesMax` files.
 */
export async function readFiles(
  ctx: Context,
  options: {
    readonly bytesMax: number;
    readonly filesMax: number;
    readonly files: readonly string[];
    readonly fields: readonly string[];
  },
): Promise<SentForm> {
  const { bytesMax, filesMax, files: fileParts, fields } = options;
  if (declaredBytes(ctx.req) > bytesMax) throw tooLarge(bytesMax);
  const formOptions = {
    storage: inMemory,
    limits: {
      fileSize: bytesMax,
      fieldSize: FIELD_BYTES_MAX,
      fieldNameSize: 100,
      fieldArrayIndexLimit: FORM_PARTS_MAX,
      files: filesMax,
      parts: filesMax + FORM_PARTS_MAX,
      headerPairs: 20,
    },
    streamHandler: (body: Duplex, parser: Writable) => parseForm(body, parser, fileParts),
    defParamCharset: "utf8",
    preservePath: true,
    fileFilter: (_request: IncomingMessage, file: multer.File, accept: AcceptFile) =>
      accept(null, fileParts.includes(file.fieldname)),
  };
  const form = multer(formOptions).any();
  try {
    await form(withOwnBody(ctx), async () => {});
  } catch (error) {
    if (errorCode(error) === "LIMIT_FILE_COUNT" || errorCode(error) === "LIMIT_PART_COUNT")
      throw tooMany(filesMax);
    throw formError(error, { fileBytesMax: bytesMax, fieldBytesMax: FIELD_BYTES_MAX });
  }
  const texts: unknown = ctx.request.body;
  if (!isRecord(texts)) throw new DomainError("malformed_body", "The form is empty.");
  const misplaced = fileParts.find((part) => Object.hasOwn(texts, part));
  if (misplaced !== undefined)
    throw invalidInput([{ field: misplaced, message: "must be sent as a file, with a file name" }]);
  const stored = StoredFiles.parse(ctx.request.files);
  const filesOf = (part: string) => stored.filter(({ fieldname }) => fieldname === part).map(toSentFile);
  return {
    files: Object.fromEntries(fileParts.map((part) => [part, filesOf(part)])),
    fields: theFields(texts, fields),
  };
}

function toSentFile({ originalname, buffer }: z.output<typeof StoredFiles>[number]): SentFile {
  return { path: originalname, bytes: buffer };
}

type AcceptFile = (error: Error | null, acceptFile: boolean) => void;

const StoredFiles = z.array(
  z.object({ fieldname: z.string(), originalname: z.string(), buffer: z.instanceof(Uint8Array) }),
);

function tooLarge(bytesMax: number): DomainError {
  const limit = Math.round(bytesMax / 1024 / 1024);
  return new DomainError(
    "body_too_large",
    `The form is over the limit of ${limit} MiB. Send the files in several requests.`,
  );
}

function tooMany(filesMax: number): DomainError {
  const limit = filesMax.toLocaleString("en");
  return new DomainError(
    "body_too_large",
    `The form has more than ${limit} files. Send a ZIP archive, or several requests.`,
  );
}

import type { IncomingMessage } from "node:http";
import { type Duplex, type Readable, Transform, type TransformCallback, type Writable } from "node:stream";
import multer from "@koa/multer";
import type { Context } from "koa";
import { z } from "zod";
import { DomainError } from "../../platform/domain-error.ts";
import { errorCode } from "../../platform/error-code.ts";
import { joinInTurns, turn } from "../../platform/flow/turns.ts";
import { declaredBytes, invalidInput, stringWith } from "./parse.ts";

/** Files of one name in a form whose files are kept in memory. */
export const LIST_FILES_MAX = 5;

export type UploadedFile = {
  /** Safe to store and show; `upload` when the client sent no usable one. */
  readonly filename: string;
  readonly bytes: Uint8Array;
  /** The type that the client declares; the content decides. */
  readonly declaredType: string;
};

/** A part of a form that is a file. `readForm` reads it. */
export const FilePart = z
  .custom<UploadedFile>((file) => file !== undefined, { error: "is required" })
  .meta(stringWith({ description: "The file itself, with a file name.", format: "binary" }));

/** Parts of one name that are files, in their order. `readForm` reads them. */
export const FilePartList = z
  .array(z.custom<UploadedFile>().meta({ override: { type: "string", format: "binary" } }))
  .max(LIST_FILES_MAX);

/** The spec's limit on a file. */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** Limits for the parts of a form beside its file. */
export const FORM_PARTS_MAX = 20;
export const FIELD_BYTES_MAX = 16 * 1024;

type FormOptions = {
  /** The names of parts that are files, each given at most once unless it is one of `lists`. */
  readonly files: readonly string[];
  readonly lists?: readonly string[] | undefined;
  readonly fileBytesMax: number;
  readonly fields: readonly string[];
  /** The fields that hold the text of a document, and the limit of any field. */
  readonly texts?: { readonly fields: readonly string[]; readonly bytesMax: number } | undefined;
};

type Form = {
  readonly files: Readonly<Record<string, UploadedFile>>;
  readonly lists: Readonly<Record<string, readonly UploadedFile[]>>;
  /** The text parts that were asked for and sent. */
  readonly fields: Readonly<Record<string, string>>;
};

/**
 * Reads a multipart form into memory. Parts of other names are ignored.
 * @throws DomainError `unsupported_media_type` for anything but multipart/form-data; `malformed_body` for a form that
 *   is broken or cut off; `body_too_large` for a file over `fileBytesMax` or too many parts; `invalid_input` for a file that is
 *   repeated or sent as text, and for a text part that is repeated, too long or not valid text.
 */
export async function readForm(ctx: Context, options: FormOptions): Promise<Form> {
  const { files: fileNames, lists = [], fileBytesMax, fields, texts } = options;
  const fieldBytesMax = texts?.bytesMax ?? FIELD_BYTES_MAX;
  if (ctx.request.type !== "multipart/form-data") {
    const parts = fileNames.join(" or ");
    const detail = `Send the file as multipart/form-data, in a part named ${parts}.`;
    throw new DomainError("unsupported_media_type", detail);
  }
  const limits = { fileBytesMax, fieldBytesMax };
  const partsBytesMax = FORM_PARTS_MAX * (fieldBytesMax + PART_HEAD_BYTES_MAX);
  const filesMax = fileNames.length + lists.length * (LIST_FILES_MAX - 1);
  const bodyBytesMax = filesMax * fileBytesMax + partsBytesMax;
  if (declaredBytes(ctx.req) > bodyBytesMax) throw fileTooLarge(fileBytesMax);
  try {
    await formReader(fileNames, lists, limits)(withOwnBody(ctx), async () => {});
  } catch (error) {
    throw formError(error, limits);
  }
  const sent: unknown = ctx.request.body;
  if (!isRecord(sent)) throw new DomainError("malformed_body", "The form is empty.");
  return {
    ...theFiles(ctx.request.files, sent, fileNames, lists),
    fields: theFields(sent, fields, texts?.fields),
  };
}

/**
 * With a copy of the body: multer reports a fault only at the end of the body that it reads, which may come late or never.
 * The copy passes one piece of at most 64 KiB in each of its turns. Otherwise a fast client gets 2 MiB parsed in each pass of the
 * event loop, and two dozen of them delay every other answer.
 */
export function withOwnBody(ctx: Context): Context {
  const { req } = ctx;
  const body = Object.assign(new Transform({ transform: inTurn }), { headers: req.headers });
  req.once("close", () => {
    if (!req.complete) body.destroy(new Error("the client disconnected"));
  });
  req.pipe(body);
  return Object.create(ctx, { req: { value: body } });
}

async function inTurn(piece: Buffer, _encoding: string, done: TransformCallback): Promise<void> {
  await turn();
  done(null, piece);
}

/** Gives a form to its parser, and ends it when a fault was found or the file is too large. */
export function parseForm(body: Duplex, parser: Writable, fileNames: readonly string[]): void {
  parser.once("unpipe", () => body.end());
  parser.on("file", (name: string, file: Readable) => {
    if (fileNames.includes(name)) file.once("limit", () => body.end());
  });
  body.pipe(parser);
}

/** Keeps the files of a form in memory. multer's own way joins the pieces of a file at once. */
export const inMemory: multer.StorageEngine = Object.assign(multer.memoryStorage(), {
  _handleFile(
    _request: IncomingMessage,
    file: multer.File & { readonly stream: Readable },
    done: (error: null, kept: multer.File) => void,
  ) {
    const pieces: Buffer[] = [];
    file.stream.on("data", (piece: Buffer) => pieces.push(piece));
    file.stream.once("end", async () => {
      const buffer = await joinInTurns(pieces);
      done(null, { ...file, buffer, size: buffer.length });
    });
  },
});

type FormLimits = { readonly fileBytesMax: number; readonly fieldBytesMax: number };

/** A new multer for each request, since it counts files. */
function formReader(
  fileNames: readonly string[],
  lists: readonly string[],
  { fileBytesMax, fieldBytesMax }: FormLimits,
) {
  const given = new Map<string, number>();
  const options = {
    storage: inMemory,
    limits: {
      fileSize: fileBytesMax,
      fieldSize: fieldBytesMax,
      fieldNameSize: 100,
      // Otherwise `a[4294967294]` and then `a[b]` would make the form parser loop over four billion holes.
      fieldArrayIndexLimit: FORM_PARTS_MAX,
      parts: FORM_PARTS_MAX,
      headerPairs: 20,
    },
    streamHandler: (body: Duplex, parser: Writable) => parseForm(body, parser, fileNames),
    // Clients send file names in UTF-8; without this they come out as Latin-1.
    defParamCharset: "utf8",
    // `uploadFilename` reduces the name to its last part, for both separators.
    preservePath: true,
    fileFilter(_request: IncomingMessage, file: multer.File, accept: AcceptFile) {
      const name = file.fieldname;
      if (!fileNames.includes(name)) return accept(null, false);
      const count = (given.get(name) ?? 0) + 1;
      if (count > (lists.includes(name) ? LIST_FILES_MAX : 1))
        return accept(invalidFile(name, lists.includes(name) ? TOO_MANY : "must be given only once"), false);
      given.set(name, count);
      return accept(null, true);
    },
  };
  return multer(options).any();
}

const TOO_MANY = `must be given at most ${LIST_FILES_MAX} times`;

type AcceptFile = (error: Error | null, acceptFile: boolean) => void;

/** Generous for the three header lines of a part, with a long file name among them. */
const PART_HEAD_BYTES_MAX = 2048;

const StoredFiles = z.array(
  z.object({
    fieldname: z.string(),
    originalname: z.string(),
    mimetype: z.string(),
    buffer: z.instanceof(Uint8Array),
  }),
);

function theFiles(
  stored: unknown,
  texts: Readonly<Record<string, unknown>>,
  names: readonly string[],
  lists: readonly string[],
): Pick<Form, "files" | "lists"> {
  const files: Record<string, UploadedFile> = {};
  const listed: Record<string, UploadedFile[]> = {};
  const byName = Map.groupBy(StoredFiles.parse(stored), ({ fieldname }) => fieldname);
  for (const name of names) {
    const [first, ...others] = (byName.get(name) ?? []).map(toUploadedFile);
    if (first === undefined && Object.hasOwn(texts, name))
      throw invalidFile(name, "must be sent as a file, with a file name");
    if (first === undefined) continue;
    if (lists.includes(name)) listed[name] = [first, ...others];
    else files[name] = first;
  }
  return { files, lists: listed };
}

function toUploadedFile({
  originalname,
  buffer,
  mimetype,
}: z.output<typeof StoredFiles>[number]): UploadedFile {
  return { filename: uploadFilename(originalname), bytes: buffer, declaredType: mimetype };
}

export function theFields(
  sent: Readonly<Record<string, unknown>>,
  names: readonly string[],
  texts: readonly string[] = [],
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of names) {
    const text = sent[name];
    if (!Object.hasOwn(sent, name)) continue;
    if (typeof text !== "string") {
      throw invalidInput([{ field: name, message: "must be given once, as UTF-8 text" }]);
    }
    // multer decodes invalid bytes to U+FFFD, which no real title contains; the text of a document may.
    if (!text.isWellFormed() || (text.includes("\ufffd") && !texts.includes(name))) {
      throw invalidInput([{ field: name, message: "must be valid UTF-8 text" }]);
    }
    fields[name] = text;
  }
  return fields;
}

/** Errors about limits have a code. Any other error means that the form could not be parsed. */
export function formError(error: unknown, { fileBytesMax, fieldBytesMax }: FormLimits): DomainError {
  if (error instanceof DomainError) return error;
  const code = errorCode(error);
  const field = error instanceof Error && "field" in error ? String(error.field) : "body";
  if (code === "LIMIT_FILE_SIZE") return fileTooLarge(fileBytesMax);
  if (code === "LIMIT_PART_COUNT") {
    return new DomainError("body_too_large", `The form has more than ${FORM_PARTS_MAX} parts.`);
  }
  if (code === "LIMIT_FIELD_VALUE") {
    return invalidInput([{ field, message: `must have at most ${fieldBytesMax / 1024} KiB` }]);
  }
  const detail =
    "The form is not valid multipart/form-data: it is incomplete, or its boundary or part headers are wrong.";
  return new DomainError("malformed_body", detail, { cause: error });
}

function fileTooLarge(fileBytesMax: number): DomainError {
  const limit = Math.round((fileBytesMax / 1024 / 1024) * 100) / 100;
  return new DomainError("body_too_large", `The file is over the limit of ${limit} MiB.`);
}

function invalidFile(field: string, message: string): DomainError {
  return invalidInput([{ field, message }]);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/**
 * A file's name as it may be stored and shown: without folders of the client's machine (of either separator), control
 * characters, or the bidirectional controls that let `fdp.exe` read as `exe.pdf`; at most 255 characters.
 * An empty result becomes `upload`.
 */
export function uploadFilename(declared: string): string {
  const name = declared
    .slice(Math.max(declared.lastIndexOf("/"), declared.lastIndexOf("\\")) + 1)
    .toWellFormed()
    .replace(UNSHOWABLE, "")
    .trim();
  if (name === "" || name === "." || name === "..") return "upload";
  return [...name.slice(0, 2 * FILENAME_CHARS_MAX)].slice(0, FILENAME_CHARS_MAX).join("").trimEnd();
}

/** The longest name that the usual file systems take. */
const FILENAME_CHARS_MAX = 255;

/** Control characters, line ends and bidirectional controls, which have no place in a name or an address. */
export const UNSHOWABLE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

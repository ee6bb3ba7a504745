import type { Context } from "koa";
import { koaBody } from "koa-body";
import { DomainError } from "../../platform/domain-error.ts";
import { declaredBytes, invalidInput } from "./parse.ts";

type JsonObject = { readonly [member: string]: unknown };

/** 500,000 characters take 6 MB if each is written as two `\uXXXX` escapes; the rest is for the other members. */
export const JSON_BODY_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Reads the body of a request as a JSON object.
 * @throws DomainError `unsupported_media_type` for another content type, charset or content encoding;
 *   `body_too_large` over 8 MiB, counted after decompression; `malformed_body` for an empty or cut-off body, for
 *   bytes that are not UTF-8 and for text that is not JSON; `invalid_input` for JSON that is not an object, for a string
 *   with half a surrogate pair, naming its member, and for nesting or counts that no request needs.
 * @param bytesMax another limit than 8 MiB
 */
export async function readJsonBody(ctx: Context, bytesMax = JSON_BODY_BYTES_MAX): Promise<JsonObject> {
  const declared = ctx.request.is(...JSON_TYPES);
  if (declared === null) throw new DomainError("malformed_body", EMPTY);
  if (declared === false || !UTF8_NAMES.has(ctx.request.charset.toLowerCase())) {
    throw new DomainError("unsupported_media_type", "Send the body as application/json in UTF-8.");
  }
  if (declaredBytes(ctx.req) > bytesMax) throw tooLarge(bytesMax);
  const bytes = await readBytes(ctx, bytesMax);
  const fault = jsonFault(bytes);
  if (fault !== undefined) throw invalidInput([{ field: "body", message: fault }]);
  const value = parseJson(decodeUtf8(bytes));
  if (!isObject(value)) throw invalidInput([{ field: "body", message: "must be a JSON object" }]);
  const broken = loneSurrogateField(value);
  if (broken !== undefined) {
    throw invalidInput([{ field: broken, message: "must not contain an unpaired surrogate" }]);
  }
  return value;
}

async function readBytes(ctx: Context, bytesMax: number): Promise<Uint8Array> {
  let stopWatching = (): void => {};
  const leaving = new Promise<never>((_, reject) => {
    const onClose = (): void => {
      if (!ctx.req.complete) reject(new DomainError("malformed_body", CUT_OFF));
    };
    ctx.req.once("close", onClose);
    stopWatching = () => ctx.req.off("close", onClose);
  });
  const { headers } = ctx.req;
  const encoding = headers["content-encoding"]?.toLowerCase();
  // The reader takes neither capitals nor the other name (RFC 9110, section 8.4.1).
  if (encoding !== undefined) headers["content-encoding"] = encoding === "x-gzip" ? "gzip" : encoding;
  try {
    // A client that disconnects within a compressed body ends its socket, but not the inflating stream.
    await Promise.race([rawReader(bytesMax)(ctx, async () => {}), leaving]);
  } catch (error) {
    throw bodyError(error, bytesMax);
  } finally {
    stopWatching();
  }
  const bytes: unknown = ctx.request.body;
  if (bytes instanceof Uint8Array) return bytes;
  throw new DomainError("malformed_body", EMPTY);
}

const JSON_TYPES = ["application/json", "+json"];

const UTF8_NAMES: ReadonlySet<string> = new Set(["", "utf-8", "utf8"]);

const EMPTY = "The body is empty. Send a JSON object.";

const CUT_OFF = "The body ended before it was complete.";

/** koa-body's JSON mode decodes invalid UTF-8 to U+FFFD. Its text mode without an encoding returns the bytes, inflated. */
function rawReader(bytesMax: number) {
  return koaBody({
    json: false,
    urlencoded: false,
    text: true,
    textTypes: JSON_TYPES,
    textLimit: bytesMax,
    encoding: "",
  });
}

/** The readers that koa-body uses set a status on their errors; zlib does not, and fails only on broken data. */
function bodyError(error: unknown, bytesMax: number): DomainError {
  if (error instanceof DomainError) return error;
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  if (status === 413) return tooLarge(bytesMax, error);
  if (status === 415) {
    const detail = "Send the body as it is, or with Content-Encoding gzip, deflate or br.";
    return new DomainError("unsupported_media_type", detail, { cause: error });
  }
  const detail = status === 400 ? CUT_OFF : "The body is not in its declared Content-Encoding.";
  return new DomainError("malformed_body", detail, { cause: error });
}

function tooLarge(bytesMax: number, cause?: unknown): DomainError {
  const limit = `${bytesMax / 1024 / 1024} MiB`;
  return new DomainError("body_too_large", `A JSON body must be at most ${limit}.`, { cause });
}

/** The decoder drops a byte-order mark, which some tools write before JSON. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DomainError("malformed_body", "The body is not valid UTF-8.", { cause: error });
  }
}

/** V8's message quotes the body, so only the position is taken from it. */
function parseJson(text: string): unknown {
  if (text.trim() === "") throw new DomainError("malformed_body", EMPTY);
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = error instanceof Error ? /line \d+ column \d+/.exec(error.message)?.[0] : undefined;
    throw new DomainError("malformed_body", `The body is not valid JSON${place ? ` (${place})` : ""}.`);
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The reason why JSON is too costly to parse, or undefined. Reads only the bytes, before anything is built from them.
 *
 * `JSON.parse` of 8 MiB of nested brackets took 1.7 s and of 8 MiB of zeros in a list 0.2 s, in which nothing else is
 * served; a text of that size takes 0.04 s. No request of this product comes near these bounds.
 */
export function jsonFault(bytes: Uint8Array): string | undefined {
  let depth = 0;
  let separators = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at + 1);
    else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth += 1;
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth -= 1;
    else if (byte === COMMA) separators += 1;
    if (depth > DEPTH_MAX) return `must not nest deeper than ${DEPTH_MAX} levels`;
    if (separators >= VALUES_MAX) return `must not hold more than ${VALUES_MAX.toLocaleString("en")} values`;
  }
  return undefined;
}

export const DEPTH_MAX = 32;
export const VALUES_MAX = 10_000;

/** Where the string that starts at `start` has its closing quote; the end of the bytes when it is not closed. */
function endOfString(bytes: Uint8Array, start: number): number {
  let from = start;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, from);
    if (quote === -1) return bytes.length;
    let backslashes = 0;
    while (quote - backslashes > from && bytes[quote - backslashes - 1] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * The dotted name of the first member whose name or string holds half of a surrogate pair, or undefined when the
 * whole value is well-formed. UTF-8 can't carry such halves, but JSON's `\ud83d` escapes can; no store takes them.
 * The value is as shallow as `jsonFault` lets through.
 */
function loneSurrogateField(value: unknown, name = ""): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : name;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const memberName = name === "" ? key : `${name}.${key}`;
    if (!key.isWellFormed()) return memberName.toWellFormed();
    const field = loneSurrogateField(member, memberName);
    if (field !== undefined) return field;
  }
  return undefined;
}

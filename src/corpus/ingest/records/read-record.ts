import { createHash } from "node:crypto";
import { htmlText } from "../../../extract/text/html-text.ts";
import { isLanguage } from "../../../text/languages.ts";
import type { SourceDocument } from "../../documents/document.ts";
import { SourceUrl } from "../../documents/source-url.ts";
import { DocumentInput, TITLE_CHARS_MAX, toSource } from "../pipeline.ts";
import type { SourceRecord } from "./record-source.ts";

/** Which fields of a record make a document. Fields are paths: `author.name` also reads the names of a list of authors. */
export type FieldMapping = {
  /** Joined by blank lines, as are the items of lists. */
  readonly text: readonly string[];
  /** Without it, or where it is empty, the identifier is the title. */
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  /** A pattern such as `https://example.org/{_id}` or `…/{section.slug}`, for records without a URL. */
  readonly idUrl?: string | undefined;
  /** The field of an ISO 639-1 code such as `de` or `de-CH`; where it is empty, the language is detected. */
  readonly language?: string | undefined;
  /** Whether text and title are HTML; only the text in it counts. */
  readonly html?: boolean | undefined;
};

/** A value that was left out of a document. Its record is in the corpus nevertheless. */
export type RecordNotice = "language" | "url";

type RecordReading =
  | { readonly outcome: "failed"; readonly reason: string }
  | { readonly outcome: "read"; readonly source: SourceDocument; readonly notices: readonly RecordNotice[] };

/** Makes the document of a record. Its hash covers title, address and language too, so that their change is noticed. */
export function readRecord(record: SourceRecord, mapping: FieldMapping, collection: string): RecordReading {
  if (record.id.includes("\u0000")) return failed("Its identifier has a null character.");
  try {
    const text = textOf(record, mapping.text, mapping, "\n\n");
    if (text === "") return failed(`It has no text in ${mapping.text.join(", ")}.`);
    const language = languageOf(record, mapping);
    const sourceUrl = urlOf(record, mapping);
    const stated = {
      path: record.id,
      title: titleOf(record, mapping),
      text,
      ...(language.code !== undefined && { language: language.code }),
      ...(sourceUrl.url !== undefined && { sourceUrl: sourceUrl.url }),
      filename: record.id,
    };
    const input = DocumentInput.safeParse(stated);
    if (!input.success) return failed(input.error.issues.map(describeIssue).join(" "));
    const notices: RecordNotice[] = [];
    if (language.isUnknown) notices.push("language");
    if (sourceUrl.isUnusable) notices.push("url");
    const { pageNotes } = record;
    const source = {
      ...toSource({ ...input.data, collection }),
      sha256: hashOf(stated),
      ...(pageNotes !== undefined && { pageNotes }),
    };
    return { outcome: "read", source, notices };
  } catch (error) {
    if (error instanceof RangeError) return failed("Its HTML is nested too deeply.");
    throw error;
  }
}

function failed(reason: string): RecordReading {
  return { outcome: "failed", reason };
}

function describeIssue({
  path,
  message,
}: {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}) {
  return `Its ${path[0] === "path" ? "identifier" : String(path[0])} ${message}.`;
}

function hashOf(stated: Readonly<Record<string, string>>): string {
  const { title, text, language, sourceUrl } = stated;
  return createHash("sha256")
    .update(JSON.stringify([title, text, language ?? null, sourceUrl ?? null]))
    .digest("hex");
}

/** Characters that PostgreSQL can't store are replaced. */
function textOf(
  record: SourceRecord,
  paths: readonly string[],
  { html }: Pick<FieldMapping, "html">,
  separator: string,
): string {
  return paths
    .flatMap((path) => stringsAt(record, path))
    .map((text) => (html === true ? htmlText(text) : text).trim())
    .filter((text) => text !== "")
    .join(separator)
    .replaceAll("\u0000", " ")
    .toWellFormed();
}

function titleOf(record: SourceRecord, mapping: FieldMapping): string {
  const { title } = mapping;
  const text = title === undefined ? "" : textOf(record, [title], mapping, ", ").replaceAll(/\s+/g, " ");
  return text === "" ? record.id : [...text.slice(0, 2 * TITLE_CHARS_MAX)].slice(0, TITLE_CHARS_MAX).join("");
}

function languageOf(record: SourceRecord, { language }: FieldMapping) {
  const [stated] = language === undefined ? [] : stringsAt(record, language);
  const [code = ""] = (stated ?? "").trim().toLowerCase().split(/[-_]/);
  return isLanguage(code) ? { code, isUnknown: false } : { code: undefined, isUnknown: code !== "" };
}

function urlOf(record: SourceRecord, { url, idUrl }: FieldMapping) {
  const [stated = ""] = url === undefined ? [] : stringsAt(record, url).map((text) => text.trim());
  if (SourceUrl.safeParse(stated).success) return { url: stated, isUnusable: false };
  const made = idUrl === undefined ? undefined : fillPattern(record, idUrl);
  const isUsable = made !== undefined && SourceUrl.safeParse(made).success;
  return { url: isUsable ? made : undefined, isUnusable: !isUsable && (stated !== "" || made !== undefined) };
}

const PLACEHOLDER = /\{([^{}]+)\}/g;

/** The fields that a pattern names. */
export function placeholders(pattern: string): string[] {
  return [...pattern.matchAll(PLACEHOLDER)].map(([, name = ""]) => name).filter((name) => name !== "_id");
}

/** Undefined when the record lacks a field that the pattern names. */
function fillPattern(record: SourceRecord, pattern: string): string | undefined {
  const values = new Map(
    placeholders(pattern).map((path) => [path, stringsAt(record, path)[0]?.trim() || undefined]),
  );
  values.set("_id", record.id);
  if ([...values.values()].includes(undefined)) return undefined;
  return pattern.replaceAll(PLACEHOLDER, (_, name: string) =>
    encodeURIComponent((values.get(name) ?? "").toWellFormed()).replaceAll("%2F", "/"),
  );
}

/** The values of a field as text; objects are left out. */
export function stringsAt({ fields }: SourceRecord, path: string): string[] {
  return valuesAt(fields, path.split(".")).flatMap((value) =>
    ["string", "number", "boolean", "bigint"].includes(typeof value) ? [String(value)] : [],
  );
}

/** A document may also hold `author.name` as one key. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  if (path.length === 0) return [value];
  if (typeof value !== "object" || value === null) return [];
  const members = new Map<string, unknown>(Object.entries(value));
  return path.flatMap((_, at) => valuesAt(members.get(path.slice(0, at + 1).join(".")), path.slice(at + 1)));
}

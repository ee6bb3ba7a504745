import { createHash } from "node:crypto";
import { z } from "zod";
import type { Answer } from "./service.ts";

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** The time of the check in a report as HTML. */
const TIME_ELEMENT = /<time datetime=.*?<\/time>/g;

/** How long something took. */
const DURATION = "duration_seconds";

/** Members with an identifier, and those beside them with its name. */
const NAMED = [
  ["source_document_id", "title"],
  ["document_id", "title"],
  ["member_id", "name"],
] as const;

/** The names of documents and members by their identifiers, which differ in each run. */
export type Names = ReadonlyMap<string, string>;

export function namesIn(value: unknown, known: Names = new Map()): Names {
  const names = new Map(known);
  for (const object of objectsIn(value)) {
    for (const [id, name] of NAMED) {
      const [key, text] = [object[id], object[name]];
      if (typeof key === "string" && typeof text === "string") names.set(key, text);
    }
  }
  return names;
}

type JsonObject = Readonly<Record<string, unknown>>;

function* objectsIn(value: unknown): Generator<JsonObject> {
  if (!isObject(value)) return;
  if (!Array.isArray(value)) yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}

/** The body of an answer without the parts that differ in every run: a string, or JSON with its members in alphabetical order. */
export function canonical(value: unknown, names: Names, addresses: readonly string[]): unknown {
  const numbers = new Map<string, number>();
  /** An identifier without a name is known by its first place in the answer. */
  const nameOf = (id: string) => {
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return `id ${number}`;
  };
  const inText = (text: string) =>
    addresses
      .reduce((masked, address) => masked.replaceAll(address, "<address>"), text)
      .replace(TIME_ELEMENT, "<time>")
      .replace(UUID, (id) => `<${names.get(id) ?? nameOf(id)}>`);
  const masked = (inner: unknown): unknown => {
    if (typeof inner === "string") return TIME.test(inner) ? "<time>" : inText(inner);
    if (Array.isArray(inner)) return inner.map(masked);
    if (!isObject(inner)) return inner;
    const members = Object.entries(inner).toSorted(([a], [b]) => Number(a > b) - Number(a < b));
    return Object.fromEntries(
      members.map(([key, one]) => [key, key === DURATION ? "<seconds>" : masked(one)]),
    );
  };
  return masked(value);
}

/** JSON is indented, one value a line; other bodies are as they are. */
export function printed(value: unknown): string {
  return typeof value === "string" ? value : `${JSON.stringify(value, undefined, 1)}\n`;
}

/** The recorded part of an answer: its hash and figures, but no text. */
export const Line = z.looseObject({ key: z.string(), status: z.int(), sha256: z.string() });
export type Line = z.output<typeof Line>;

export function lineOf(key: string, { status }: Answer, value: unknown): Line {
  const text = printed(value);
  const line = { key, status, sha256: hash(text) };
  const passages = [...objectsIn(value)].filter((one) => "query_start" in one && "runs" in one);
  const { query, sources, ...own } = isObject(value) ? value : {};
  // In a comparison, the query has the similarity.
  const similarity =
    own.overall_similarity_pct ?? (isObject(query) ? query.overall_similarity_pct : undefined);
  if (similarity === undefined && passages.length === 0) return { ...line, chars: text.length };
  const places = passages.map((one) => [
    one.query_start,
    one.query_end,
    one.source_document_start,
    one.source_document_end,
    one.match_type,
  ]);
  return {
    ...line,
    ...(similarity !== undefined && { similarity }),
    ...(Array.isArray(sources) && { sources: sources.length }),
    passages: passages.length,
    offsets: hash(JSON.stringify(places)).slice(0, 12),
  };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

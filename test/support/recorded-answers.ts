import { parse } from "csv-parse/sync";
import { z } from "zod";

const Parameter = z.object({ in: z.string(), name: z.string(), schema: z.looseObject({}).default({}) });
const Document = z.object({
  paths: z.record(
    z.string(),
    z.object({ get: z.object({ parameters: z.array(Parameter).default([]) }).optional() }),
  ),
});
type Parameter = z.output<typeof Parameter>;

/** An answer as it came; a body of text, or the hexadecimal digits of any other. */
export type Recorded = { readonly status: number; readonly type: string; readonly body: string };

/** Values for the parameters in paths, each with those of the parameters before it, such as a check and one of its sources. */
export type PathValues = Readonly<Record<string, readonly (readonly string[])[]>>;

/**
 * The paths of all documented GET requests below `/v1/` with these values, once plain and once with each value of each
 * parameter that has a list of values, is a switch or a number. A path whose parameters have no values is an error.
 */
export async function documentedRequests(base: string, values: PathValues): Promise<string[]> {
  const { paths } = Document.parse(await (await fetch(`${base}/openapi.json`)).json());
  return Object.entries(paths).flatMap(([template, { get }]) => {
    if (get === undefined || !template.startsWith("/v1/")) return [];
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const found = names.length === 0 ? [[]] : values[names.join()];
    if (found === undefined || found.length === 0) throw new Error(`no values for ${template}`);
    const queries = get.parameters.filter((parameter) => parameter.in === "query").flatMap(queriesOf);
    return found.flatMap((ids) => {
      const path = names.reduce((filled, name, at) => filled.replace(`{${name}}`, ids[at] ?? ""), template);
      return [path, ...queries.map((query) => `${path}?${query}`)];
    });
  });
}

function queriesOf({ name, schema }: Parameter): string[] {
  const { type, enum: listed, minimum } = schema;
  if (Array.isArray(listed)) return listed.map((value) => `${name}=${value}`);
  if (type === "boolean") return [`${name}=true`];
  return type === "integer" || type === "number" ? [`${name}=${Math.max(1, Number(minimum ?? 1))}`] : [];
}

export async function recordAnswers(base: string, paths: readonly string[]): Promise<Map<string, Recorded>> {
  const answers = new Map<string, Recorded>();
  for (const path of paths) {
    const response = await fetch(base + path);
    const type = response.headers.get("Content-Type") ?? "";
    const bytes = Buffer.from(await response.arrayBuffer());
    const isText = /json|^text\//.test(type);
    answers.set(path, { status: response.status, type, body: bytes.toString(isText ? "utf8" : "hex") });
  }
  return answers;
}

/** Members of answers whose lists are for people or describe the API; a later release may word them differently and add to them. */
const DESCRIPTIONS: ReadonlySet<string> = new Set([".data.endpoints", ".meta.caveats"]);

/**
 * The first difference of a later answer, or undefined. A later release may add members to an object of JSON and columns behind those of
 * a CSV file, may present a report as HTML or PDF differently, and may add files to a ZIP, whose tables
 * have requests of their own. All else stays as it was.
 */
export function difference(before: Recorded, after: Recorded | undefined): string | undefined {
  if (after === undefined) return "not answered";
  if (before.status !== after.status) return `status ${before.status}, then ${after.status}: ${after.body}`;
  if (before.type !== after.type) return `${before.type}, then ${after.type}`;
  if (before.body === after.body || /html|pdf|zip/.test(before.type)) return undefined;
  if (before.type.includes("json"))
    return jsonDifference(JSON.parse(before.body), JSON.parse(after.body), "");
  if (before.type.includes("csv")) return csvDifference(before.body, after.body);
  const at = [...before.body].findIndex((char, index) => char !== after.body[index]);
  const around = (body: string) => JSON.stringify(body.slice(Math.max(0, at - 60), at + 60));
  return `${around(before.body)}, then ${around(after.body)}`;
}

function csvDifference(before: string, after: string): string | undefined {
  const rows: readonly (readonly string[])[] = parse(before);
  const columns = rows[0]?.length ?? 0;
  const same: readonly (readonly string[])[] = parse(after);
  return jsonDifference(
    rows,
    same.map((row) => row.slice(0, columns)),
    "",
  );
}

function jsonDifference(before: unknown, after: unknown, place: string): string | undefined {
  if (DESCRIPTIONS.has(place)) return Array.isArray(after) ? undefined : `${place}: no list`;
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return first(before.map((value, at) => () => jsonDifference(value, after[at], `${place}[${at}]`)));
  if (
    isObject(before) &&
    isObject(after) &&
    Array.isArray(before) === Array.isArray(after) &&
    !Array.isArray(before)
  )
    return first(
      Object.keys(before).map((key) => () => jsonDifference(before[key], after[key], `${place}.${key}`)),
    );
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 200);
  return `${place}: ${shown(before)}, then ${shown(after)}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function first(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const found = look();
    if (found !== undefined) return found;
  }
  return undefined;
}

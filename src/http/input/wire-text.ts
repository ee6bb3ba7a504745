import type { Context } from "koa";
import { z } from "zod";
import { isLanguage, LANGUAGE_CODES } from "../../core/text/languages.ts";
import { boundedText } from "./parse.ts";

const NUL = "\u0000";

/** Text that PostgreSQL can keep: it has no U+0000. */
export function storableText({
  charsMin,
  charsMax,
}: {
  readonly charsMin: number;
  readonly charsMax: number;
}) {
  const shape = {
    type: "string",
    minLength: charsMin,
    maxLength: charsMax,
    pattern: "^[^\\u0000]*$",
  } as const;
  return boundedText({ charsMin, charsMax })
    .refine((text) => !text.includes(NUL), { error: "must not hold U+0000, which can't be stored" })
    .meta({ override: shape });
}

/** An ISO 639-1 code in any case, kept in lower case. */
export const Language = z
  .string()
  .transform((code) => code.toLowerCase())
  .refine(isLanguage, { error: "must be an ISO 639-1 code of two letters, such as en or de" })
  .meta({ override: { type: "string", pattern: languagePattern() } })
  .describe("ISO 639-1 code of the text's language; it says how sentences and words are found.");

export const LANGUAGE_DEFAULT = "en";

/** Exactly the codes that exist, in any case, so that tools which make up requests from the document make valid ones. */
function languagePattern(): string {
  const byFirst = Map.groupBy(LANGUAGE_CODES, ([first = ""]) => first);
  const anyCase = (letters: string) => `[${letters.toUpperCase()}${letters}]`;
  const groups = [...byFirst].map(
    ([first, codes]) => anyCase(first) + anyCase(codes.map((code) => code.slice(1)).join("")),
  );
  return `^(?:${groups.join("|")})$`;
}

export const TITLE_CHARS_MAX = 200;

export const Title = storableText({ charsMin: 1, charsMax: TITLE_CHARS_MAX }).describe(
  "A name for people, 1 to 200 characters.",
);

/**
 * Describes a text part of a form: it may be left out, or left blank, which is the same. A form has no `null`. Only for
 * the documentation: what is validated has gone through `withoutBlanks`.
 */
export function formPart<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.literal("")]).optional();
}

/** Forms send a field that was left blank as an empty string. */
export function withoutBlanks(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The identifier in a path, as it is stored; undefined when it is malformed, and so that of nothing. */
export function pathUuid(ctx: Context, parameter: string): string | undefined {
  const text = String(ctx.params[parameter]);
  return UUID.test(text) ? text.toLowerCase() : undefined;
}

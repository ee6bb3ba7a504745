import { z } from "zod";
import { createSchema, type ZodOpenApiOverrideMetaContext } from "zod-openapi";
import { isLanguage, LANGUAGE_CODES, LANGUAGE_DEFAULT, LANGUAGE_ORIGINS } from "../../text/languages.ts";
import { PAGE_NOTE_KINDS } from "../../text/page-notes.ts";
import { boundedText, type TextBounds } from "./parse.ts";

const NUL = "\u0000";

/** Text without U+0000, which PostgreSQL can't store. */
export function storableText({ charsMin, charsMax }: TextBounds) {
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
  .describe("ISO 639-1 code of the text's language; it determines its words and sentences.");

/** How texts without a stated language get one. */
export const LANGUAGE_RULE = `Without it, the language is detected; \`${LANGUAGE_DEFAULT}\` where that is not reliable, as in short or mixed texts.`;

/** Where the language of a text comes from. */
export const LanguageOriginName = z
  .enum(LANGUAGE_ORIGINS)
  .describe(
    `\`stated\`: given with the text or corrected later; \`detected\` in the text; \`default\`: neither, so it is \`${LANGUAGE_DEFAULT}\`.`,
  );

/** Exactly the existing codes, in any case, so that tools which generate requests from the document generate valid ones. */
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
  "A display name, 1 to 200 characters.",
);

/** A name or an identifier that the caller has chosen. */
export const Name = storableText({ charsMin: 1, charsMax: TITLE_CHARS_MAX });

/** The name of a collection, which a bulk load may have given: up to 600 bytes. */
export const CollectionName = storableText({ charsMin: 1, charsMax: 600 });

/** The name of a collection that a document joins. Names are separated by commas in forms. */
export const JoinedCollection = Name.overwrite((name) => name.trim()).refine(
  (name) => name !== "" && !name.includes(","),
  { error: "must be a name without a comma" },
);

/** The name of a check wherever one is shown. */
export const DisplayTitle = z
  .string()
  .describe("The title; without one, the first words of the text, about 60 characters. For display only.");

/** What the file of a text states for itself, wherever its name is shown. */
export const FileProperties = z.object({
  document_title: z
    .string()
    .optional()
    .describe("The title in the properties of the PDF or DOCX file; missing where none looks like a title."),
  document_author: z
    .string()
    .optional()
    .describe("The author in these properties; missing where none looks like a person's name."),
});

/** Null stands for a property that is missing. */
export function presentProperties(properties: {
  readonly title: string | null;
  readonly author: string | null;
}): z.output<typeof FileProperties> {
  const { title, author } = properties;
  return {
    ...(title !== null && { document_title: title }),
    ...(author !== null && { document_author: author }),
  };
}

/**
 * An optional text part of a form. It may also be blank: blank parts are removed before validation. With a fallback, it always
 * has a value.
 */
export function formPart<T extends z.ZodType>(
  schema: T,
  description?: string,
): z.ZodType<z.output<T> | undefined, z.input<T> | undefined>;
export function formPart<T extends z.ZodType>(
  schema: T,
  description: string,
  fallback: z.output<T>,
): z.ZodType<z.output<T>, z.input<T> | undefined>;
export function formPart<T extends z.ZodType>(schema: T, description?: string, fallback?: z.output<T>) {
  const described = createSchema(schema, { io: "input" }).schema;
  return schema
    .optional()
    .transform((value) => value ?? fallback)
    .meta({
      override({ jsonSchema }: ZodOpenApiOverrideMetaContext) {
        for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
        if (description !== undefined) jsonSchema.description = description;
        Object.assign(jsonSchema, { anyOf: [described, { type: "string", const: "" }] });
      },
    });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An identifier in a path, in its stored form. Nothing can have a malformed one: parsing it throws `notFound`. */
export function uuidParameter(description: string, example: string, notFound: () => Error) {
  return z
    .string()
    .overwrite((text) => {
      if (!UUID.test(text)) throw notFound();
      return text.toLowerCase();
    })
    .meta({ format: "uuid", examples: [example] })
    .describe(description);
}

const KEY_RULE = { error: "must have 1 to 255 characters" };

/** The headers of a request that may be sent twice. */
export const IdempotencyHeaders = z.object({
  "Idempotency-Key": z
    .string()
    .min(1, KEY_RULE)
    .max(255, KEY_RULE)
    .optional()
    .describe("Makes a retry safe: within 24 hours the same key and request give the same check."),
});

export const Uuid = z.string().meta({ format: "uuid" });
export const Timestamp = z.string().meta({ format: "date-time" });
export const Count = z.int().min(0);
export const Offset = z.int().min(0);
export const Percentage = z.number().min(0).max(100).describe("Two decimals, rounded half up once.");

/** Exactly `true` or `false`. */
export function queryBoolean() {
  return z
    .enum(["true", "false"], { error: "must be true or false" })
    .transform((word) => word === "true")
    .meta({
      override({ jsonSchema }: ZodOpenApiOverrideMetaContext) {
        // For clients and their tools it is a boolean parameter.
        delete jsonSchema.enum;
        jsonSchema.type = "boolean";
      },
    });
}

/** A whole number in decimal digits, within the range of exact integers. */
export function queryInteger({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return z
    .string()
    .transform((digits, context) => {
      const value = PLAIN_INTEGER.test(digits) ? Number(digits) : Number.NaN;
      if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
      context.issues.push({ code: "custom", input: digits, message: `must be a whole number ${range}` });
      return z.NEVER;
    })
    .meta({ override: { type: "integer", minimum: min, maximum: max } });
}

/** A percentage. */
export function queryPercentage() {
  return z
    .string()
    .transform((digits, context) => {
      if (PLAIN_PERCENTAGE.test(digits) && Number(digits) <= 100) return Number(digits);
      const message = "must be a number from 0 to 100";
      context.issues.push({ code: "custom", input: digits, message });
      return z.NEVER;
    })
    .meta({ override: { type: "number", minimum: 0, maximum: 100 } });
}

/** A comma-separated list in one parameter, whose items match `item`. An empty value is an error. */
export function commaList<T extends z.ZodType<unknown, string>>(
  item: T,
  itemShape: ItemShape = { type: "string" },
  itemsMax = LIST_ITEMS_MAX,
) {
  return z
    .string()
    .transform((list) => list.split(","))
    .pipe(z.array(item).max(itemsMax))
    .meta({ override: { type: "array", items: itemShape, minItems: 1, maxItems: itemsMax } });
}

/** Comma-separated identifiers, in lower case as they are stored. */
export function uuidList() {
  return commaList(z.guid("must be a UUID").toLowerCase(), { type: "string", format: "uuid" });
}

const PASSAGE = /^\d{1,7}-\d{1,7}-[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;

/** `START-END-DOCUMENT`, as links to passages have it. */
export const PassageName = z
  .string()
  .regex(PASSAGE, "must be START-END-DOCUMENT, such as 120-345-01a1fdd2-fc66-74d3-872a-6fcc3985a6fd");

/** A comma-separated list of them. */
export function passageList() {
  return commaList(PassageName, { type: "string", pattern: PASSAGE.source });
}

/** Reads such a reference; undefined if it is malformed. */
export function readPassageReference(text: string) {
  if (!PASSAGE.test(text)) return undefined;
  const [start, end, ...id] = text.toLowerCase().split("-");
  return { start: Number(start), end: Number(end), documentId: id.join("-") };
}

/** A comma-separated list of some of `words`, at most as many as there are: this leaves space for other lists in the head of a request. */
export function wordList<const T extends readonly [string, ...string[]]>(words: T) {
  return commaList(z.enum(words), { type: "string", enum: [...words] }, words.length);
}

/** An optional parameter with a default, which the documentation shows. */
export function queryDefault<T extends z.ZodType>(schema: T, fallback: z.core.util.NoUndefined<z.output<T>>) {
  return z._default(schema, fallback).meta({
    override({ jsonSchema }: ZodOpenApiOverrideMetaContext) {
      jsonSchema.default = fallback;
    },
  });
}

/** The query of every list: `limit` from 1 to 100, 20 when left out, and `offset`, 0 when left out. */
export const PaginationQuery = z.object({
  limit: queryDefault(queryInteger({ min: 1, max: 100 }), 20).describe(
    "The number of rows to return, from 1 to 100.",
  ),
  offset: queryDefault(queryInteger({ min: 0 }), 0).describe(
    "The number of rows to skip, in the order of the list.",
  ),
});

/** The parameters of a list that can be sorted by `keys`, by the first of them when `sort` is left out. */
export function sortingQuery<const K extends readonly [string, ...string[]]>(keys: K, description: string) {
  return {
    sort: queryDefault(z.enum(keys), keys[0]).describe(description),
    order: queryDefault(z.enum(["asc", "desc"]), "desc").describe("Ascending or descending."),
  };
}

/** The longest title or file name. */
const SEARCH_CHARS_MAX = 255;

/** Text to search titles for. A blank one, as forms send it, searches for nothing. */
export function titleSearch(description: string) {
  return storableText({ charsMin: 0, charsMax: SEARCH_CHARS_MAX })
    .transform((text) => (text === "" ? undefined : text))
    .optional()
    .describe(description);
}

type ItemShape = {
  readonly type: "string";
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: string[];
};

/** Sixteen digits hold every exact integer. The sign is read so that -1 gets the message about the range. */
const PLAIN_INTEGER = /^-?\d{1,16}$/;

/** With the exponent that programs write for small numbers. */
const PLAIN_PERCENTAGE = /^\d{1,3}(\.\d{1,17})?(e-\d{1,3})?$/i;

/** 300 UUIDs take 11 KB of the 16 KiB of a request's head (`HEAD_BYTES_MAX`). */
const LIST_ITEMS_MAX = 300;

export const PageNote = z
  .object({
    kind: z
      .enum(PAGE_NOTE_KINDS)
      .describe(
        "`no_text`: the pages show pictures, such as scans, and hold no text. `unreadable_font`: the fonts of a part of their text do not say " +
          "which characters it has. `ocr`: the pages were pictures or had such fonts, and text recognition has read them. Kinds may be added.",
      ),
    pages: z.array(z.int().min(1)).describe("Ascending."),
  })
  .meta({ id: "PageNote" });

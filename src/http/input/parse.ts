import { z } from "zod";
import type { ZodOpenApiOverrideMetaContext } from "zod-openapi";
import { DomainError, type FieldError } from "../../platform/domain-error.ts";
import { codePointLength } from "../../text/code-points.ts";

/**
 * @throws DomainError `invalid_input` with one entry for each fault: the wire name (`source.url`, `ids.2`; `root` for the whole
 *   value) and the expected value.
 */
export function parse<T extends z.ZodType>(schema: T, value: unknown, root = "body"): z.output<T> {
  const result = schema.safeParse(value, { error: wording });
  if (result.success) return result.data;
  const fields = result.error.issues.map((issue) => ({
    field: issue.path.length === 0 ? root : issue.path.map(String).join("."),
    message: issue.message,
  }));
  throw invalidInput(fields);
}

/** The declared length of a body; 0 if none is declared. Koa and the readers of bodies cut it to 32 bits, so that 10^12 would be negative. */
export function declaredBytes({
  headers,
}: {
  readonly headers: { readonly "content-length"?: string | undefined };
}): number {
  return Number(headers["content-length"] ?? 0);
}

/** The error for a request with invalid values. Its message lists the faults. */
export function invalidInput(fields: readonly FieldError[]): DomainError {
  const detail = fields.map(({ field, message }) => `${field} ${message}`).join("; ");
  return new DomainError("invalid_input", `${detail}.`, { fields });
}

/**
 * An optional member, for which `null` means the same as leaving it out. With a fallback, it always has a value. `PATCH`
 * members for which `null` has a separate meaning are `.nullable()` instead.
 */
export function optionalMember<T extends z.ZodType>(
  schema: T,
): z.ZodType<z.output<T> | undefined, z.input<T> | null | undefined>;
export function optionalMember<T extends z.ZodType>(
  schema: T,
  fallback: z.output<T>,
): z.ZodType<z.output<T>, z.input<T> | null | undefined>;
export function optionalMember<T extends z.ZodType>(schema: T, fallback?: z.output<T>) {
  return schema
    .nullish()
    .transform((value) => value ?? fallback)
    .meta({
      override({ jsonSchema }: ZodOpenApiOverrideMetaContext) {
        if (fallback !== undefined) jsonSchema.default = fallback;
      },
    });
}

export type TextBounds = { readonly charsMin: number; readonly charsMax: number };

/** A string with bounds in code points, like all lengths on the wire. Zod's own bounds count UTF-16 units: two for an emoji. */
export function boundedText({ charsMin, charsMax }: TextBounds) {
  const rule = `must have ${charsMin} to ${charsMax.toLocaleString("en")} characters`;
  return z
    .string()
    .refine((text) => hasCharacters(text, charsMin, charsMax), { error: rule })
    .meta({ override: { type: "string", minLength: charsMin, maxLength: charsMax } });
}

function hasCharacters(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > 2 * max) return false;
  if (text.length <= max && text.length >= 2 * min) return true;
  const count = codePointLength(text);
  return count >= min && count <= max;
}

/** Messages that name the remedy; zod's own messages name the fault. Messages of the schemas themselves take precedence. */
const wording: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "invalid_type") return typeWording(issue.expected, issue.input);
  if (issue.code === "too_small" || issue.code === "too_big") return boundWording(issue);
  if (issue.code === "invalid_value") {
    return issue.input === undefined
      ? "is required"
      : `must be one of ${issue.values.map(String).join(", ")}`;
  }
  if (issue.code === "invalid_format")
    return `must be a valid ${FORMAT_NAMES.get(issue.format) ?? issue.format}`;
  return undefined;
};

function typeWording(expected: string, input: unknown): string {
  if (input === undefined) return "is required";
  if (Array.isArray(input) && expected === "string") return "must be given only once";
  return `must be ${TYPE_NAMES.get(expected) ?? expected}`;
}

function boundWording(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig>): string {
  const limit = issue.code === "too_small" ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  if (issue.origin === "string") return `must have ${limit} characters`;
  return issue.origin === "array" ? `must have ${limit} items` : `must be ${limit}`;
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["string", "a string"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["object", "a JSON object"],
  ["array", "a list"],
]);

const FORMAT_NAMES: ReadonlyMap<string, string> = new Map([
  ["uuid", "UUID"],
  ["url", "URL"],
  ["regex", "value"],
]);

/** Documents a value that parsing turns into another type: the request sends a string. */
export function stringWith(shape: { description: string; examples?: string[]; format?: string }) {
  return {
    description: shape.description,
    override({ jsonSchema }: ZodOpenApiOverrideMetaContext) {
      const { description, ...others } = { ...shape, ...jsonSchema };
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      const { examples, format } = others;
      Object.assign(jsonSchema, {
        type: "string",
        ...(examples && { examples }),
        description,
        ...(format && { format }),
      });
    },
  };
}

import { z } from "zod";

const Shared = { annotationFlags: z.number().default(0) };

/** What of an annotation can carry text that stands on the page, in the words of pdf.js. */
const Annotation = z.discriminatedUnion("subtype", [
  z.object({ ...Shared, subtype: z.literal("FreeText"), textContent: z.array(z.string()).default([]) }),
  z.object({
    ...Shared,
    subtype: z.literal("Widget"),
    fieldType: z.enum(["Tx", "Ch"]),
    fieldName: z.string().default(""),
    fieldValue: z.union([z.string(), z.array(z.string())]).nullish(),
    password: z.boolean().default(false),
    options: z.array(z.object({ exportValue: z.string(), displayValue: z.string() })).default([]),
  }),
]);

type Annotation = z.infer<typeof Annotation>;

/** The flags Hidden and NoView (ISO 32000-1, table 165). */
const NOT_SHOWN = 2 | 32;

/**
 * The text that annotations put on a page: the values of a form's text fields and choices, and text that was typed
 * onto the page (FreeText), with which many programs fill in forms that have no fields. Notes that only show when they
 * are opened, and what is said about highlighted text, are comments, not the author's text, and not read; nor is
 * anything hidden.
 *
 * @param fieldsSeen names of the fields that were read; a field that stands on several pages counts once.
 */
export function annotationTexts(annotations: readonly unknown[], fieldsSeen: Set<string>): string[] {
  return annotations.flatMap((raw) => {
    const parsed = Annotation.safeParse(raw);
    if (!parsed.success || (parsed.data.annotationFlags & NOT_SHOWN) !== 0) return [];
    const text = textOf(parsed.data, fieldsSeen);
    return text.trim() === "" ? [] : [text];
  });
}

function textOf(annotation: Annotation, fieldsSeen: Set<string>): string {
  if (annotation.subtype === "FreeText") return annotation.textContent.join("\n");
  const { fieldName, fieldValue, options, password } = annotation;
  if (password || fieldValue === null || fieldValue === undefined) return "";
  if (fieldName !== "" && fieldsSeen.has(fieldName)) return "";
  fieldsSeen.add(fieldName);
  const values = typeof fieldValue === "string" ? [fieldValue] : fieldValue;
  return values.map((value) => shown(value, options)).join("\n");
}

/** A choice is stored under one name and shown under another. */
function shown(value: string, options: readonly { exportValue: string; displayValue: string }[]): string {
  return options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value;
}

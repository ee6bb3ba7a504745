import type { ApiSchema } from "./api-document.ts";

/**
 * The TypeScript type of a JSON Schema, as source text; members are readonly.
 * @throws Error for a keyword that it doesn't know, because what it leaves out would be a wrong type.
 */
export function schemaType(schema: ApiSchema): string {
  const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword));
  if (unknown.length > 0) throw new Error(`no type is known for the keyword ${unknown.join(", ")}`);
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return union(alternatives.map(schemaType));
  if (schema.allOf !== undefined) return schema.allOf.map((one) => `(${schemaType(one)})`).join(" & ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? "unknown" : union(types.map((type) => namedType(type, schema)));
}

/** A description as a comment, or nothing. What would end the comment early is taken apart. */
export function docComment(text: string | undefined, indent = ""): string {
  if (text === undefined || text === "") return "";
  const lines = text.replaceAll("*/", "*\u200b/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

/** Those that shape a type, and those that only narrow or explain its values. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...["$ref", "const", "enum", "anyOf", "oneOf", "allOf", "type", "format", "properties", "required"],
  ...["items", "prefixItems", "minItems", "maxItems", "propertyNames", "additionalProperties"],
  ...["description", "title", "default", "examples", "deprecated"],
  ...["contentMediaType", "contentSchema"],
  ...["minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);

function namedType(type: string, schema: ApiSchema): string {
  if (type === "string") return schema.format === "binary" ? "Blob" : "string";
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean" || type === "null") return type;
  if (type === "array") return arrayType(schema);
  if (type === "object") return objectType(schema);
  throw new Error(`${type} is no type of JSON Schema`);
}

function arrayType({ items = {}, prefixItems, minItems, maxItems }: ApiSchema): string {
  if (prefixItems !== undefined) return `readonly [${prefixItems.map(schemaType).join(", ")}]`;
  const item = schemaType(items);
  if (minItems !== undefined && minItems === maxItems)
    return `readonly [${Array.from({ length: minItems }, () => item).join(", ")}]`;
  return `readonly (${item})[]`;
}

function objectType({ properties, required = [], propertyNames, additionalProperties }: ApiSchema): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === "object" ? schemaType(additionalProperties) : "unknown";
    const key = propertyNames === undefined ? "string" : schemaType(propertyNames);
    return key === "string"
      ? `{ readonly [name: string]: ${value} }`
      : `{ readonly [name in ${key}]?: ${value} }`;
  }
  const members = Object.entries(properties).map(([name, member]) => {
    const optional = required.includes(name) ? "" : "?";
    return `${docComment(member.description)}readonly ${JSON.stringify(name)}${optional}: ${schemaType(member)};\n`;
  });
  return `{\n${members.join("")}}`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

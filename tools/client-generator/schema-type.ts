/**
 * The TypeScript type of a JSON Schema, as source text; members are readonly.
 * @throws Error for an unknown keyword, because ignoring it could give a wrong type.
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

/** A description as a comment, or nothing. A comment end inside it is broken up. */
export function docComment(text: string | undefined, indent = ""): string {
  if (text === undefined || text === "") return "";
  const lines = text.replaceAll("*/", "*\u200b/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

/** Keywords that shape a type, and those that only narrow or explain its values. */
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
  if (type === "boolean" || type === "null" || type === "undefined") return type;
  if (type === "array") return arrayType(schema);
  if (type === "object") return objectType(schema);
  throw new Error(`${type} is not a type of JSON Schema`);
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
  const isShort = members.length === 1 && !members.join("").includes("/**");
  return isShort ? `{ ${members.join("").trim()} }` : `{\n${members.join("")}}`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

/** The parts of an OpenAPI 3.1 document that a client is generated from. */
export type ApiDocument = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: ApiOperation } };
  readonly components: { readonly schemas: { readonly [name: string]: ApiSchema } };
};

export type ApiOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly content: ApiContent };
  readonly responses: { readonly [status: string]: { readonly content?: ApiContent } };
};

export type ApiParameter = {
  readonly in: "path" | "query" | "header";
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: ApiSchema;
};

export type ApiContent = {
  readonly [contentType: string]: {
    readonly schema?: ApiSchema;
    readonly examples?: { readonly [name: string]: unknown };
  };
};

/** The keywords of JSON Schema that shape a type. */
export type ApiSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ApiSchema[];
  readonly oneOf?: readonly ApiSchema[];
  readonly allOf?: readonly ApiSchema[];
  readonly items?: ApiSchema;
  readonly prefixItems?: readonly ApiSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: ApiSchema };
  readonly required?: readonly string[];
  readonly propertyNames?: ApiSchema;
  readonly additionalProperties?: ApiSchema | boolean;
};

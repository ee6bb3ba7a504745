import { z } from "zod";

/** As much of a JSON schema as the field tables show. */
export const SchemaNode = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  const: z.string().optional(),
  default: z.union([z.string(), z.boolean()]).optional(),
  examples: z.array(z.union([z.string(), z.number()])).optional(),
  required: z.array(z.string()).optional(),
  get anyOf() {
    return z.array(SchemaNode).optional();
  },
  get items() {
    return SchemaNode.optional();
  },
  get properties() {
    return z.record(z.string(), SchemaNode).optional();
  },
});
export type SchemaNode = z.output<typeof SchemaNode>;

/** What a value may be. */
export type ValueType = {
  /** A JSON type, `date-time`, or the name of a schema. */
  readonly name: string;
  readonly isSchema: boolean;
  readonly isList: boolean;
};

/** Everything that a value may be: one type, and often null. */
export function typesOf(node: SchemaNode): readonly ValueType[] {
  if (node.anyOf !== undefined) return node.anyOf.flatMap(typesOf);
  if (node.$ref !== undefined) return [{ name: schemaName(node.$ref), isSchema: true, isList: false }];
  if (node.type === "array") return typesOf(node.items ?? {}).map((type) => ({ ...type, isList: true }));
  const names = typeof node.type === "object" ? node.type : [node.type ?? "object"];
  return names.map((name) => ({
    name: name === "string" && node.format === "date-time" ? node.format : name,
    isSchema: false,
    isList: false,
  }));
}

/** The schemas that a value holds directly, by name. */
export function schemasWithin(node: SchemaNode): readonly string[] {
  if (node.$ref !== undefined) return [schemaName(node.$ref)];
  const inner = [...(node.anyOf ?? []), ...Object.values(node.properties ?? {})];
  return [...inner, ...(node.items === undefined ? [] : [node.items])].flatMap(schemasWithin);
}

function schemaName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

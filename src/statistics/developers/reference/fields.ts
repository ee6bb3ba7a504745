import { type SchemaNode, typesOf, type ValueType } from "./schema-node.ts";

/** A member of a schema; those of unnamed objects within it are joined with dots, those of lists with `[].`. */
export type Field = {
  readonly path: string;
  readonly types: readonly ValueType[];
  /** The only values it may have, where they are few. */
  readonly values: readonly string[];
  readonly isRequired: boolean;
  /** Under which catalogues have its description. Fields of one path and one description share it. */
  readonly key: string;
  /** The schema's own description, in English. */
  readonly description: string | undefined;
};

export type Schema = { readonly name: string; readonly fields: readonly Field[] };

/** The fields of schemas, in the order in which the schemas and their members are given. */
export function describeSchemas(schemas: ReadonlyMap<string, SchemaNode>): readonly Schema[] {
  const keys = new Map<string, string>();
  return [...schemas].map(([name, node]) => ({
    name,
    fields: membersOf(node).map(({ path, member, isRequired }) => {
      const ownKey = `${name}.${path}`;
      const shared = member.description === undefined ? ownKey : `${path}\n${member.description}`;
      const key = keys.get(shared) ?? ownKey;
      keys.set(shared, key);
      const values = member.enum ?? member.items?.enum ?? (member.const === undefined ? [] : [member.const]);
      return { path, types: typesOf(member), values, isRequired, key, description: member.description };
    }),
  }));
}

type Member = { readonly path: string; readonly member: SchemaNode; readonly isRequired: boolean };

function membersOf(node: SchemaNode): readonly Member[] {
  return Object.entries(node.properties ?? {}).flatMap(([path, member]) => {
    const isRequired = (node.required ?? []).includes(path);
    const [inner, joint] = member.type === "array" ? [member.items ?? {}, "[]."] : [member, "."];
    const within = membersOf(inner).map((one) => ({ ...one, path: `${path}${joint}${one.path}` }));
    return [{ path, member, isRequired }, ...within];
  });
}

import { z } from "zod";
import { openApiDocument } from "../../http/docs/openapi.ts";
import { PROBLEMS, type ProblemCode } from "../../http/routing/problem.ts";
import type { Operation } from "../../http/routing/route.ts";

/** Everything that the page shows of the API, in English, as schemas and operations have it. */
export type ApiReference = ReturnType<typeof describeApi>;
export type Endpoint = ApiReference["endpoints"][number];
export type Schema = Endpoint["schemas"][number];
export type Parameter = Endpoint["parameters"][number];

/** Reads the reference from the OpenAPI document of the operations, so that nothing in it is written twice. */
export function describeApi(operations: readonly Operation[]) {
  const document = Document.parse(
    JSON.parse(JSON.stringify(openApiDocument({ ...NAMELESS, operations: [...operations] }))),
  );
  const nodes = new Map(Object.entries(document.components.schemas));
  const shown = new Set<string>();
  const keys = new Map<string, string>();
  const describe = (names: readonly string[]) =>
    reachable(names, nodes, shown).map((name) => describeSchema(name, nodes.get(name), keys));
  // Fields of one meaning have the key of the first: the envelopes come before the endpoints.
  const envelope = describe(["Meta"]);
  const [problem = nothingAt("Problem")] = describe(["Problem"]);
  const endpoints = operations.map(({ operationId, path: routePath, summary, description }) => {
    const path = routePath.replace(/:(\w+)/g, "{$1}");
    const { parameters, responses } = document.paths[path]?.get ?? nothingAt(path);
    const answer = nodes.get(typesOf(responses[200].content["application/json"].schema)[0]?.name ?? "");
    const data = answer?.properties?.data ?? nothingAt(path);
    return {
      ...{ operationId, path, summary, description, parameters: parameters.map(toParameter) },
      data: typesOf(data),
      /** The schemas of its answer that no earlier endpoint has, the outer ones first. */
      schemas: describe(schemasWithin(data)),
    };
  });
  return { endpoints, envelope, problem, headers: headersOf(operations), problems: problemsOf(operations) };
}

/** The parts of a JSON schema that the field tables show. */
const SchemaNode = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  const: z.string().optional(),
  default: z.union([z.string(), z.boolean(), z.number()]).optional(),
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
type SchemaNode = z.output<typeof SchemaNode>;

/** The page has headings of its own. */
const NAMELESS = { title: "", version: "", description: "", tags: [] } as const;

const ParameterNode = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: SchemaNode,
});

const Document = z.object({
  paths: z.record(
    z.string(),
    z.object({
      get: z.object({
        parameters: z.array(ParameterNode).default([]),
        responses: z.object({
          200: z.object({ content: z.object({ "application/json": z.object({ schema: SchemaNode }) }) }),
        }),
      }),
    }),
  ),
  components: z.object({ schemas: z.record(z.string(), SchemaNode) }),
});

/** The named schemas and all that they refer to, the outer ones first, without those that were shown before. */
function reachable(
  names: readonly string[],
  nodes: ReadonlyMap<string, SchemaNode>,
  shown: Set<string>,
): readonly string[] {
  const found: string[] = [];
  let level = names.filter((name) => !shown.has(name));
  while (level.length > 0) {
    for (const name of level) shown.add(name);
    found.push(...level);
    const inner = level.flatMap((name) => schemasWithin({ properties: nodes.get(name)?.properties ?? {} }));
    level = [...new Set(inner)].filter((name) => !shown.has(name));
  }
  return found;
}

function toParameter({ name, in: place, required, description, schema }: z.output<typeof ParameterNode>) {
  return {
    name,
    isInPath: place === "path",
    isRequired: required ?? false,
    types: typesOf(schema),
    values: schema.enum ?? [],
    defaultValue: schema.default === undefined ? undefined : String(schema.default),
    example: schema.examples?.map(String).at(0),
    description: description ?? schema.description ?? nothingAt(name),
  };
}

function headersOf(operations: readonly Operation[]) {
  const headers = new Map(
    operations.flatMap(({ responses }) => Object.entries(responses[200]?.headers ?? {})),
  );
  return [...headers].map(([name, meaning]) => ({ name, meaning }));
}

/** The problems of any request, which the descriptions of operations leave out. */
const EVERYWHERE = ["not_found", "method_not_allowed", "internal"] as const satisfies readonly ProblemCode[];

function problemsOf(operations: readonly Operation[]) {
  const codes = new Set<ProblemCode>([...operations.flatMap(({ errors }) => errors), ...EVERYWHERE]);
  return [...codes].map((code) => ({ code, ...PROBLEMS[code] })).toSorted((a, b) => a.status - b.status);
}

function nothingAt(what: string): never {
  throw new Error(`the description of the API has nothing for ${what}`);
}

/**
 * A schema with its members. The names of members of unnamed objects are joined with dots, of members of lists with `[].`.
 * @param keys the keys so far; the keys of this schema are added.
 */
function describeSchema(name: string, node: SchemaNode | undefined, keys: Map<string, string>) {
  const fields = membersOf(node ?? nothingAt(name)).map(({ path, member, isRequired }) => {
    const { description } = member;
    const ownKey = `${name}.${path}`;
    const shared = description === undefined ? ownKey : `${path}\n${description}`;
    /** Under which catalogues have the description. Fields of one path and one description share it. */
    const key = keys.get(shared) ?? ownKey;
    keys.set(shared, key);
    /** The only values that the field may have, where they are few. */
    const values = member.enum ?? member.items?.enum ?? (member.const === undefined ? [] : [member.const]);
    return { path, types: typesOf(member), values, isRequired, key, description };
  });
  return { name, fields };
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

export type ValueType = {
  /** A JSON type, `date-time`, or the name of a schema. */
  readonly name: string;
  readonly isSchema: boolean;
  readonly isList: boolean;
};

/** The types that a value may have: one, and often null. */
function typesOf(node: SchemaNode): readonly ValueType[] {
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

/** The names of the schemas that a value refers to directly. */
function schemasWithin(node: SchemaNode): readonly string[] {
  if (node.$ref !== undefined) return [schemaName(node.$ref)];
  const inner = [...(node.anyOf ?? []), ...Object.values(node.properties ?? {})];
  return [...inner, ...(node.items === undefined ? [] : [node.items])].flatMap(schemasWithin);
}

function schemaName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

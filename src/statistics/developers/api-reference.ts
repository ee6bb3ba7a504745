import { z } from "zod";
import { openApiDocument } from "../../http/docs/openapi.ts";
import type { Operation } from "../../http/docs/operation.ts";
import { PROBLEMS, type ProblemCode } from "../../http/problem.ts";

export type Parameter = {
  readonly name: string;
  readonly isInPath: boolean;
  readonly isRequired: boolean;
  readonly types: readonly ValueType[];
  readonly values: readonly string[];
  readonly defaultValue: string | undefined;
  readonly example: string | undefined;
  /** In English. */
  readonly description: string;
};

export type Endpoint = {
  readonly operationId: string;
  /** Such as `/v1/country/{code}`. */
  readonly path: string;
  /** In English, as the description. */
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** What the member `data` of its answer is. */
  readonly data: readonly ValueType[];
  /** The schemas that its answer holds and no earlier endpoint's does, the outer ones first. */
  readonly schemas: readonly Schema[];
};

export type ProblemReference = {
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly meaning: string;
};

/** All that the page tells of the API, in English, as schemas and operations have it. */
export type ApiReference = {
  readonly endpoints: readonly Endpoint[];
  /** The envelope of every answer with its schemas, and the envelope of every error. */
  readonly envelope: readonly Schema[];
  readonly problem: Schema;
  readonly headers: readonly { readonly name: string; readonly meaning: string }[];
  readonly problems: readonly ProblemReference[];
};

/** Reads the reference from the OpenAPI document of the operations, so that nothing in it is written twice. */
export function describeApi(operations: readonly Operation[]): ApiReference {
  const document = Document.parse(
    JSON.parse(JSON.stringify(openApiDocument({ ...NAMELESS, operations: [...operations] }))),
  );
  const nodes = new Map(Object.entries(document.components.schemas));
  const shown = new Set<string>();
  const reach = (names: readonly string[]) => reachable(names, nodes, shown);
  const common = reach(["Meta"]);
  const problemNames = reach(["Problem"]);
  const drafts = operations.map((operation) => {
    const path = operation.path.replace(/:(\w+)/g, "{$1}");
    const { parameters, responses } = document.paths[path]?.get ?? nothingAt(path);
    const answer = nodes.get(typesOf(responses[200].content["application/json"].schema)[0]?.name ?? "");
    const data = answer?.properties?.data ?? nothingAt(path);
    return { operation, path, parameters, data, names: reach(schemasWithin(data)) };
  });

  const order = [...common, ...problemNames, ...drafts.flatMap(({ names }) => names)];
  const described = new Map(
    describeSchemas(new Map(order.map((name) => [name, nodes.get(name) ?? nothingAt(name)]))).map(
      (schema) => [schema.name, schema],
    ),
  );
  const schemasOf = (names: readonly string[]) => names.map((name) => described.get(name) ?? nothingAt(name));
  return {
    endpoints: drafts.map(({ operation, path, parameters, data, names }) => ({
      operationId: operation.operationId,
      path,
      summary: operation.summary,
      description: operation.description,
      parameters: parameters.map(toParameter),
      data: typesOf(data),
      schemas: schemasOf(names),
    })),
    envelope: schemasOf(common),
    problem: described.get("Problem") ?? nothingAt("Problem"),
    headers: headersOf(operations),
    problems: problemsOf(operations),
  };
}

/** As much of a JSON schema as the field tables show. */
const SchemaNode = z.object({
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

/** Names and what they hold, each once and none that was shown before; the outer ones first. */
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

function toParameter({
  name,
  in: place,
  required,
  description,
  schema,
}: z.output<typeof ParameterNode>): Parameter {
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

function headersOf(operations: readonly Operation[]): ApiReference["headers"] {
  const headers = new Map(
    operations.flatMap(({ responses }) => Object.entries(responses[200]?.headers ?? {})),
  );
  return [...headers].map(([name, meaning]) => ({ name, meaning }));
}

/** What the descriptions of operations leave to those of the whole API: what any request may meet. */
const EVERYWHERE = ["not_found", "method_not_allowed", "internal"] as const satisfies readonly ProblemCode[];

function problemsOf(operations: readonly Operation[]): readonly ProblemReference[] {
  const codes = new Set<ProblemCode>([...operations.flatMap(({ errors }) => errors), ...EVERYWHERE]);
  return [...codes].map((code) => ({ code, ...PROBLEMS[code] })).toSorted((a, b) => a.status - b.status);
}

function nothingAt(what: string): never {
  throw new Error(`the description of the API has nothing for ${what}`);
}

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
function describeSchemas(schemas: ReadonlyMap<string, SchemaNode>): readonly Schema[] {
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

/** What a value may be. */
export type ValueType = {
  /** A JSON type, `date-time`, or the name of a schema. */
  readonly name: string;
  readonly isSchema: boolean;
  readonly isList: boolean;
};

/** Everything that a value may be: one type, and often null. */
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

/** The schemas that a value holds directly, by name. */
function schemasWithin(node: SchemaNode): readonly string[] {
  if (node.$ref !== undefined) return [schemaName(node.$ref)];
  const inner = [...(node.anyOf ?? []), ...Object.values(node.properties ?? {})];
  return [...inner, ...(node.items === undefined ? [] : [node.items])].flatMap(schemasWithin);
}

function schemaName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

import type { Transport } from "../../src/client/request.ts";
import type { RequestOptions } from "../../src/client/request.ts";
import { path } from "../../src/client/request.ts";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { engineApi } from "../../src/service/engine-api.ts";
import {
  operationMethod,
  optionType,
  type PlacedOperation,
  parametersIn,
  queryTypeName,
} from "./operation-method.ts";
import { type ApiDocument, type ApiSchema, docComment, schemaType } from "./schema-type.ts";

/** Generates the client of an API without its HTML pages, not yet formatted: each schema as a type, each operation as a function. */
export function clientSource(document: ApiDocument): string {
  const operations = operationsOf(document);
  const queries = operations.filter((operation) => parametersIn(operation, "query").length > 0);
  const headers = operations.flatMap((operation) => parametersIn(operation, "header"));
  const schemas = new Map(Object.entries(document.components.schemas));
  for (const operation of queries) schemas.set(queryTypeName(operation), querySchema(operation));
  const types = [...schemas].map(([name, schema]) => namedType(name, schema, schemas));
  const options = [...new Map(headers.map((header) => [header.name, optionType(header)])).values()];
  const methods = operations.map((operation) => operationMethod(operation, document.components)).join("\n");
  return `${HEAD}${[...types, ...options].join("\n")}
/** The kinds of problem that the operations answer with. */
export type ProblemCode = ${problemCodes(operations)};

/** Each operation of the engine as a function; \`/docs\` of the service has the details. Failures are thrown as ProblemError or UnreachableError. */
export function engineOperations({ open, json, text, nothing }: Transport) {
  return {
${methods}  };
}
`;
}

const HEAD = `// Generated from the engine's OpenAPI document by scripts/generate-client.ts. Do not edit.


`;

/** Outside /v1/ only the probes and the metrics are for programs; the rest are pages for people. */
function operationsOf({ paths }: ApiDocument): PlacedOperation[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
    )
    .filter(({ path, tags }) => path.startsWith("/v1/") || tags.includes("Operation"));
}

/** The query of an operation as a schema; its members may also be undefined. */
function querySchema(operation: PlacedOperation): ApiSchema {
  const query = parametersIn(operation, "query");
  return {
    type: "object",
    description: `The query of \`${operation.operationId}\`.`,
    properties: Object.fromEntries(
      query.map(({ name, description, required, schema }) => [
        name,
        { ...(required ? schema : { anyOf: [schema, UNDEFINED] }), ...(description && { description }) },
      ]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
}

const UNDEFINED: ApiSchema = { type: "undefined" };

/** Fewer shared members than this are a coincidence. */
const SHARED_MEMBERS_MIN = 5;

/** A named type. A query with a part of another one's members, or another object with all of them, is derived from that one. */
function namedType(name: string, schema: ApiSchema, all: ReadonlyMap<string, ApiSchema>): string {
  return `${docComment(schema.description)}export type ${name} = ${derivedType(name, schema, all)};\n`;
}

function derivedType(name: string, schema: ApiSchema, all: ReadonlyMap<string, ApiSchema>): string {
  const own = members(schema);
  const isQuery = name.endsWith("Query");
  for (const [otherName, other] of all) {
    const others = members(other);
    if (otherName === name || Math.min(own.size, others.size) < SHARED_MEMBERS_MIN) continue;
    const isShared = (member: string) => own.get(member) === others.get(member);
    if (!isQuery && own.size > others.size && [...others.keys()].every(isShared)) {
      const rest = Object.entries(schema.properties ?? {}).filter(([member]) => !others.has(member));
      return `${otherName} & ${schemaType({ ...schema, properties: Object.fromEntries(rest) })}`;
    }
    if (isQuery && others.size > own.size && [...own.keys()].every(isShared)) {
      const left = [...others.keys()].filter((member) => !own.has(member));
      return `Omit<${otherName}, ${left.map((member) => JSON.stringify(member)).join(" | ")}>`;
    }
  }
  return schemaType(schema);
}

/** Each member of an object as text that is the same for the same member. */
function members({ properties = {}, required = [] }: ApiSchema): ReadonlyMap<string, string> {
  const text = ([name, member]: [string, ApiSchema]) =>
    [name, JSON.stringify([required.includes(name), member])] as const;
  return new Map(Object.entries(properties).map(text));
}

/** The examples of an operation's problems are named by their codes. */
function problemCodes(operations: readonly PlacedOperation[]): string {
  const codes = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content }) =>
      Object.keys(content?.["application/problem+json"]?.examples ?? {}),
    ),
  );
  return [...new Set(codes)]
    .toSorted()
    .map((code) => JSON.stringify(code))
    .join(" | ");
}

/** The client's generated file in the repository. */
export const GENERATED_FILE = "src/client/generated/engine-api.ts";

/** The generated file as it should be now. */
export function generatedClient(): string {
  const document: ApiDocument = JSON.parse(JSON.stringify(engineApi()));
  return formatted(clientSource(document));
}

/** Formats a source like the rest of the repository, so that it passes the same check. */
function formatted(source: string): string {
  const biome = fileURLToPath(new URL("../../node_modules/@biomejs/biome/bin/biome", import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [biome, "check", "--write", `--stdin-file-path=${GENERATED_FILE}`],
    { input: source, encoding: "utf8", cwd: fileURLToPath(new URL("../..", import.meta.url)) },
  );
  if (status !== 0) throw new Error(`the generated source can't be formatted:\n${stderr}`);
  return stdout;
}

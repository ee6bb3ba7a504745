import type { ApiDocument, ApiSchema } from "./api-document.ts";
import { operationMethod, type PlacedOperation, parametersIn, queryTypeName } from "./operation-method.ts";
import { docComment, schemaType } from "./schema-type.ts";

/** The source text of the client's two generated files, not yet formatted. */
export type ClientSource = { readonly types: string; readonly operations: string };

/** What the client has of an API: all but its pages. Each operation becomes a function, each schema a type. */
export function clientSource(document: ApiDocument): ClientSource {
  const operations = operationsOf(document);
  const queries = operations.filter((operation) => parametersIn(operation, "query").length > 0);
  const types = [
    ...Object.entries(document.components.schemas).map(([name, schema]) => namedSchema(name, schema)),
    ...queries.map(queryType),
    `/** The kinds of problem that the operations answer with. */\nexport type ProblemCode = ${problemCodes(operations)};\n`,
  ];
  const methods = operations.map((operation) => operationMethod(operation, document.components)).join("\n");
  const names = [
    ...Object.keys(document.components.schemas),
    ...queries.map((operation) => queryTypeName(operation)),
  ];
  const imported = names.filter((name) => new RegExp(`\\b${name}\\b`).test(methods)).toSorted();
  return {
    types: `${HEAD}${types.join("\n")}`,
    operations: `${HEAD}import type { RequestOptions, Transport } from "../transport.ts";
import type { ${imported.join(", ")} } from "./engine-types.ts";

/** Each operation of the engine as a function; a failure is thrown as a ProblemError or an UnreachableError. */
export function engineOperations(transport: Transport) {
  return {
${methods}  };
}
`,
  };
}

const HEAD = `// Generated from the OpenAPI document of the engine by scripts/generate-client.ts. Not to be edited by hand.\n\n`;

/** Pages are for people: of what lies outside /v1/, only the probes and the metrics are for programs. */
function operationsOf({ paths }: ApiDocument): PlacedOperation[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
    )
    .filter(({ path, tags }) => path.startsWith("/v1/") || tags.includes("Operation"));
}

function namedSchema(name: string, schema: ApiSchema): string {
  return `${docComment(schema.description)}export type ${name} = ${schemaType(schema)};\n`;
}

function queryType(operation: PlacedOperation): string {
  const members = parametersIn(operation, "query").map(
    ({ name, description, required = false, schema }) =>
      `${docComment(description)}readonly ${JSON.stringify(name)}${required ? "" : "?"}: ${schemaType(schema)}${required ? "" : " | undefined"};\n`,
  );
  return `/** The query of \`${operation.operationId}\`. */\nexport type ${queryTypeName(operation)} = {\n${members.join("")}};\n`;
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

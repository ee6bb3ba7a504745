import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { engineApi } from "../../src/app/engine-api.ts";
import { operationMethod, type PlacedOperation, parametersIn, queryTypeName } from "./operation-method.ts";
import { type ApiDocument, type ApiSchema, docComment, schemaType } from "./schema-type.ts";

/** The source text of the client's two generated files, not yet formatted. */
export type ClientSource = { readonly types: string; readonly operations: string };

/** Generates the client of an API without its HTML pages. Each operation becomes a function, each schema a type. */
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

/** Each operation of the engine as a function. Failures are thrown as ProblemError or UnreachableError. */
export function engineOperations(transport: Transport) {
  return {
${methods}  };
}
`,
  };
}

const HEAD = `// Generated from the engine's OpenAPI document by scripts/generate-client.ts. Do not edit.\n\n`;

/** Outside /v1/ only the probes and the metrics are for programs; the rest are pages for people. */
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

/** The client's generated files by their paths in the repository, as they should be now. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const document: ApiDocument = JSON.parse(JSON.stringify(engineApi()));
  const { types, operations } = clientSource(document);
  return new Map([
    ["src/client/generated/engine-types.ts", formatted(types)],
    ["src/client/generated/engine-operations.ts", formatted(operations)],
  ]);
}

/** Formats a source like the rest of the repository, so that it passes the same check. */
function formatted(source: string): string {
  const biome = fileURLToPath(new URL("../../node_modules/@biomejs/biome/bin/biome", import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [biome, "check", "--write", "--stdin-file-path=src/client/generated/source.ts"],
    { input: source, encoding: "utf8", cwd: fileURLToPath(new URL("../..", import.meta.url)) },
  );
  if (status !== 0) throw new Error(`the generated source can't be formatted:\n${stderr}`);
  return stdout;
}

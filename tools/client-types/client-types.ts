import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { engineApi } from "../../src/service/engine-api.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The generated types of the client, in the repository. */
export const TYPES_FILE = "src/client/generated/engine-api.ts";

const Content = z.record(
  z.string(),
  z.looseObject({ examples: z.record(z.string(), z.unknown()).optional() }),
);
const Parameter = z.looseObject({ name: z.string(), in: z.enum(["path", "query", "header"]) });
const Body = z.looseObject({
  content: z.record(z.string(), z.looseObject({ schema: z.looseObject({ $ref: z.string().optional() }) })),
});
const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(Parameter).default([]),
  requestBody: Body.optional(),
  tags: z.array(z.string()),
  summary: z.string().optional(),
  description: z.string().optional(),
  responses: z.record(z.string(), z.looseObject({ content: Content.optional() })),
});
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

/**
 * The OpenAPI document of the engine as far as the client needs it: the operations for programs, without descriptions and with
 * only the answers that are not problems, and the codes of all problems as a schema.
 */
export function clientDocument(): z.infer<typeof Document> {
  const document = Document.parse(JSON.parse(JSON.stringify(engineApi()), withoutLimits));
  const codes = new Set<string>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (!path.startsWith("/v1/") && !operation.tags.includes("Operation")) delete operations[method];
      else operations[method] = withoutProblems(operation, codes);
    }
    if (Object.keys(operations).length === 0) delete document.paths[path];
  }
  document.components.schemas.ProblemCode = {
    type: "string",
    enum: [...codes].toSorted(),
    description: "The kinds of problem that the operations answer with.",
  };
  return document;
}

/** The length of a list becomes part of its type only if it is fixed. */
function withoutLimits(_name: string, value: unknown): unknown {
  const list = List.safeParse(value);
  if (!list.success || list.data.minItems === list.data.maxItems) return value;
  const { minItems: _, maxItems: __, ...rest } = list.data;
  return rest;
}

const List = z.looseObject({
  type: z.literal("array"),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});

/** The examples of problems are named by their codes, which are added to `codes`. */
function withoutProblems(operation: z.infer<typeof Operation>, codes: Set<string>) {
  const { summary: _, description: __, ...rest } = operation;
  const responses: typeof operation.responses = {};
  for (const [status, { headers: ___, ...response }] of Object.entries(operation.responses)) {
    const problem = response.content?.["application/problem+json"];
    for (const code of Object.keys(problem?.examples ?? {})) codes.add(code);
    if (problem === undefined) responses[status] = response;
  }
  return { ...rest, responses };
}

/** Generates the file. Installs openapi-typescript in this folder if it is missing. */
export function generateTypes(): string {
  const document = JSON.stringify(clientDocument());
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], import.meta.dirname);
  const types = run(process.execPath, ["generate.mjs"], import.meta.dirname, document);
  const biome = "node_modules/@biomejs/biome/bin/biome";
  const formatted = run(process.execPath, [biome, "format", `--stdin-file-path=${TYPES_FILE}`], ROOT, types);
  return `${typesHead(formatted)}${formatted}`;
}

/** The first lines of the generated file. They contain the hashes of the document and of the types that follow. */
export function typesHead(types: string): string {
  return `// Generated from the engine's OpenAPI document by npm run generate:client. Do not edit.
// Document: ${hashOf(JSON.stringify(clientDocument()))}
// Types: ${hashOf(types)}

`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function run(program: string, args: readonly string[], cwd: string, input = ""): string {
  const shell = process.platform === "win32";
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, input, encoding: "utf8", shell });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed:\n${stdout}${stderr}`);
  return stdout;
}

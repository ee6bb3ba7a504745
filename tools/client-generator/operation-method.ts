import type { ApiContent, ApiDocument, ApiOperation, ApiParameter } from "./schema-type.ts";
import { docComment, schemaType } from "./schema-type.ts";

/** An operation with its path and method. */
export type PlacedOperation = ApiOperation & { readonly path: string; readonly method: string };

/** The name of the type of an operation's query: `GetReportQuery`. */
export function queryTypeName({ operationId }: ApiOperation): string {
  return `${operationId.slice(0, 1).toUpperCase()}${operationId.slice(1)}Query`;
}

/** The parameters of an operation in one place: path, query or header. */
export function parametersIn({ parameters = [] }: ApiOperation, place: ApiParameter["in"]): ApiParameter[] {
  return parameters.filter((parameter) => parameter.in === place);
}

/**
 * An operation as a member of the object of functions, as source text. Its arguments are the path parameters, the body (for
 * a form with one file that file and its other fields), the query, and last the options, which include the headers.
 */
export function operationMethod(operation: PlacedOperation, { schemas }: ApiDocument["components"]): string {
  const { operationId, description, method, path } = operation;
  const headers = parametersIn(operation, "header");
  const [body, bodyMembers] = bodyOf(operation, schemas);
  const query = parametersIn(operation, "query");
  const answer = answerOf(operation);
  const parameters = [
    ...parametersIn(operation, "path").map(({ name }) => `${camelCase(name)}: string`),
    ...body,
    ...(query.length > 0
      ? [`query: ${queryTypeName(operation)}${query.some(({ required }) => required) ? "" : " = {}"}`]
      : []),
    `options: ${["RequestOptions", ...headers.map(({ name }) => optionTypeName(name))].join(" & ")} = {}`,
  ];
  const members = [
    ...bodyMembers,
    ...(query.length > 0 ? ["query"] : []),
    ...(headers.length > 0
      ? [`headers: { ${headers.map(({ name }) => `"${name}": options.${camelCase(name)}`).join(", ")} }`]
      : []),
    ...(answer.also.length > 0 ? [`also: [${answer.also.join(", ")}]`] : []),
    "options",
  ];
  const [sentence] = /^.*?\.(?=\s|$)/s.exec(description) ?? [description];
  const comment = docComment(wrapped(`\`${method.toUpperCase()} ${path}\`: ${sentence}`));
  return `${comment}${operationId}: (${parameters.join(", ")}): Promise<${answer.type}> => ${answer.call}("${method.toUpperCase()}", ${pathSource(path)}, { ${members.join(", ")} }),\n`;
}

/** Lines of the width that the formatter gives to code, which leaves comments as they are. */
function wrapped(text: string): string {
  return text
    .replaceAll("\n", " ")
    .replaceAll(/(.{1,110})(?:\s|$)/g, "$1\n")
    .trimEnd();
}

/** The option that sets a header, as a named type. */
export function optionType({ name, description }: ApiParameter): string {
  const member = camelCase(name);
  return `export type ${optionTypeName(name)} = {\n${docComment(description)}readonly ${member}?: string | undefined;\n};\n`;
}

function optionTypeName(header: string): string {
  const name = camelCase(header);
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Option`;
}

/** The parameters for the body, and the members of the request that carry it. */
function bodyOf(
  { requestBody, operationId }: ApiOperation,
  schemas: ApiDocument["components"]["schemas"],
): readonly [readonly string[], readonly string[]] {
  if (requestBody === undefined) return [[], []];
  const [[contentType, { schema = {} }] = none(operationId)] = Object.entries(requestBody.content);
  if (contentType === "application/json") return [[`body: ${schemaType(schema)}`], ["body"]];
  if (contentType !== "multipart/form-data") throw new Error(`${operationId}: no ${contentType} can be sent`);
  const form = schemaType(schema);
  const { properties = {}, required } = schemas[form] ?? schema;
  const [file, type] = Object.hasOwn(properties, "files") ? ["files", "readonly Blob[]"] : ["file", "Blob"];
  if (!Object.hasOwn(properties, file)) return [[`form: ${form}`], ["form"]];
  const fields = `fields: Omit<${form}, "${file}">`;
  const isOptional = required?.every((name) => name === file) ?? true;
  return [[`${file}: ${type}`, isOptional ? `${fields} = {}` : fields], [`form: { ...fields, ${file} }`]];
}

type Answer = { readonly type: string; readonly call: string; readonly also: readonly string[] };

/**
 * The result of an operation: JSON as its type, other text as a string, nothing as void, streams and the rest as Response.
 * A status beyond the 200s with JSON of its own, not a problem, is an answer as well.
 */
function answerOf({ responses, operationId }: ApiOperation): Answer {
  const answers = Object.entries(responses).filter(([status, { content }]) => isAnswer(status, content));
  const also = answers.map(([status]) => status).filter((status) => !status.startsWith("2"));
  const contents = answers.flatMap(([, { content = {} }]) => Object.entries(content).slice(0, 1));
  if (contents.length === 0) return { type: "void", call: "nothing", also };
  const [[contentType] = none(operationId)] = contents;
  if (contentType === "application/json") {
    const types = new Set(contents.map(([, { schema = {} }]) => schemaType(schema)));
    return { type: [...types].join(" | "), call: "json", also };
  }
  if (contentType.startsWith("text/") && contentType !== "text/event-stream")
    return { type: "string", call: "text", also };
  return { type: "Response", call: "open", also };
}

function isAnswer(status: string, content: ApiContent | undefined): boolean {
  return status.startsWith("2") || (content !== undefined && "application/json" in content);
}

function pathSource(path: string): string {
  if (!path.includes("{")) return JSON.stringify(path);
  return `path\`${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${${camelCase(name)}}`)}\``;
}

/** `check_id` and `Idempotency-Key` as a name in TypeScript: `checkId`, `idempotencyKey`. */
function camelCase(name: string): string {
  const [first = "", ...rest] = name.toLowerCase().split(/[-_]/);
  return first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

function none(operationId: string): never {
  throw new Error(`${operationId} has a body without a content type`);
}

// Prints the TypeScript types of the OpenAPI document on the standard input. openapi-typescript needs a compiler with a
// programming interface, which the project's own has not, so both are installed in this folder alone.

import { text } from "node:stream/consumers";
import openapiTypes, { astToString } from "openapi-typescript";
import ts from "typescript";

const blob = ts.factory.createTypeReferenceNode("Blob");

const types = await openapiTypes(JSON.parse(await text(process.stdin)), {
  immutable: true,
  arrayLength: true,
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  transform: ({ type, format }) => (type === "string" && format === "binary" ? blob : undefined),
});

/** The client names types by schema and by operation alone. */
const UNUSED = new Set(["paths", "webhooks", "$defs"]);
const KEPT = new Set(["query", "content"]);
const used = types.filter((type) => !UNUSED.has(type.name?.text));

/**
 * Leaves out the headers of answers, which have no types, and parameters that an operation does not have. Its query stays, because the
 * client makes a type of it for every operation, and so does the missing content of an answer.
 */
function withoutAbsent(node) {
  const { kind, members } = (ts.isPropertySignature(node) && node.type) || {};
  const isAbsent =
    (kind === ts.SyntaxKind.NeverKeyword && node.questionToken !== undefined && !KEPT.has(node.name.text)) ||
    (node.name?.text === "headers" && members?.length === 1 && ts.isIndexSignatureDeclaration(members[0]));
  return isAbsent ? undefined : ts.visitEachChild(node, withoutAbsent, undefined);
}

process.stdout.write(astToString(used.map(withoutAbsent)));

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
const used = types.filter((type) => !UNUSED.has(type.name?.text));

/** Leaves out parameters that an operation does not have, but for its query, of which the client makes a type for every operation. */
function withoutAbsent(node) {
  const isAbsent =
    ts.isPropertySignature(node) &&
    node.questionToken !== undefined &&
    node.type?.kind === ts.SyntaxKind.NeverKeyword &&
    node.name.text !== "query";
  return isAbsent ? undefined : ts.visitEachChild(node, withoutAbsent, undefined);
}

process.stdout.write(astToString(used.map(withoutAbsent)));

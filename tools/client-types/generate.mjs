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
process.stdout.write(astToString(types));

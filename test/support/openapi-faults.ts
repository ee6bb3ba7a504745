import { createConfig, lintFromString } from "@redocly/openapi-core";

const RULES = {
  struct: "error",
  "no-unresolved-refs": "error",
  "no-identical-paths": "error",
  "no-unused-components": "error",
  "no-invalid-media-type-examples": "error",
  "no-invalid-parameter-examples": "error",
  "no-invalid-schema-examples": "error",
  "operation-operationId-unique": "error",
  "path-parameters-defined": "error",
} as const;

/** What is wrong with an OpenAPI document: its form, its references, its parameters and its examples. */
export async function openApiFaults(document: unknown): Promise<string[]> {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    config: await createConfig({ rules: RULES }),
  });
  return [
    ...problems.map(({ message, location }) => `${location[0]?.pointer} ${message}`),
    ...closedReferences(document, "#"),
  ];
}

/** Schemas that refuse the properties of the schema that they refer to: `additionalProperties` looks only at `properties` beside it. */
function closedReferences(node: unknown, pointer: string): string[] {
  if (typeof node !== "object" || node === null) return [];
  const here = "$ref" in node && "additionalProperties" in node ? [`${pointer} refuses its reference`] : [];
  return [
    ...here,
    ...Object.entries(node).flatMap(([key, inner]) => closedReferences(inner, `${pointer}/${key}`)),
  ];
}

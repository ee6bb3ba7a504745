/** The parts of an OpenAPI 3.1 document that a client is generated from. */
export type ApiDocument = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: ApiOperation } };
  readonly components: { readonly schemas: { readonly [name: string]: ApiSchema } };
};

export type ApiOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly content: ApiContent };
  readonly responses: { readonly [status: string]: { readonly content?: ApiContent } };
};

export type ApiParameter = {
  readonly in: "path" | "query" | "header";
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: ApiSchema;
};

export type ApiContent = {
  readonly [contentType: string]: {
    readonly schema?: ApiSchema;
    readonly examples?: { readonly [name: string]: unknown };
  };
};

/** The keywords of JSON Schema that say something about a type. */
export type ApiSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ApiSchema[];
  readonly oneOf?: readonly ApiSchema[];
  readonly allOf?: readonly ApiSchema[];
  readonly items?: ApiSchema;
  readonly prefixItems?: readonly ApiSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: ApiSchema };
  readonly required?: readonly string[];
  readonly propertyNames?: ApiSchema;
  readonly additionalProperties?: ApiSchema | boolean;
};

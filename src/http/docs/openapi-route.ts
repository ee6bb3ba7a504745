import { createHash } from "node:crypto";
import { Router } from "@koa/router";
import type { OpenApiDocument } from "./openapi.ts";
import type { Operation } from "./operation.ts";

/** Serves the document at `/openapi.json`, with an ETag, as it changes with each release. */
export function openApiRouter(document: OpenApiDocument): Router {
  const json = JSON.stringify(document);
  const etag = `"${createHash("sha256").update(json).digest("base64url").slice(0, 22)}"`;
  const router = new Router();
  router.get(openApiOperation.path, (ctx) => {
    ctx.status = 200;
    ctx.set({ ETag: etag, "Cache-Control": "no-cache" });
    if (ctx.fresh) ctx.status = 304;
    else {
      ctx.type = "application/json";
      ctx.body = json;
    }
  });
  return router;
}

export const openApiOperation = {
  method: "get",
  path: "/openapi.json",
  operationId: "getOpenApiDocument",
  summary: "This description",
  description:
    "The OpenAPI 3.1 document of the running instance, for generators of clients and for /docs and /redoc.",
  tags: ["Documentation"],
  responses: {
    200: {
      description: "The document.",
      contentType: "application/json",
      examples: { start: { summary: "Its first member", value: { openapi: "3.1.0" } } },
    },
  },
  errors: [],
} as const satisfies Operation;

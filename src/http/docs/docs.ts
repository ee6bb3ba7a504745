import { createHash } from "node:crypto";
import { Router } from "@koa/router";
import type { Context } from "koa";
import { koaSwagger } from "koa2-swagger-ui";
import { assetUrl } from "./docs-assets.ts";
import { openApiOperation } from "./openapi-route.ts";
import type { Operation } from "./operation.ts";

/**
 * `/docs` (Swagger UI, in which requests can be tried) and `/redoc` (Redoc, for reading), both over `/openapi.json`
 * and from this instance's own files: neither asks another host for anything. `docsAssetsRouter` serves those files.
 */
export function docsRouter(title: string): Router {
  const router = new Router();
  const swagger = koaSwagger({
    title,
    routePrefix: false,
    swaggerCdnUrl: "/docs",
    swaggerVersion: "swagger-ui",
    hideTopbar: true,
    favicon: assetUrl("favicon"),
    swaggerOptions: {
      dom_id: "#swagger-ui",
      url: openApiOperation.path,
      layout: "BaseLayout",
      validatorUrl: null,
    },
  });
  const urls = {
    style: assetUrl("swaggerStyle"),
    script: assetUrl("swaggerScript"),
    preset: assetUrl("swaggerPreset"),
  };
  router.get(docsOperation.path, async (ctx) => {
    await swagger(ctx, async () => {});
    sendPage(ctx, ownPage(String(ctx.body), urls));
  });
  const redoc = redocPage(title);
  router.get(redocOperation.path, (ctx) => sendPage(ctx, redoc));
  return router;
}

/** The package's page asks a font host for its fonts; without them it uses those of the reader's system. */
function ownPage(page: string, urls: PageUrls): string {
  return page
    .replace(/\s*<link [^>]*href="https?:[^>]*>/g, "")
    .replace(`${PLACEHOLDER}/swagger-ui.min.css`, urls.style)
    .replace(`${PLACEHOLDER}/swagger-ui-bundle.js`, urls.script)
    .replace(`${PLACEHOLDER}/swagger-ui-standalone-preset.js`, urls.preset);
}

type PageUrls = { readonly style: string; readonly script: string; readonly preset: string };

/** What the package puts before the names of its files: `{url}/{version}`. */
const PLACEHOLDER = "/docs/swagger-ui";

/** The worker with which Redoc searches is made from a blob, and both tools write their styles into the page. */
function sendPage(ctx: Context, page: string): void {
  const inline = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  ctx.set({
    "Content-Security-Policy": [
      "default-src 'none'",
      ["script-src 'self'", ...inline].join(" "),
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self' data:",
      "connect-src 'self'",
      "worker-src blob:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "Cache-Control": "no-cache",
  });
  ctx.status = 200;
  ctx.type = "html";
  ctx.body = page;
}

function redocPage(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="${assetUrl("favicon")}">
<style>body { margin: 0 }</style>
</head>
<body>
<redoc spec-url="${openApiOperation.path}"></redoc>
<script src="${assetUrl("redocScript")}"></script>
</body>
</html>
`;
}

const docsOperation = {
  method: "get",
  path: "/docs",
  operationId: "getDocs",
  summary: "Documentation to try out",
  description:
    "Swagger UI over this description. Requests can be sent from the page. Works without the internet.",
  tags: ["Documentation"],
  responses: {
    200: {
      description: "The page.",
      contentType: "text/html",
      examples: { page: { summary: "A page", value: "<!DOCTYPE html>…" } },
    },
  },
  errors: [],
} as const satisfies Operation;

const redocOperation = {
  method: "get",
  path: "/redoc",
  operationId: "getRedoc",
  summary: "Documentation to read",
  description: "Redoc over this description, in three columns. Works without the internet.",
  tags: ["Documentation"],
  responses: {
    200: {
      description: "The page.",
      contentType: "text/html",
      examples: { page: { summary: "A page", value: "<!doctype html>…" } },
    },
  },
  errors: [],
} as const satisfies Operation;

export const docsOperations: readonly Operation[] = [docsOperation, redocOperation];

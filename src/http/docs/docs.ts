import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { Router } from "@koa/router";
import type { Context } from "koa";
import { koaSwagger } from "koa2-swagger-ui";
import { z } from "zod";
import { toProblem, writeProblem } from "../problem.ts";
import type { OpenApiDocument } from "./openapi.ts";
import type { Operation } from "./operation.ts";

/**
 * Serves an OpenAPI document at `/openapi.json`, and two pages over it: `/docs` (Swagger UI, which can send requests) and
 * `/redoc` (Redoc, for reading). The pages load only files of this instance, from `ASSETS_PATH`.
 */
export function docsRouter(document: OpenApiDocument): Router {
  const { title } = document.info;
  const json = JSON.stringify(document);
  const etag = `"${createHash("sha256").update(json).digest("base64url").slice(0, 22)}"`;
  const assets = readAssets();
  const swagger = koaSwagger({
    title,
    routePrefix: false,
    swaggerCdnUrl: "/docs",
    swaggerVersion: "swagger-ui",
    hideTopbar: true,
    favicon: assets.favicon.url,
    swaggerOptions: {
      dom_id: "#swagger-ui",
      url: openApiOperation.path,
      layout: "BaseLayout",
      validatorUrl: null,
    },
  });
  const redoc = redocPage(title, assets);
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
  router.get(docsOperation.path, async (ctx) => {
    await swagger(ctx, async () => {});
    sendPage(ctx, withOwnFiles(String(ctx.body), assets));
  });
  router.get(redocOperation.path, (ctx) => sendPage(ctx, redoc));
  router.get(ASSETS_PATH, (ctx) => {
    const path = `/docs/assets/${ctx.params.file}`;
    const asset = Object.values(assets).find(({ url }) => url === path);
    if (asset === undefined) return writeProblem(ctx, toProblem("not_found", "There is no such file."));
    sendAsset(ctx, asset);
  });
  return router;
}

export const openApiOperation = {
  method: "get",
  path: "/openapi.json",
  operationId: "getOpenApiDocument",
  summary: "This description",
  description:
    "The OpenAPI 3.1 document of the running instance, for client generators and for /docs and /redoc.",
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

const docsOperation = {
  method: "get",
  path: "/docs",
  operationId: "getDocs",
  summary: "Interactive documentation",
  description: "Swagger UI for this API, which can send requests. It works without the internet.",
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
  summary: "Reference documentation",
  description: "Redoc for this API, in three columns. It works without the internet.",
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

export const docsOperations: readonly Operation[] = [openApiOperation, docsOperation, redocOperation];

/** The files of the pages. Their names change with the version of their package, so that browsers may cache them for ever. */
export const ASSETS_PATH = "/docs/assets/:file";

const ASSETS = {
  swaggerScript: { from: "swagger-ui-dist", member: "swagger-ui-bundle.js", type: "text/javascript" },
  swaggerPreset: {
    from: "swagger-ui-dist",
    member: "swagger-ui-standalone-preset.js",
    type: "text/javascript",
  },
  swaggerStyle: { from: "swagger-ui-dist", member: "swagger-ui.css", type: "text/css" },
  favicon: { from: "swagger-ui-dist", member: "favicon-32x32.png", type: "image/png" },
  redocScript: { from: "redoc", member: "bundles/redoc.standalone.js", type: "text/javascript" },
} as const;

/** Redoc shows a picture from its maker's host beside its own link. The pages load nothing from other hosts, so it is empty here. */
const FOREIGN_PICTURE = "https://cdn.redoc.ly/redoc/logo-mini.svg";
const EMPTY_PICTURE = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";

type Asset = {
  /** Such as `/docs/assets/x1Yz…-redoc.standalone.js`. The hash keeps the package's version secret. */
  readonly url: string;
  readonly path: string;
  readonly type: string;
  /** Replaces the content of the file. */
  readonly content?: string;
};

type Assets = Readonly<Record<keyof typeof ASSETS, Asset>>;

function readAssets(): Assets {
  const { swaggerScript, swaggerPreset, swaggerStyle, favicon, redocScript } = ASSETS;
  const redoc = readAsset(redocScript, ` ${EMPTY_PICTURE}`);
  return {
    swaggerScript: readAsset(swaggerScript),
    swaggerPreset: readAsset(swaggerPreset),
    swaggerStyle: readAsset(swaggerStyle),
    favicon: readAsset(favicon),
    redocScript: {
      ...redoc,
      content: readFileSync(redoc.path, "utf8").replaceAll(FOREIGN_PICTURE, EMPTY_PICTURE),
    },
  };
}

/** @param change a mark of the change that the service makes to the file, which is part of the hash. */
function readAsset({ from, member, type }: (typeof ASSETS)[keyof typeof ASSETS], change = " "): Asset {
  const manifest = createRequire(import.meta.url).resolve(`${from}/package.json`);
  const { version } = Manifest.parse(JSON.parse(readFileSync(manifest, "utf8")));
  const hash = createHash("sha256").update(`${from} ${version}${change}`).digest("base64url").slice(0, 12);
  return {
    url: `/docs/assets/${hash}-${posix.basename(member)}`,
    path: join(dirname(manifest), member),
    type,
  };
}

const Manifest = z.object({ version: z.string() });

/** The page of the package loads fonts from a font host. Without them, it uses the fonts of the reader's system. */
function withOwnFiles(page: string, { swaggerStyle, swaggerScript, swaggerPreset }: Assets): string {
  return page
    .replace(/\s*<link [^>]*href="https?:[^>]*>/g, "")
    .replace(`${PLACEHOLDER}/swagger-ui.min.css`, swaggerStyle.url)
    .replace(`${PLACEHOLDER}/swagger-ui-bundle.js`, swaggerScript.url)
    .replace(`${PLACEHOLDER}/swagger-ui-standalone-preset.js`, swaggerPreset.url);
}

/** The prefix of the file names in the package's page: `{swaggerCdnUrl}/{swaggerVersion}`. */
const PLACEHOLDER = "/docs/swagger-ui";

function redocPage(title: string, { favicon, redocScript }: Assets): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="${favicon.url}">
<style>body { margin: 0 }</style>
</head>
<body>
<redoc spec-url="${openApiOperation.path}"></redoc>
<script src="${redocScript.url}"></script>
</body>
</html>
`;
}

/** Redoc creates its search worker from a blob, and both tools write styles into the page. */
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

function sendAsset(ctx: Context, { url, path, type, content }: Asset): void {
  ctx.status = 200;
  ctx.set({ ETag: `"${posix.basename(url)}"`, "Cache-Control": "public, max-age=31536000, immutable" });
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  if (content === undefined) ctx.length = statSync(path).size;
  ctx.body = content ?? createReadStream(path);
}

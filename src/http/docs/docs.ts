import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Router } from "@koa/router";
import type { Context } from "koa";
import { koaSwagger } from "koa2-swagger-ui";
import { z } from "zod";
import { toProblem, writeProblem } from "../problem.ts";
import { openApiOperation } from "./openapi.ts";
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

/**
 * The files of the documentation pages, each under a name that changes with its package's version, so that a browser may
 * keep it for good. The version itself is nobody's business.
 */
export const ASSETS_PATH = "/docs/assets/:file";

/** The address of a file of a documentation page, such as `/docs/assets/x1Yz…-redoc.standalone.js`. */
export function assetUrl(name: AssetName): string {
  return `/docs/assets/${asset(name).file}`;
}

/** Serves the files that the pages name and no others; each from its package as it was installed, but for pictures from other hosts. */
export function docsAssetsRouter(): Router {
  const assets = new Map(ASSET_NAMES.map(asset).map((one) => [one.file, one]));
  const router = new Router();
  router.get(ASSETS_PATH, (ctx) => {
    const found = assets.get(String(ctx.params.file));
    if (found === undefined) return writeProblem(ctx, toProblem("not_found", "There is no such file."));
    ctx.status = 200;
    ctx.set({ ETag: `"${found.file}"`, "Cache-Control": "public, max-age=31536000, immutable" });
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = found.type;
    if (found.changed !== undefined) {
      ctx.body = found.changed;
      return;
    }
    ctx.length = statSync(found.path).size;
    ctx.body = createReadStream(found.path);
  });
  return router;
}

export type AssetName = keyof typeof ASSETS;

type Asset = {
  readonly file: string;
  readonly path: string;
  readonly type: string;
  /** What is sent in place of the file's own content. */
  readonly changed: string | undefined;
};

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

/** A picture beside Redoc's own link, from its maker's host: the page asks no other host, so an empty one takes its place. */
const FOREIGN_PICTURE = "https://cdn.redoc.ly/redoc/logo-mini.svg";
const EMPTY_PICTURE = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";

const ASSET_NAMES = [
  "swaggerScript",
  "swaggerPreset",
  "swaggerStyle",
  "favicon",
  "redocScript",
] as const satisfies readonly AssetName[];

function asset(name: AssetName): Asset {
  const { from, member, type } = ASSETS[name];
  const manifest = createRequire(import.meta.url).resolve(`${from}/package.json`);
  const { version } = Manifest.parse(JSON.parse(readFileSync(manifest, "utf8")));
  const baseName = member.slice(member.lastIndexOf("/") + 1);
  const path = join(dirname(manifest), member);
  const changed = name === "redocScript" ? withoutForeignPicture(path) : undefined;
  const mark = createHash("sha256")
    .update(`${from} ${version} ${changed === undefined ? "" : EMPTY_PICTURE}`)
    .digest("base64url")
    .slice(0, 12);
  return { file: `${mark}-${baseName}`, path, type, changed };
}

function withoutForeignPicture(path: string): string {
  return readFileSync(path, "utf8").replaceAll(FOREIGN_PICTURE, EMPTY_PICTURE);
}

const Manifest = z.object({ version: z.string() });

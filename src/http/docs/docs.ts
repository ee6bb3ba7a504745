import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { posix } from "node:path";
import type { Router } from "@koa/router";
import type { Context } from "koa";
import { koaSwagger } from "koa2-swagger-ui";
import { writeProblem } from "../routing/problem.ts";
import { type Operation, type Route, routerOf, routesFor } from "../routing/route.ts";
import { FOLLOW_SCHEME, type HomePage, REDOC_START, withFrame } from "./docs-frame.ts";
import type { OpenApiDocument } from "./openapi.ts";

const OPENAPI_PATH = "/openapi.json";
const DOCS_PATH = "/docs";
const REDOC_PATH = "/redoc";

type DocsParts = {
  readonly json: string;
  readonly etag: string;
  /** Undefined if the pages were not built. */
  readonly pages: DocsPages | undefined;
};

type DocsPages = { readonly swagger: (ctx: Context) => Promise<string>; readonly redoc: string };

const route = routesFor<DocsParts>();

export const docsRoutes: readonly Route<DocsParts>[] = [
  route(
    {
      method: "get",
      path: OPENAPI_PATH,
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
    },
    ({ ctx }, { json, etag }) => {
      ctx.status = 200;
      ctx.set({ ETag: etag, "Cache-Control": "no-cache" });
      if (ctx.fresh) ctx.status = 304;
      else {
        ctx.type = "application/json";
        ctx.body = json;
      }
    },
  ),
  pageRoute(
    {
      path: DOCS_PATH,
      operationId: "getDocs",
      summary: "Interactive documentation",
      description: "Swagger UI for this API, which can send requests. It works without the internet.",
    },
    (ctx, { swagger }) => swagger(ctx),
  ),
  pageRoute(
    {
      path: REDOC_PATH,
      operationId: "getRedoc",
      summary: "Reference documentation",
      description: "Redoc for this API, in three columns. It works without the internet.",
    },
    (_, { redoc }) => redoc,
  ),
];

function pageRoute(
  page: Pick<Operation, "path" | "operationId" | "summary" | "description">,
  markup: (ctx: Context, pages: DocsPages) => string | Promise<string>,
): Route<DocsParts> {
  const operation = {
    method: "get",
    ...page,
    tags: ["Documentation"],
    responses: {
      200: {
        description: "The page.",
        contentType: "text/html",
        examples: { page: { summary: "A page", value: "<!doctype html>…" } },
      },
    },
    errors: ["pages_not_built"],
  } as const satisfies Operation;
  return route(operation, async ({ ctx }, { pages }) => {
    if (pages === undefined) return writeProblem(ctx, "pages_not_built", NOT_BUILT);
    sendPage(ctx, await markup(ctx, pages));
  });
}

/**
 * Serves an OpenAPI document at `/openapi.json`, and two pages over it: `/docs` (Swagger UI, which can send requests) and
 * `/redoc` (Redoc, for reading). The pages load only files of this instance, from `ASSETS_PATH`; without a build, they
 * answer 503 with the command that builds them.
 * @param home the page that both lead back to
 */
export function docsRouter(document: OpenApiDocument, home: HomePage, built: URL = BUILT_FOLDER): Router {
  const { title } = document.info;
  const json = JSON.stringify(document);
  const etag = `"${createHash("sha256").update(json).digest("base64url").slice(0, 22)}"`;
  const files = existsSync(built) ? readdirSync(built) : [];
  const pages = files.length === 0 ? undefined : docsPages(title, home, files);
  const router = routerOf(docsRoutes, { json, etag, pages });
  if (pages === undefined) return router;
  router.get(ASSETS_PATH, (ctx) => {
    const file = files.find((name) => name === ctx.params.file);
    if (file === undefined) return writeProblem(ctx, "not_found", "There is no such file.");
    sendAsset(ctx, new URL(file, built));
  });
  return router;
}

function docsPages(title: string, home: HomePage, files: readonly string[]): DocsPages {
  const swagger = koaSwagger({
    title,
    routePrefix: false,
    swaggerCdnUrl: "/docs",
    swaggerVersion: "swagger-ui",
    hideTopbar: true,
    favicon: urlOf("favicon-32x32.png", files),
    swaggerOptions: {
      dom_id: "#swagger-ui",
      url: OPENAPI_PATH,
      layout: "BaseLayout",
      validatorUrl: null,
    },
  });
  return {
    async swagger(ctx) {
      await swagger(ctx, async () => {});
      return withFrame(withOwnFiles(String(ctx.body), files), home, DOCS_PATH, FOLLOW_SCHEME);
    },
    redoc: withFrame(redocPage(title, files), home, REDOC_PATH),
  };
}

const NOT_BUILT = "The pages of this instance are not built. Run: npm run build:pages";

/** Where `npm run build:pages` puts the files of Swagger UI and Redoc, relative to `src/http/docs` and `dist/http/docs`. */
const BUILT_FOLDER = new URL("../../../dist/pages/docs/", import.meta.url);

/** The files of the pages. Their names begin with a hash of their content, so that browsers may cache them for ever. */
export const ASSETS_PATH = "/docs/assets/:file";

function urlOf(member: string, files: readonly string[]): string {
  const file = files.find((name) => name.endsWith(`-${member}`));
  if (file === undefined) throw new Error(`the built pages lack ${member}: run npm run build:pages`);
  return ASSETS_PATH.replace(":file", file);
}

/** The page of the package loads fonts from a font host. Without them, it uses the fonts of the reader's system. */
function withOwnFiles(page: string, files: readonly string[]): string {
  return page
    .replace(/\s*<link [^>]*href="https?:[^>]*>/g, "")
    .replaceAll(/\/docs\/swagger-ui\/([\w-]+)(?:\.min)?(\.css|\.js)/g, (_, name, end) =>
      urlOf(`${name}${end}`, files),
    );
}

function redocPage(title: string, files: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="${urlOf("favicon-32x32.png", files)}">
</head>
<body>
<main id="redoc"></main>
<script src="${urlOf("redoc.standalone.js", files)}"></script>
<script>${REDOC_START}</script>
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

function sendAsset(ctx: Context, file: URL): void {
  const name = posix.basename(file.pathname);
  ctx.status = 200;
  ctx.set({ ETag: `"${name}"`, "Cache-Control": "public, max-age=31536000, immutable" });
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = posix.extname(name);
  ctx.length = statSync(file).size;
  ctx.body = createReadStream(file);
}

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Router } from "@koa/router";
import { toProblem, writeProblem } from "../../http/problem.ts";

/** Where the files of the page are: below a version that changes with any of them, so that a browser may keep each for good. */
export const STATIC_PATH = "/developers/static/:version/:file";

/** The address of a file of the page, such as `/developers/static/x1Yz…/base.css`. Modules name each other without it. */
export function staticUrl(file: StaticFile): string {
  return `/developers/static/${VERSION}/${file}`;
}

/** Serves the files that the page names and no others. */
export function staticRouter(): Router {
  const router = new Router();
  router.get(STATIC_PATH, (ctx) => {
    const found = FILES.get(String(ctx.params.file));
    if (found === undefined || ctx.params.version !== VERSION) {
      return writeProblem(ctx, toProblem("not_found", "There is no such file."));
    }
    ctx.status = 200;
    ctx.set({ ETag: `"${VERSION}"`, "Cache-Control": "public, max-age=31536000, immutable" });
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = found.type;
    ctx.body = found.bytes;
  });
  return router;
}

const NAMES = [
  "icon.svg",
  "base.css",
  "layout.css",
  "text.css",
  "code.css",
  "charts.css",
  "page.js",
  "api.js",
  "axis.js",
  "citation.js",
  "elements.js",
  "loaded-sources.js",
  "messages.js",
  "news-chart.js",
  "rates-chart.js",
  "samples.js",
  "try-it.js",
] as const;

type StaticFile = (typeof NAMES)[number];

/** In the order in which they build on each other. */
export const STYLES = [
  "base.css",
  "layout.css",
  "text.css",
  "code.css",
  "charts.css",
] as const satisfies readonly StaticFile[];

const TYPES = { css: "text/css", js: "text/javascript", svg: "image/svg+xml" } as const;

/** What a browser runs is not compiled, so the built program reads it beside the sources too. */
const FOLDER = new URL("../../../src/statistics/developers/static/", import.meta.url);

const FILES: ReadonlyMap<string, { readonly bytes: Buffer; readonly type: string }> = new Map(
  NAMES.map((name) => [name, { bytes: readFileSync(fileOf(name)), type: typeOf(name) }]),
);

const VERSION = versionOf([...FILES.values()].map(({ bytes }) => bytes));

/** Styles have a folder of their own on disk, but all files share one address. */
function fileOf(name: StaticFile): URL {
  return new URL(name.endsWith(".css") ? `styles/${name}` : name, FOLDER);
}

function versionOf(contents: readonly Buffer[]): string {
  const hash = createHash("sha256");
  for (const content of contents) hash.update(content);
  return hash.digest("base64url").slice(0, 16);
}

function typeOf(name: StaticFile): string {
  if (name.endsWith(".css")) return TYPES.css;
  return name.endsWith(".js") ? TYPES.js : TYPES.svg;
}

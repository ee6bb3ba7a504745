import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Router } from "@koa/router";
import { writeProblem } from "../../http/routing/problem.ts";

/** The files of the page. The path has a version that changes with any of them, so that a browser may keep each forever. */
export const STATIC_PATH = "/static/:version/:file";

/** The address of a file of the page, such as `/static/x1Yz…/base.css`. Modules name each other without it. */
export function staticUrl(file: string): string {
  if (!FILES.has(file)) throw new Error(`the page has no file ${file}`);
  return `/static/${VERSION}/${file}`;
}

/** Serves the files of the page and no others. */
export function staticRouter(): Router {
  const router = new Router();
  router.get(STATIC_PATH, (ctx) => {
    const file = String(ctx.params.file);
    const content = FILES.get(file);
    if (content === undefined || ctx.params.version !== VERSION) {
      return writeProblem(ctx, "not_found", "There is no such file.");
    }
    ctx.status = 200;
    ctx.set({ ETag: `"${VERSION}"`, "Cache-Control": "public, max-age=31536000, immutable" });
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = extname(file);
    ctx.body = content;
  });
  return router;
}

/** In the order in which they build on each other. */
export const STYLES = ["base.css", "layout.css", "text.css", "code.css", "charts.css"] as const;

/** Browser files are not compiled, so the built program also reads them from the sources. */
const FOLDER = fileURLToPath(new URL("./static/", import.meta.url));

/** By name: styles have a folder of their own on disk, but all files share one address. */
const FILES: ReadonlyMap<string, Buffer> = new Map(
  readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name))] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1)),
);

const VERSION = createHash("sha256")
  .update(Buffer.concat([...FILES.values()]))
  .digest("base64url")
  .slice(0, 16);

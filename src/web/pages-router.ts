import { Router } from "@koa/router";
import type { Context } from "koa";
import { toProblem, writeProblem } from "../http/problem.ts";
import { type BuiltPages, ENCODINGS, FILES_PATH, readBuiltPages } from "./built-files.ts";
import { pageShell, shellTag } from "./page-shell.ts";
import { PAGES } from "./pages.ts";

/** What a page may do: run and look like this instance's own files, and ask this instance. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The pages that people look at, and their files. Without a build each answers 503 and says how to make one. */
export function pagesRouter(built: BuiltPages | undefined = readBuiltPages()): Router {
  const router = new Router();
  for (const page of PAGES) {
    const shell = built === undefined ? undefined : pageShell(page, built.filesOf(page.entry));
    router.get(page.path, (ctx) => (shell === undefined ? answerUnbuilt(ctx) : sendShell(ctx, shell)));
  }
  router.get(`${FILES_PATH}:file`, (ctx) => {
    const file = built?.file(String(ctx.params.file));
    if (file === undefined) return writeProblem(ctx, toProblem("not_found", "There is no such file."));
    ctx.status = 200;
    ctx.set({ "Cache-Control": "public, max-age=31536000, immutable", Vary: "Accept-Encoding" });
    ctx.type = file.type;
    const encoding = ENCODINGS.find((one) => one === ctx.acceptsEncodings(...ENCODINGS)) ?? "identity";
    if (encoding !== "identity") ctx.set("Content-Encoding", encoding);
    ctx.body = file.encodings[encoding];
  });
  return router;
}

function sendShell(ctx: Context, shell: string): void {
  ctx.status = 200;
  ctx.set({
    "Content-Security-Policy": PAGE_POLICY,
    "Cache-Control": "no-cache",
    ETag: shellTag(shell),
  });
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = "html";
  ctx.body = shell;
}

function answerUnbuilt(ctx: Context): void {
  writeProblem(
    ctx,
    toProblem("pages_not_built", "The pages of this instance are not built. Run: npm run build:pages"),
  );
}

import { Readable } from "node:stream";
import { Router } from "@koa/router";
import type { Context } from "koa";
import { clientGone } from "../../http/client-gone.ts";
import { type Content, type Html, html } from "../../http/html.ts";
import { PROBLEMS } from "../../http/routing/problem.ts";
import { DomainError } from "../../platform/domain-error.ts";
import { CoreApiError, FAULTS } from "../core-api-error.ts";
import type { Eula } from "../eula.ts";
import type { ViewChange, Viewer } from "../viewer.ts";
import { type OpenedLink, SESSION_SECONDS } from "../viewer-links.ts";

type PagesParts = {
  readonly viewer: Viewer;
  readonly eula: Eula;
  readonly publicUrl: string;
  /** The Content-Security-Policy of reports. */
  readonly reportPolicy: string;
};

const SESSION_COOKIE = "report_session";

/** 300 sources with their identifiers. */
const FORM_BYTES_MAX = 64 * 1024;

const CLOSED = "The link has expired or was already opened. Open the report again where you found it.";

/** The pages for people: the start page, the terms of use, and reports by links. */
export function coreApiPages({ viewer, eula, publicUrl, reportPolicy }: PagesParts): Router {
  const router = new Router();
  const { pathname, protocol } = new URL(publicUrl);

  router.get("/", (ctx) => sendPage(ctx, "Core API", START));
  for (const path of ["/eula/:locale/:page", "/api/v1/eula/:version/view"])
    router.get(path, (ctx) => {
      const { page, version = page?.replace(/\.html$/, "") } = ctx.params;
      if (version !== eula.version && version !== "latest") return sendPage(ctx, "Not found", NOT_FOUND, 404);
      const paragraphs = eula.text.split(/\n\s*\n/).map((text) => html`<p>${text}</p>`);
      sendPage(ctx, "Terms of use", html`<h1>Terms of use</h1>${paragraphs}`);
    });

  // People read these answers.
  router.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof CoreApiError || error instanceof DomainError)) throw error;
      const status = error instanceof CoreApiError ? FAULTS[error.fault] : PROBLEMS[error.code].status;
      sendPage(ctx, "Report", html`<h1>Report</h1><p>${error.message}</p>`, status);
    }
  });

  router.get("/viewer/:link", async (ctx) => {
    const { link = "" } = ctx.params;
    // A program that only looks must not use up the link.
    if (ctx.method === "HEAD" || ctx.get("Sec-Purpose").startsWith("prefetch")) {
      ctx.status = 204;
      return;
    }
    const opened = await viewer.open(link, ctx.cookies.get(SESSION_COOKIE));
    if (opened === undefined) throw new CoreApiError("access_denied", CLOSED);
    if (opened.session !== undefined)
      ctx.append(
        "Set-Cookie",
        `${SESSION_COOKIE}=${opened.session}; Path=${pathname.replace(/\/$/, "")}/viewer/${link}; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${
          protocol === "https:" ? "; Secure" : ""
        }`,
      );
    const shown = await viewer.view(opened.submissionId, opened.permissions);
    ctx.set({ "Content-Security-Policy": reportPolicy, "Cache-Control": "no-store" });
    ctx.type = "text/html; charset=utf-8";
    ctx.body = Readable.from(shown.page(toolbar(link, opened, shown)));
  });

  router.get("/viewer/:link/report.pdf", async (ctx) => {
    const { submissionId, permissions } = await resume(ctx);
    const bytes = await viewer.pdf(submissionId, clientGone(ctx), permissions);
    ctx.set({ "Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="report.pdf"' });
    ctx.type = "application/pdf";
    ctx.body = Buffer.from(bytes);
  });

  router.post("/viewer/:link/settings", async (ctx) => {
    const { submissionId, permissions } = await resume(ctx);
    if (!permissions.savesChanges) throw new CoreApiError("access_denied", "You may not change this report.");
    await viewer.change(submissionId, await readChange(ctx));
    ctx.status = 303;
    ctx.set("Location", `../${ctx.params.link}`);
  });

  async function resume(ctx: Context): Promise<OpenedLink> {
    const opened = await viewer.resume(ctx.params.link ?? "", ctx.cookies.get(SESSION_COOKIE));
    if (opened === undefined) throw new CoreApiError("access_denied", CLOSED);
    return opened;
  }

  return router;
}

const START = html`<h1>Similarity Check, for plug-ins that speak the Turnitin Core API</h1>
<p>Enter the address of this page and a key from the operator in the settings of the plug-in.</p>
<p><a href="docs">The API</a> · <a href="redoc">Reference</a></p>
<p>This service is independent of the maker of that protocol.</p>`;

const NOT_FOUND = html`<h1>Not found</h1><p>There is no such version of the terms of use.</p>`;

function sendPage(ctx: Context, title: string, content: Html, status = 200): void {
  ctx.status = status;
  ctx.type = "text/html; charset=utf-8";
  ctx.set("Cache-Control", "no-store");
  ctx.body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Similarity Check</title>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.toString();
}

/** The links and the filters above a report; addresses are relative, since a proxy may add a path. */
function toolbar(
  link: string,
  { permissions }: OpenedLink,
  { view, sources }: Awaited<ReturnType<Viewer["view"]>>,
): Html {
  const excluded = new Set(view?.excludeSources);
  const checkbox = (name: string, value: string, isChecked: boolean, label: Content) =>
    html`<p><label><input type="checkbox" name="${name}" value="${value}"${isChecked ? html` checked` : undefined}> ${label}</label></p>`;
  const form = html`<form method="post" action="${link}/settings">
<details><summary>What counts</summary>
${checkbox("exclude_quotes", "1", view?.excludeQuotes === true, "Leave out quotations")}
${checkbox("exclude_bibliography", "1", view?.excludeBibliography === true, "Leave out the bibliography")}
<p><label>Leave out matches of fewer words than <input type="number" name="min_words" min="0" max="1000" value="${view?.minWords ?? 0}"></label></p>
${sources.map(({ documentId, title }) => checkbox("source", documentId, excluded.has(documentId), html`Leave out <bdi>${title}</bdi>`))}
<p><button>Save</button> <span class="quiet">The new score is sent to the course or the journal.</span></p>
</details></form>`;
  return html`<nav aria-label="Report"><p><a href="${link}/report.pdf">PDF</a></p></nav>
${permissions.savesChanges ? form : undefined}
`;
}

async function readChange(ctx: Context): Promise<ViewChange> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of ctx.req) {
    length += piece.length;
    if (length > FORM_BYTES_MAX) throw new CoreApiError("too_large", "The form is too long.");
    pieces.push(piece);
  }
  const form = new URLSearchParams(Buffer.concat(pieces).toString("utf8"));
  const minWords = Number(form.get("min_words") ?? 0);
  return {
    excludeQuotes: form.has("exclude_quotes"),
    excludeBibliography: form.has("exclude_bibliography"),
    minWords: Number.isInteger(minWords) && minWords >= 0 && minWords <= 1_000 ? minWords : 0,
    excludeSources: form.getAll("source").filter((id) => /^[0-9a-f-]{36}$/.test(id)),
  };
}

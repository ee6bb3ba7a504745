import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { Router } from "@koa/router";
import type { Context } from "koa";
import {
  BUILT_FOLDER,
  type BuiltPages,
  builtFilesRouter,
  FILE_POLICY,
  FILES_PATH,
  IMMUTABLE,
  UNBUILT,
} from "../http/built-files.ts";
import { type Content, type Html, html } from "../http/html.ts";
import { textsIn } from "../http/languages/catalogues.ts";
import {
  chosenLanguage,
  LANGUAGE_COOKIE,
  LANGUAGES,
  type Language,
  type LanguageTag,
} from "../http/languages/languages.ts";
import { writeProblem } from "../http/routing/problem.ts";
import { PAGES, type Page, SECTIONS } from "./pages.ts";

/** Pages run and load only files of this instance, and send requests only to it. */
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

/** Serves the pages and their files. Without a build, pages answer 503 with the command that builds them. */
export function pagesRouter(built: BuiltPages | undefined): Router {
  const router = new Router();
  for (const page of PAGES) {
    const shells = new Map<Language, string>();
    router.get(page.path, (ctx) => {
      if (built === undefined) return writeProblem(ctx, "pages_not_built", UNBUILT);
      const language = chosenLanguage(ctx);
      const shell = shells.get(language) ?? pageShell(page, language, built);
      shells.set(language, shell);
      ctx.vary("Accept-Language");
      ctx.vary("Cookie");
      ctx.set("Content-Language", language.locale);
      sendShell(ctx, shell);
    });
  }
  router.use(builtFilesRouter(built).routes());
  const pdfFiles = readPdfFiles();
  router.get(`${FILES_PATH}:library/:folder/:file`, (ctx) => {
    const { library, folder, file } = ctx.params;
    const path = pdfFiles.get(`${library}/${folder}/${file}`);
    if (path === undefined) return writeProblem(ctx, "not_found", "This file does not exist.");
    ctx.status = 200;
    ctx.set({ "Cache-Control": IMMUTABLE, "Content-Security-Policy": FILE_POLICY });
    ctx.type = path.pathname.endsWith(".js") ? "text/javascript" : "application/octet-stream";
    ctx.length = statSync(path).size;
    ctx.body = createReadStream(path);
  });
  return router;
}

/** The fonts, character maps and decoders of pdf.js, which only some files need, by their paths. */
function readPdfFiles(folder: URL = BUILT_FOLDER): ReadonlyMap<string, URL> {
  if (!existsSync(folder)) return new Map();
  const [library] = readdirSync(folder).filter((name) => name.startsWith("pdfjs-"));
  if (library === undefined) return new Map();
  const files = readdirSync(new URL(`${library}/`, folder), { recursive: true }).map(String);
  return new Map(files.map((file) => [`${library}/${file}`, new URL(`${library}/${file}`, folder)]));
}

function sendShell(ctx: Context, shell: string): void {
  ctx.status = 200;
  ctx.set({
    "Content-Security-Policy": PAGE_POLICY,
    "Cache-Control": "no-cache",
    ETag: `"${createHash("sha256").update(shell).digest("base64url").slice(0, 16)}"`,
  });
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = "html";
  ctx.body = shell;
}

/** The document that a page's script fills. */
function pageShell(page: Page, language: Language, built: BuiltPages): string {
  const { say, sayParts } = textsIn(language.tag);
  const files = built.filesOf(page.entry);
  const preloads = [...files.preloads, built.filesOf(catalogueModule(language.tag)).script];
  return html`<!doctype html>
<html lang="${language.locale}"${language.direction === "rtl" ? html` dir="rtl"` : undefined}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${say(page.title)} · Similarity Check</title>
<link rel="icon" href="${ICON}">
${lines(files.styles.map((url) => html`<link rel="stylesheet" href="${url}">`))}
${lines(preloads.map((url) => html`<link rel="modulepreload" href="${url}">`))}
<script type="module" src="${files.script}"></script>
</head>
<body>
<a class="skip" href="#page">${say("nav.skip")}</a>
<header class="site-header">
<a class="brand" href="/">Similarity Check</a>
<nav aria-label="${say("nav.pages")}">
${lines(SECTIONS.map((one) => navigationLink(one, page, say(one.label))))}
</nav>
<div class="site-header-end">
<select id="language" aria-label="${say("nav.language")}" data-cookie="${LANGUAGE_COOKIE}">${LANGUAGES.map(({ tag, locale, name }) => languageOption(tag, locale, name, tag === language.tag))}</select>
<nav aria-label="${say("nav.documentation")}"><a href="/docs">API</a></nav>
</div>
</header>
<main id="page" tabindex="-1"><noscript><p class="notice">${sayParts("nav.noScript", { api: html`<a href="/docs">API</a>` })}</p></noscript></main>
</body>
</html>
`.toString();
}

/** The module of a catalogue, as the manifest of the built pages names it. */
function catalogueModule(tag: LanguageTag): string {
  return `../../http/languages/catalogue/${tag}.json`;
}

function lines(items: readonly Html[]): Content {
  return items.flatMap((item, at) => (at === 0 ? [item] : ["\n", item]));
}

function languageOption(tag: LanguageTag, locale: string, name: string, isShown: boolean): Html {
  return html`<option value="${tag}" lang="${locale}"${isShown ? html` selected` : undefined}>${name}</option>`;
}

function navigationLink({ section, path }: (typeof SECTIONS)[number], page: Page, label: string): Html {
  if (section !== page.section) return html`<a href="${path}">${label}</a>`;
  return html`<a href="${path}" aria-current="${path === page.path ? "page" : "true"}">${label}</a>`;
}

const ICON_DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2f5fd0" d="M2 1h7a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H2a1 1 0 0 1-1-1V2a1 1 0 0 1 1-1"/><path fill="#f0a020" fill-opacity=".85" d="M7 4h7a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1"/></svg>';
const ICON = `data:image/svg+xml;base64,${Buffer.from(ICON_DRAWING).toString("base64")}`;

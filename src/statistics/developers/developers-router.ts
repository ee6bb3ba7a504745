import { createHash } from "node:crypto";
import { Router } from "@koa/router";
import type { Context } from "koa";
import { z } from "zod";
import type { Operation, ResponseDescription } from "../../http/docs/operation.ts";
import { writeProblem } from "../../http/problem.ts";
import type { IsTrusted } from "../../http/security/client-address.ts";
import { requestedOrigin } from "../../http/security/cross-origin.ts";
import { statisticsOperations } from "../api/operations.ts";
import { type ApiReference, describeApi } from "./api-reference.ts";
import { FALLBACK, findLanguage, LANGUAGE_TAGS, type Language } from "./languages.ts";
import { page } from "./page.ts";
import { ORIGIN } from "./samples.ts";
import { staticRouter } from "./static-files.ts";
import { Texts } from "./texts.ts";

/**
 * The page for developers: `/developers` in the language that the reader's browser asks for, `/developers/{language}` in a
 * given language, and the files of the page. Everything comes from this instance, also the data of charts and try-it forms.
 */
export function developersRouter(isTrusted: IsTrusted): Router {
  const router = new Router();
  const pageIn = renderOnce();
  const send = (ctx: Context, language: Language) =>
    sendPage(ctx, pageIn(language).replaceAll(ORIGIN, originOf(ctx, isTrusted)), language);
  router.get("/developers", (ctx) => {
    ctx.vary("Accept-Language");
    send(ctx, acceptedLanguage(ctx));
  });
  router.get("/developers/:language", (ctx) => {
    const language = findLanguage(String(ctx.params.language));
    if (language !== undefined) return send(ctx, language);
    const detail = `The page has no such language. It has ${LANGUAGE_TAGS.join(", ")}.`;
    writeProblem(ctx, "not_found", detail);
  });
  router.use(staticRouter().routes());
  return router;
}

/** Renders each language once, when it is first requested. */
function renderOnce(): (language: Language) => string {
  const rendered = new Map<string, string>();
  let reference: ApiReference | undefined;
  return (language) => {
    reference ??= describeApi(statisticsOperations);
    const markup = rendered.get(language.tag) ?? page(new Texts(language), reference).toString();
    rendered.set(language.tag, markup);
    return markup;
  };
}

/**
 * The browser's first language that the page has; a regional variant (`de-AT`) matches its language. The fallback comes
 * first because a browser that accepts any language, or names none, gets the first.
 */
function acceptedLanguage(ctx: Context): Language {
  const accepted = ctx.acceptsLanguages(FALLBACK.tag, ...LANGUAGE_TAGS);
  return (accepted === false ? undefined : findLanguage(String(accepted))) ?? FALLBACK;
}

function sendPage(ctx: Context, body: string, language: Language): void {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  ctx.status = 200;
  ctx.set({
    "Content-Security-Policy": POLICY,
    "Content-Language": language.locale,
    ETag: etag,
    "Cache-Control": "no-cache",
  });
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = "html";
  ctx.body = body;
}

/** Only scripts, styles and requests of this instance; nothing inline, no frames, no forms that leave the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The address of this instance as the request shows it. The page's script knows it for certain. */
function originOf(ctx: Context, isTrusted: IsTrusted): string {
  const origin = requestedOrigin(ctx, isTrusted);
  return SAFE_ORIGIN.test(origin) ? origin : "";
}

/** A host name or an address, with or without a port. */
const SAFE_ORIGIN = /^https?:\/\/([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

const PAGE: ResponseDescription = {
  description: "The page.",
  contentType: "text/html",
  examples: { page: { summary: "A page", value: "<!doctype html>…" } },
  headers: { ETag: "Identifies these bytes.", "Content-Language": "The language of the page." },
};

export const developersOperations: readonly Operation[] = [
  {
    method: "get",
    path: "/developers",
    operationId: "getDevelopers",
    summary: "The page for developers",
    description:
      "The data, the counting rules, every endpoint, licence and citation, in the language that `Accept-Language` asks for.",
    tags: ["Documentation"],
    responses: {
      200: { ...PAGE, headers: { ...PAGE.headers, Vary: "`Accept-Language`, which decides the language." } },
    },
    errors: [],
  },
  {
    method: "get",
    path: "/developers/:language",
    operationId: "getDevelopersInLanguage",
    summary: "The page for developers in one language",
    description: "The same page in the language that the path names.",
    tags: ["Documentation"],
    request: {
      params: z.object({
        language: z.enum(LANGUAGE_TAGS).meta({
          examples: ["de"],
          description: "ISO 639-1 code of one of the page's languages, in any case.",
        }),
      }),
    },
    responses: { 200: PAGE },
    errors: ["not_found"],
  },
];

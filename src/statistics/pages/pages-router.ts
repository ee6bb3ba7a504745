import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Router } from "@koa/router";
import type { Context } from "koa";
import { z } from "zod";
import { type BuiltPages, builtFilesRouter, UNBUILT } from "../../http/built-files.ts";
import {
  acceptedLanguage,
  findLanguage,
  LANGUAGE_TAGS,
  type Language,
} from "../../http/languages/languages.ts";
import { type ProblemCode, writeProblem } from "../../http/routing/problem.ts";
import type { Operation, ResponseDescription } from "../../http/routing/route.ts";
import type { IsTrusted } from "../../http/security/client-address.ts";
import { requestedOrigin } from "../../http/security/cross-origin.ts";
import { COUNTRIES, findCountry } from "../facts/countries.ts";
import { FIELDS, findField } from "../facts/fields.ts";
import { type DescribedPage, datasetMarkup } from "../read-model/dataset-description.ts";
import type { Dataset } from "../read-model/statistics-store.ts";
import { normaliseRor } from "../sources/identifiers.ts";
import { describeApi } from "./api-reference.ts";
import { countryPage, disciplinePage, institutionPage, notFoundPage } from "./country-page.ts";
import { developersPage } from "./developers-page.ts";
import { casesPage, newsPage } from "./list-pages.ts";
import { DATASET, type Page, PICTURE_PATH, pageFrame } from "./page-frame.ts";
import { ORIGIN } from "./samples.ts";
import { socialPicture } from "./social-picture.ts";
import { storyPage } from "./story-page.ts";
import { Texts } from "./texts.ts";

/**
 * The pages: each at a path of its own in the language that the reader's browser asks for, with `/{language}` after it in a
 * given one, and their files. Everything comes from this instance, also the data of charts, lists and try-it forms.
 * `/` is the exception: its languages are below `/story`, because `/:language` would match every unknown path.
 * @param operations those that the page for developers explains
 * @param readDataset the description of the loaded data
 */
export function pagesRouter(
  built: BuiltPages | undefined,
  isTrusted: IsTrusted,
  operations: readonly Operation[],
  readDataset: () => Promise<Dataset>,
): Router {
  const router = new Router();
  router.use(builtFilesRouter(built).routes());
  if (built === undefined) {
    for (const path of DESCRIBED.flatMap(({ paths }) => paths))
      router.get(path, (ctx) => writeProblem(ctx, "pages_not_built", UNBUILT));
    return router;
  }
  const render = (texts: Texts, page: Page): RenderedPage => ({
    ...{ negotiatedPath: page.negotiatedPath, path: page.pathIn(texts.language.tag), title: page.title },
    ...{ place: page.place, topic: page.topic },
    markup: pageFrame(texts, page, built.filesOf(`statistics/${page.script}`)).toString(),
  });
  const textsIn = memoised((language: Language) => new Texts(language));
  const send = async (ctx: Context, language: Language, { markup, ...page }: RenderedPage): Promise<void> => {
    // A page is readable, and explains itself, also while the store does not answer.
    const dataset = await Promise.race([
      readDataset().catch(() => undefined),
      sleep(DATASET_WAIT_MS, undefined, { ref: false }),
    ]);
    const origin = originOf(ctx, isTrusted);
    // Nothing in the description ends the element.
    const described = JSON.stringify(datasetMarkup(origin, page, dataset)).replaceAll("<", "\\u003c");
    sendPage(
      ctx,
      markup.replaceAll(ORIGIN, origin).replace(DATASET, () => described),
      language,
    );
  };
  const refuse = async (ctx: Context, code: ProblemCode, detail: string): Promise<void> => {
    ctx.vary("Accept");
    if (ctx.accepts("application/problem+json", "html") !== "html") return writeProblem(ctx, code, detail);
    ctx.vary("Accept-Language");
    const language = findLanguage(String(ctx.params.language)) ?? acceptedLanguage(ctx);
    await send(ctx, language, render(textsIn(language), notFoundPage(textsIn(language))));
    ctx.status = 404;
  };
  /** Serves the result of `answer` at both paths of a page. */
  const serve = (
    negotiatedPath: string,
    path: string,
    answer: (ctx: Context, language: Language) => Promise<void>,
  ): void => {
    router.get(negotiatedPath, (ctx) => {
      ctx.vary("Accept-Language");
      return answer(ctx, acceptedLanguage(ctx));
    });
    router.get(path, (ctx) => {
      const language = findLanguage(String(ctx.params.language));
      if (language !== undefined) return answer(ctx, language);
      return refuse(ctx, "not_found", `The page has no such language. It has ${LANGUAGE_TAGS.join(", ")}.`);
    });
  };
  const developers: PageAtPaths = [
    ["/developers", "/developers/:language"],
    (texts) => developersPage(texts, describeApi(operations)),
  ];
  for (const [[negotiatedPath, path], build] of [...PAGES, developers]) {
    const pageIn = memoised((language: Language) => render(textsIn(language), build(textsIn(language))));
    serve(negotiatedPath, path, (ctx, language) => send(ctx, language, pageIn(language)));
  }
  // 249 countries in 14 languages would fill 80 MB of memory, and rendering one takes two milliseconds.
  serve("/countries/:code", "/countries/:code/:language", (ctx, language) => {
    const code = String(ctx.params.code).toUpperCase();
    const country = findCountry(code);
    if (country?.isIso !== true) return refuse(ctx, "country_not_found", NO_COUNTRY);
    return send(ctx, language, render(textsIn(language), countryPage(textsIn(language), country)));
  });
  serve("/institutions/:ror", "/institutions/:ror/:language", (ctx, language) => {
    const ror = normaliseRor(String(ctx.params.ror));
    if (ror === undefined)
      return refuse(ctx, "not_found", "The path names no ROR identifier, such as 02mhbdp94.");
    return send(ctx, language, render(textsIn(language), institutionPage(textsIn(language), ror)));
  });
  serve("/disciplines/:field", "/disciplines/:field/:language", (ctx, language) => {
    const field = findField(Number(ctx.params.field));
    if (field === undefined) return refuse(ctx, "not_found", "The path names no OpenAlex field: 11 to 36.");
    const page = disciplinePage(textsIn(language), String(field.fieldId));
    return send(ctx, language, render(textsIn(language), page));
  });
  let picture: Buffer | undefined;
  router.get(PICTURE_PATH, (ctx) => {
    picture ??= socialPicture();
    ctx.set("Cache-Control", "public, max-age=86400");
    ctx.type = "image/png";
    ctx.body = picture;
  });
  router.get(SITEMAP_PATH, (ctx) => {
    ctx.type = "application/xml";
    ctx.body = sitemap(originOf(ctx, isTrusted));
  });
  router.get("/robots.txt", (ctx) => {
    ctx.type = "text/plain";
    ctx.body = `User-agent: *\nDisallow: /v1/\nSitemap: ${originOf(ctx, isTrusted)}${SITEMAP_PATH}\n`;
  });
  return router;
}

/** A page is sent without the description of its data when the store takes longer. */
const DATASET_WAIT_MS = 500;

const SITEMAP_PATH = "/sitemap.xml";

/** Every page in every language (sitemaps.org), but for those of institutions, which are more than a sitemap may list. */
function sitemap(origin: string): string {
  const paths = [
    ...["/story", "/cases", "/news", "/developers"],
    ...COUNTRIES.filter(({ isIso }) => isIso).map(({ code }) => `/countries/${code}`),
    ...FIELDS.map(({ fieldId }) => `/disciplines/${fieldId}`),
  ];
  const entries = paths.flatMap((path) =>
    LANGUAGE_TAGS.map((tag) => `<url><loc>${origin}${path}/${tag}</loc></url>\n`),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("")}</urlset>
`;
}

type RenderedPage = DescribedPage & { readonly markup: string };

const NO_COUNTRY = "The path names no ISO 3166-1 alpha-2 code of a country, such as DE.";

/** The pages that are the same until the next start, by their paths: they are rendered when they are first requested. */
const PAGES: readonly PageAtPaths[] = [
  [["/", "/story/:language"], storyPage],
  [["/cases", "/cases/:language"], casesPage],
  [["/news", "/news/:language"], newsPage],
];

type PageAtPaths = readonly [readonly [string, string], (texts: Texts) => Page];

/** Calls a function once for each language. */
function memoised<T>(make: (language: Language) => T): (language: Language) => T {
  const made = new Map<string, T>();
  return (language) => {
    const known = made.get(language.tag) ?? make(language);
    made.set(language.tag, known);
    return known;
  };
}

function sendPage(ctx: Context, body: string, language: Language): void {
  // A chart that another page shows in a frame: nothing in it can be changed by a click.
  const isEmbedded = ctx.query.embed !== undefined;
  if (isEmbedded) ctx.remove("X-Frame-Options");
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  ctx.status = 200;
  ctx.set({
    "Content-Security-Policy": isEmbedded ? POLICY.replace(OWN_WINDOW, "") : POLICY,
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

/** Keeps a page out of the frames of others. */
const OWN_WINDOW = "; frame-ancestors 'none'";

/** Only scripts, styles and requests of this instance; nothing inline, no frames, no forms that leave the page. */
const POLICY =
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // A chart becomes a picture by way of a blob of the page itself; the icon is part of the page.
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ") + OWN_WINDOW;

/** The address of this instance as the request shows it. The page's script knows the exact address. */
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

const NEGOTIATED: ResponseDescription = {
  ...PAGE,
  headers: { ...PAGE.headers, Vary: "`Accept-Language`, which decides the language." },
};

const LANGUAGE = z.enum(LANGUAGE_TAGS).meta({
  examples: ["de"],
  description: "ISO 639-1 code of one of the pages' languages, in any case.",
});

const COUNTRY_PARAMS = z.object({
  code: z.string().meta({ examples: ["DE"], description: "ISO 3166-1 alpha-2 code, in any case." }),
});

type Described = {
  readonly name: string;
  readonly paths: readonly [negotiated: string, inLanguage: string];
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
};

const DESCRIBED: readonly Described[] = [
  {
    name: "Story",
    paths: ["/", "/story/:language"],
    summary: "The statistics for readers",
    description:
      "Charts of the rates and the news, the counting rules, the limits of the data, licence and citation",
  },
  {
    name: "CountryPage",
    paths: ["/countries/:code", "/countries/:code/:language"],
    summary: "The page of a country",
    description:
      "Rank, rate with its interval, the rates year by year, and the comparison with the sub-region",
    params: COUNTRY_PARAMS,
  },
  {
    name: "InstitutionPage",
    paths: ["/institutions/:ror", "/institutions/:ror/:language"],
    summary: "The page of an institution",
    description: "Rank, rate with its interval, and the rates year by year",
    params: z.object({
      ror: z.string().meta({ examples: ["02mhbdp94"], description: "The end of its ROR identifier." }),
    }),
  },
  {
    name: "DisciplinePage",
    paths: ["/disciplines/:field", "/disciplines/:field/:language"],
    summary: "The page of a discipline",
    description: "Rank, rate with its interval, and the rates year by year",
    params: z.object({
      field: z.string().meta({ examples: ["27"], description: "Number of the OpenAlex field, 11 to 36." }),
    }),
  },
  {
    name: "CasesPage",
    paths: ["/cases", "/cases/:language"],
    summary: "The documented cases for readers",
    description: "The documented cases as a list that can be searched",
  },
  {
    name: "NewsPage",
    paths: ["/news", "/news/:language"],
    summary: "The news for readers",
    description: "The latest articles that mention plagiarism in research as a list that can be searched",
  },
  {
    name: "Developers",
    paths: ["/developers", "/developers/:language"],
    summary: "The page for developers",
    description: "Every endpoint with examples, and what all answers have in common",
  },
];

export const pagesOperations: readonly Operation[] = DESCRIBED.flatMap(
  ({ name, paths: [negotiated, path], summary, description, params }) => [
    {
      ...{ method: "get", path: negotiated, operationId: `get${name}`, tags: ["Documentation"], summary },
      description: `${description}, in the language that \`Accept-Language\` asks for.`,
      ...(params !== undefined && { request: { params } }),
      responses: { 200: NEGOTIATED },
      errors: params === undefined ? [] : [params === COUNTRY_PARAMS ? "country_not_found" : "not_found"],
    },
    {
      ...{ method: "get", path, operationId: `get${name}InLanguage`, tags: ["Documentation"] },
      summary: `${summary} in one language`,
      description: "The same page in the language that the path names.",
      request: { params: z.object({ ...params?.shape, language: LANGUAGE }) },
      responses: { 200: PAGE },
      errors: params === COUNTRY_PARAMS ? ["country_not_found", "not_found"] : ["not_found"],
    },
  ],
);

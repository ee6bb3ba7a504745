import type { Router } from "@koa/router";
import type { Middleware } from "koa";
import type { Registry } from "prom-client";
import type { BuiltPages } from "../http/built-files.ts";
import { docsRouter, docsRoutes } from "../http/docs/docs.ts";
import { type OpenApiDocument, openApiDocument } from "../http/docs/openapi.ts";
import { metricsRoutes, probeRoutes, type Readiness } from "../http/probes.ts";
import { problemRoutes } from "../http/problem-pages.ts";
import { type Operation, operationsOf, routerOf } from "../http/routing/route.ts";
import type { AppState } from "../http/routing/route-table.ts";
import type { IsTrusted } from "../http/security/client-address.ts";
import { allowAllOrigins } from "../http/security/cross-origin.ts";
import { RATE_LIMIT_HEADERS, type RateLimitOptions, rateLimit } from "../http/security/rate-limit.ts";
import { RELEASE } from "../platform/release.ts";
import { fileRoutes, indexAlias, papersRoutes, statisticsRoutes } from "../statistics/api/routes.ts";
import type { StatisticsAnswers } from "../statistics/api/statistics-answers.ts";
import { pagesOperations, pagesRouter } from "../statistics/pages/pages-router.ts";

type StatisticsApiParts = {
  readonly answers: StatisticsAnswers;
  readonly readiness: () => Promise<Readiness>;
  readonly registry: Registry;
  readonly isTrusted: IsTrusted;
  readonly pages: BuiltPages | undefined;
};

/** Every route of the statistics API. `statisticsApiOperations` describes all but the files of the pages. */
export function statisticsRouters(parts: StatisticsApiParts): Router[] {
  const { answers, readiness, registry, isTrusted, pages } = parts;
  return [
    routerOf([...statisticsRoutes, ...indexAlias, ...papersRoutes, ...fileRoutes], answers),
    routerOf(probeRoutes, readiness),
    routerOf(metricsRoutes, registry),
    docsRouter(statisticsApi(), { path: "/", label: "Statistics" }),
    pagesRouter(pages, isTrusted, operationsOf(statisticsRoutes), () => answers.dataset()),
    routerOf(problemRoutes, undefined),
  ];
}

/** Middleware before the routes: any origin may read, and each client has a rate limit below `/v1`. */
export function statisticsMiddleware(
  limit: Omit<RateLimitOptions, "isLimited">,
): readonly Middleware<AppState>[] {
  return [
    allowAllOrigins(["ETag", "Link", "Content-Disposition", "X-Request-Id", ...RATE_LIMIT_HEADERS]),
    // Neither probes, which come every few seconds from one address, nor pages with their files count. The router ignores
    // the case of paths, and so does the limit.
    rateLimit({ ...limit, isLimited: (path) => /^\/v1(\/|$)/i.test(path) }),
  ];
}

const DESCRIPTION = `
Rates of plagiarism in scholarly publishing per 100,000 publications: by country, institution and discipline, with exact
95% intervals; documented cases; news mentions. Read-only, without a key, readable by pages of any origin.

Each answer holds \`meta\` (licence, attribution, version of the data, sources, caveats) and \`data\`. Tables are also available as CSV
with \`format=csv\`. The same data gives the same bytes, so an \`ETag\` is valid until new data is loaded. A client may send 120
requests a minute; \`RateLimit\` states how many are left. Errors are problem details (RFC 9457).

The data may be reused with attribution under [CC BY 4.0](https://creativecommons.org/licenses/by/4.0/).
`.trim();

export const statisticsApiOperations: readonly Operation[] = [
  ...operationsOf([
    ...statisticsRoutes,
    ...papersRoutes,
    ...fileRoutes,
    ...probeRoutes,
    ...metricsRoutes,
    ...docsRoutes,
  ]),
  ...pagesOperations,
  ...operationsOf(problemRoutes),
];

/** The OpenAPI document of the statistics API. */
export function statisticsApi(): OpenApiDocument {
  return openApiDocument({
    title: "Similarity Check: Statistics API",
    version: RELEASE,
    description: DESCRIPTION,
    tags: [
      { name: "Statistics", description: "Rates, cases and news, as JSON or CSV." },
      { name: "Operation", description: "Health, readiness and metrics." },
      { name: "Documentation", description: "This description, and pages for readers." },
    ],
    operations: statisticsApiOperations,
  });
}

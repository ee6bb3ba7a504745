import type { Router } from "@koa/router";
import type { Registry } from "prom-client";
import { type BatchRouteParts, batchRoutes, batchStreamedSchemas } from "../batches/api/routes.ts";
import { type CheckRouteParts, checkRoutes, streamedSchemas } from "../checks/api/routes.ts";
import { type ComparisonRouteParts, comparisonRoutes } from "../checks/comparisons/api/routes.ts";
import { type CorpusRouteParts, corpusRoutes } from "../corpus/api/routes.ts";
import type { BuiltPages } from "../http/built-files.ts";
import { docsRouter, docsRoutes } from "../http/docs/docs.ts";
import { type OpenApiDocument, openApiDocument } from "../http/docs/openapi.ts";
import { metricsRoutes, probeRoutes, type Readiness } from "../http/probes.ts";
import { problemRoutes } from "../http/problem-pages.ts";
import type { ProblemCode } from "../http/routing/problem.ts";
import { type Operation, operationsOf, routerOf } from "../http/routing/route.ts";
import { RELEASE } from "../platform/release.ts";
import { type ReportRouteParts, reportRoutes } from "../report/api/routes.ts";
import { pagesRouter } from "../web/pages-router.ts";

type EngineParts = {
  readonly checks: CheckRouteParts;
  readonly reports: ReportRouteParts;
  readonly comparisons: ComparisonRouteParts;
  readonly corpus: CorpusRouteParts & { readonly uploadBytesMax: number };
  readonly batches: BatchRouteParts;
  readonly readiness: () => Promise<Readiness>;
  readonly registry: Registry;
  readonly pages: BuiltPages | undefined;
};

/** Every route of the engine. `engineOperations` describes all but the pages and their files. */
export function engineRouters(parts: EngineParts): Router[] {
  const { checks, reports, comparisons, corpus, batches, readiness, registry, pages } = parts;
  return [
    routerOf(checkRoutes, checks),
    routerOf(reportRoutes, reports),
    routerOf(comparisonRoutes, comparisons),
    routerOf(corpusRoutes, corpus, { fileBytesMax: corpus.uploadBytesMax }),
    routerOf(batchRoutes, batches),
    routerOf(probeRoutes, readiness),
    routerOf(metricsRoutes, registry),
    docsRouter(engineApi(), { path: "/", label: "Similarity Check" }),
    routerOf(problemRoutes, undefined),
    pagesRouter(pages),
  ];
}

const DESCRIPTION = `
Checks a text against the corpus of this instance and reports the copied passages, their sources and their share.

Submit a text (\`POST /v1/checks\`) or a file (\`POST /v1/checks/upload\`), follow its progress stream, and read the
report. Characters are Unicode code points everywhere: lengths, limits and offsets. Errors are problem details
(RFC 9457). There is no authentication: run the service on a trusted network. Pages of other origins can't change data,
and the service answers only under its own host names.
`.trim();

export const engineOperations: readonly Operation[] = operationsOf([
  ...checkRoutes,
  ...reportRoutes,
  ...comparisonRoutes,
  ...corpusRoutes,
  ...batchRoutes,
  ...probeRoutes,
  ...metricsRoutes,
  ...docsRoutes,
  ...problemRoutes,
]);

/** The OpenAPI document of the engine. */
export function engineApi(): OpenApiDocument {
  return openApiDocument({
    title: "Similarity Check: Engine API",
    version: RELEASE,
    description: DESCRIPTION,
    tags: [
      { name: "Checks", description: "Submit texts, follow and manage their checks." },
      { name: "Reports", description: "The results of a check." },
      { name: "Comparisons", description: "Two texts beside each other, without the corpus." },
      { name: "Corpus", description: "The uploaded documents that texts are checked against." },
      { name: "Batches", description: "Many texts that are compared with each other." },
      { name: "Operation", description: "Health, readiness and metrics." },
      { name: "Documentation", description: "This description and its pages." },
    ],
    operations: engineOperations.map(withCommonProblems),
    schemas: { ...streamedSchemas, ...batchStreamedSchemas },
  });
}

/** Adds the problems that the middleware can answer with. The probes answer under every host name. */
function withCommonProblems(operation: Operation): Operation {
  const common: readonly ProblemCode[] = [
    "headers_too_large",
    ...(operation.method === "get" ? [] : (["cross_site_request"] as const)),
    ...(operationsOf(probeRoutes).includes(operation) ? [] : (["host_not_allowed"] as const)),
  ];
  return { ...operation, errors: [...operation.errors, ...common] };
}

import type { Router } from "@koa/router";
import type { Middleware } from "koa";
import type { Registry } from "prom-client";
import { batchOperations, batchStreamedSchemas } from "../batches/api/operations.ts";
import { batchRouter } from "../batches/api/routes.ts";
import { checkOperations, streamedSchemas } from "../checks/api/operations.ts";
import { checkRouter } from "../checks/api/routes.ts";
import { comparisonOperations, comparisonRouter } from "../checks/comparisons/index.ts";
import { corpusOperations, corpusRouter } from "../corpus/index.ts";
import { docsOperations, docsRouter } from "../http/docs/docs.ts";
import { type OpenApiDocument, openApiDocument } from "../http/docs/openapi.ts";
import type { Operation } from "../http/docs/operation.ts";
import {
  metricsOperation,
  metricsRouter,
  probeOperations,
  probeRouter,
  type Readiness,
} from "../http/probes.ts";
import type { ProblemCode } from "../http/problem.ts";
import { problemOperation, problemRouter } from "../http/problem-pages.ts";
import type { AppState } from "../http/routing.ts";
import type { IsTrusted } from "../http/security/client-address.ts";
import { refuseCrossSite } from "../http/security/cross-origin.ts";
import { reportOperations, reportRouter } from "../report/index.ts";
import { pagesRouter } from "../web/pages-router.ts";

type EngineParts = {
  readonly checks: Parameters<typeof checkRouter>[0];
  readonly reports: Parameters<typeof reportRouter>[0];
  readonly comparisons: Parameters<typeof comparisonRouter>[0];
  readonly corpus: Parameters<typeof corpusRouter>[0];
  readonly batches: Parameters<typeof batchRouter>[0];
  readonly readiness: () => Promise<Readiness>;
  readonly registry: Registry;
};

/** Every route of the engine. `engineOperations` describes all but the pages and their files. */
export function engineRouters(parts: EngineParts): Router[] {
  const { checks, reports, comparisons, corpus, batches, readiness, registry } = parts;
  return [
    checkRouter(checks),
    reportRouter(reports),
    comparisonRouter(comparisons),
    corpusRouter(corpus),
    batchRouter(batches),
    probeRouter(readiness),
    metricsRouter(registry),
    docsRouter(engineApi(), { path: "/", label: "Similarity Check" }),
    problemRouter(),
    pagesRouter(),
  ];
}

/** Middleware before the routes. */
export function engineMiddleware(isTrusted: IsTrusted): readonly Middleware<AppState>[] {
  return [refuseCrossSite(isTrusted)];
}

const DESCRIPTION = `
Checks a text against the corpus of this instance and reports the copied passages, their sources and their share.

Submit a text (\`POST /v1/checks\`) or a file (\`POST /v1/checks/upload\`), follow its progress stream, and read the
report. Characters are Unicode code points everywhere: lengths, limits and offsets. Errors are problem details
(RFC 9457). There is no authentication: run the service on a trusted network. Pages of other origins can't change data,
and the service answers only under its own host names.
`.trim();

export const engineOperations: readonly Operation[] = [
  ...checkOperations,
  ...reportOperations,
  ...comparisonOperations,
  ...corpusOperations,
  ...batchOperations,
  ...probeOperations,
  metricsOperation,
  ...docsOperations,
  problemOperation,
];

/** The OpenAPI document of the engine. */
export function engineApi(): OpenApiDocument {
  return openApiDocument({
    title: "Similarity Check: Engine API",
    version: "1.0.0",
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
    ...(probeOperations.includes(operation) ? [] : (["host_not_allowed"] as const)),
  ];
  return { ...operation, errors: [...operation.errors, ...common] };
}

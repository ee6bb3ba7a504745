import { randomUUID } from "node:crypto";
import type { Router } from "@koa/router";
import type { Context, Middleware } from "koa";
import { writeProblem } from "./problem.ts";

type RouteTable = ReturnType<typeof routeTable>;

/** The routes of a set of routers. */
export function routeTable(routers: readonly Router[]) {
  const layers = routers.flatMap((router) => router.stack).filter((layer) => layer.methods.length > 0);
  /** A literal path takes precedence over a parameter: `/checks/stats` is not a check. */
  const layersAt = (path: string) => {
    const matching = layers.filter((layer) => layer.match(path));
    const literal = matching.filter((layer) => !String(layer.path).includes(":"));
    return literal.length > 0 ? literal : matching;
  };
  return {
    /** The pattern that answers, such as `/v1/checks/:id`, or undefined where none does. */
    patternOf(method: string, path: string): string | undefined {
      const layer = layersAt(path).find((one) => one.methods.includes(method));
      return layer === undefined ? undefined : String(layer.path);
    },
    /** The methods that exist at a path, in the order of an Allow header; empty where the path is unknown. */
    methodsAt(path: string): readonly string[] {
      const found = new Set(layersAt(path).flatMap((layer) => layer.methods));
      if (found.size > 0) found.add("OPTIONS");
      return METHOD_ORDER.filter((method) => found.has(method));
    },
    /** Every route once, without the HEAD that comes with each GET. */
    routes: layers.flatMap((layer) =>
      layer.methods
        .filter((method) => method !== "HEAD" || !layer.methods.includes("GET"))
        .map((method) => ({ method, path: String(layer.path) })),
    ),
  };
}

const METHOD_ORDER = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** The state of every request from its first middleware on. */
export type AppState = {
  /** The client's own X-Request-Id, or one made here. */
  requestId: string;
  /** The pattern of the route (`/v1/checks/:id`), which is safe to log and to count by: no client can invent one. */
  route: string;
  /** The last part of the `type` of the problem that was the answer. */
  problem?: string;
  /** The name of the client's key, on a listener with keys. */
  keyName?: string;
};

const UNMATCHED = "unmatched";

/** The first middleware: gives the request its identifier and finds its route. */
export function identifyRequest(routes: RouteTable): Middleware<AppState> {
  return (ctx, next) => {
    const own = ctx.get("X-Request-Id");
    ctx.state.requestId = REQUEST_ID_PATTERN.test(own) ? own : randomUUID();
    ctx.set("X-Request-Id", ctx.state.requestId);
    const path = readablePath(ctx);
    ctx.state.route = (path !== undefined && routes.patternOf(ctx.method, path)) || UNMATCHED;
    return next();
  };
}

/** The path of the request, or undefined when its percent-encoding or its absolute form is malformed. */
function readablePath(ctx: Pick<Context, "path">): string | undefined {
  try {
    const { path } = ctx;
    decodeURIComponent(path);
    return path;
  } catch {
    return undefined;
  }
}

/** Fits any trace or correlation identifier and holds no character that could break a log line. */
const REQUEST_ID_PATTERN = /^[A-Za-z0-9._:-]{1,128}$/;

/** OPTIONS is answered with the methods of the path, another method with 405, the rest and malformed paths with 404. */
export function refuseUnmatched(routes: RouteTable): Middleware<AppState> {
  return async (ctx, next) => {
    if (ctx.state.route !== UNMATCHED) {
      await next();
      const unanswered = ctx.status === 404 && ctx.body === undefined && ctx.respond !== false;
      if (unanswered) writeNotFound(ctx);
      return;
    }
    const path = readablePath(ctx);
    const methods = path === undefined ? [] : routes.methodsAt(path);
    if (methods.length === 0) return writeNotFound(ctx);
    ctx.set("Allow", methods.join(", "));
    if (ctx.method === "OPTIONS") ctx.status = 204;
    else {
      const detail = `This path supports ${methods.join(", ")}, not ${ctx.method}.`;
      writeProblem(ctx, "method_not_allowed", detail);
    }
  };
}

/** Programs get a problem; a person who follows a wrong link in a browser gets a page. */
function writeNotFound(ctx: Context): void {
  const isRead = ctx.method === "GET" && ctx.accepts("application/problem+json", "html") === "html";
  if (!isRead || ctx.path.startsWith("/v1/")) {
    writeProblem(ctx, "not_found", NOTHING_HERE);
    return;
  }
  ctx.status = 404;
  ctx.type = "html";
  ctx.body = NOT_FOUND_PAGE;
}

const NOT_FOUND_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Page not found · Similarity Check</title>
</head>
<body>
<main>
<h1>Page not found</h1>
<p>There is nothing at this address. The link may be incomplete, or what it led to was deleted.</p>
<p><a href="/">Go to the start page</a> · <a href="/docs">See the API</a></p>
</main>
</body>
</html>
`;

const NOTHING_HERE = "There is nothing at this path. See /docs for the paths of this API.";

import type { Router } from "@koa/router";
import type { Operation } from "../../src/http/routing/route.ts";
import { routeTable } from "../../src/http/routing/route-table.ts";

/**
 * The differences between routes and their descriptions: served but not described, and described but not served. Each entry
 * reads `GET /v1/checks/:check_id`.
 */
export function documentationGaps(
  routers: readonly Router[],
  operations: readonly Operation[],
): { readonly undocumented: readonly string[]; readonly unrouted: readonly string[] } {
  const served = routeTable(routers).routes.map(({ method, path }) => `${method} ${path}`);
  const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  return {
    undocumented: served.filter((route) => !described.includes(route)),
    unrouted: described.filter((route) => !served.includes(route)),
  };
}

import type { Router } from "@koa/router";

export type Route = { readonly method: string; readonly path: string };

export type RouteTable = {
  /** The pattern that answers, such as `/v1/checks/:id`, or undefined where none does. */
  readonly patternOf: (method: string, path: string) => string | undefined;
  /** The methods that exist at a path, in the order of an Allow header; empty where the path is unknown. */
  readonly methodsAt: (path: string) => readonly string[];
  /** Every route once, without the HEAD that comes with each GET. */
  readonly routes: readonly Route[];
};

/** What a set of routers answers, known before any of them runs. */
export function routeTable(routers: readonly Router[]): RouteTable {
  const layers = routers.flatMap((router) => router.stack).filter((layer) => layer.methods.length > 0);
  /** A path that is spelt out is no value of another route's parameter: `/checks/stats` is no check. */
  const layersAt = (path: string) => {
    const matching = layers.filter((layer) => layer.match(path));
    const spelt = matching.filter((layer) => !String(layer.path).includes(":"));
    return spelt.length > 0 ? spelt : matching;
  };
  return {
    patternOf(method, path) {
      const layer = layersAt(path).find((one) => one.methods.includes(method));
      return layer === undefined ? undefined : String(layer.path);
    },
    methodsAt(path) {
      const found = new Set(layersAt(path).flatMap((layer) => layer.methods));
      if (found.size > 0) found.add("OPTIONS");
      return METHOD_ORDER.filter((method) => found.has(method));
    },
    routes: layers.flatMap((layer) =>
      layer.methods
        .filter((method) => method !== "HEAD" || !layer.methods.includes("GET"))
        .map((method) => ({ method, path: String(layer.path) })),
    ),
  };
}

const METHOD_ORDER = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

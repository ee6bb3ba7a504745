import type { z } from "zod";
import type { Operation } from "../../http/docs/operation.ts";
import type { OverviewData } from "./schema/overview.ts";

export type Endpoint = z.output<typeof OverviewData>["endpoints"][number];

/** The list of endpoints in the index, from their own descriptions. */
export function listEndpoints(operations: readonly Operation[]): readonly Endpoint[] {
  return operations.map(({ path, summary, request }) => ({
    path: path.replace(/:(\w+)/g, "{$1}"),
    description: summary,
    parameters: Object.keys(request?.query?.shape ?? {}),
  }));
}

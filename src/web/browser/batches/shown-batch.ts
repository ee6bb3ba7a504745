import type { BatchAddress } from "./batch-address.ts";
import type { BatchGraph } from "./batch-graph.ts";

/** What each view of a batch gets: everything, and what of it is selected. */
export type ShownBatch = {
  readonly batchId: string;
  readonly graph: BatchGraph;
  readonly address: BatchAddress;
};

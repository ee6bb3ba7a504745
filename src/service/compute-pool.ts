import { ComputePool } from "../platform/compute-pool.ts";
import type * as tasks from "./tasks.ts";

/** Threads for all tasks of the service. */
export type ServicePool = ComputePool<typeof tasks>;

/** The threads' own file: TypeScript when run from the sources, JavaScript in the built package. */
const TASKS_FILE = new URL(`./tasks${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

export function openComputePool(threads?: number): ServicePool {
  return new ComputePool<typeof tasks>(TASKS_FILE, threads);
}

import { setTimeout as sleep } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import type { QueueBacklog } from "../platform/job-queue.ts";

/** Waiting work, over all processes on the same stores. */
export type Backlog = {
  readonly queues: readonly QueueBacklog[];
  readonly documentsPending: number;
};

/** Waiting work within the process. */
export type Load = {
  readonly connections: { readonly busy: number; readonly idle: number; readonly awaited: number };
  readonly computeTasks: number;
};

type Sources = { readonly backlog: () => Promise<Backlog>; readonly load: () => Load };

/** Prometheus waits 10 s by default. Without the backlog it still gets the figures of the process. */
const ANSWER_WITHIN_MS = 2_000;

/** Registers the gauges that are read on each scrape. While PostgreSQL does not answer, only its figures are missing. */
export function createBacklogMetrics(registry: Registry, { backlog, load }: Sources): void {
  const registers = [registry];
  const latest = oneAtATime(backlog);
  new Gauge({
    name: "similarity_queue_jobs",
    help: "Background jobs, by queue and state: waiting or running",
    labelNames: ["queue", "state"],
    registers,
    async collect() {
      const found = await latest();
      this.reset();
      for (const { queue, waiting, running } of found?.queues ?? []) {
        this.set({ queue, state: "waiting" }, waiting);
        this.set({ queue, state: "running" }, running);
      }
    },
  });
  new Gauge({
    name: "similarity_queue_oldest_waiting_seconds",
    help: "Age of the job that has waited longest, by queue; 0 where none waits",
    labelNames: ["queue"],
    registers,
    async collect() {
      const found = await latest();
      this.reset();
      for (const { queue, oldestWaitingSeconds } of found?.queues ?? []) {
        this.set({ queue }, oldestWaitingSeconds);
      }
    },
  });
  new Gauge({
    name: "similarity_documents_pending",
    help: "Corpus documents that are stored and not matchable yet",
    registers,
    async collect() {
      const found = await latest();
      // A reset gauge without labels is 0, which would mean that nothing waits.
      if (found === undefined) this.remove();
      else this.set(found.documentsPending);
    },
  });
  registerLoad(registry, load);
}

function registerLoad(registry: Registry, load: () => Load): void {
  const registers = [registry];
  new Gauge({
    name: "similarity_postgres_connections",
    help: "Connections of the process, by state: busy, idle, or awaited by a caller that has none",
    labelNames: ["state"],
    registers,
    collect() {
      const { busy, idle, awaited } = load().connections;
      this.set({ state: "busy" }, busy);
      this.set({ state: "idle" }, idle);
      this.set({ state: "awaited" }, awaited);
    },
  });
  new Gauge({
    name: "similarity_compute_tasks_waiting",
    help: "Pieces of work that wait for a thread",
    registers,
    collect() {
      this.set(load().computeTasks);
    },
  });
}

/** Requests that come while one is pending share its answer, so that a hanging database is asked once. */
function oneAtATime(ask: () => Promise<Backlog>): () => Promise<Backlog | undefined> {
  let asked: Promise<Backlog | undefined> | undefined;
  return () => {
    asked ??= ask()
      .catch(() => undefined)
      .finally(() => {
        asked = undefined;
      });
    return Promise.race([asked, sleep(ANSWER_WITHIN_MS, undefined, { ref: false })]);
  };
}

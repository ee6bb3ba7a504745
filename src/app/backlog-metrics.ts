import { setTimeout as sleep } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import type { QueueBacklog } from "../platform/job-queue.ts";

/** What waits to be done, over all processes on the same stores. */
export type Backlog = {
  readonly queues: readonly QueueBacklog[];
  readonly documentsPending: number;
};

/** What stands in line within the process. */
export type Lines = {
  readonly connections: { readonly busy: number; readonly idle: number; readonly awaited: number };
  readonly computeTasks: number;
};

type Sources = { readonly backlog: () => Promise<Backlog>; readonly lines: () => Lines };

/** Prometheus gives up an answer after 10 s by default; without the backlog it has all that the process knows by itself. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * Registers what is looked up when the metrics are asked for. While PostgreSQL does not answer, what it would say is
 * missing, and the rest is there.
 */
export function createBacklogMetrics(registry: Registry, { backlog, lines }: Sources): void {
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
      // A gauge without labels that is reset is 0, which would say that nothing waits.
      if (found === undefined) this.remove();
      else this.set(found.documentsPending);
    },
  });
  registerLines(registry, lines);
}

function registerLines(registry: Registry, lines: () => Lines): void {
  const registers = [registry];
  new Gauge({
    name: "similarity_postgres_connections",
    help: "Connections of the process, by state: busy, idle, or awaited by a caller that has none",
    labelNames: ["state"],
    registers,
    collect() {
      const { busy, idle, awaited } = lines().connections;
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
      this.set(lines().computeTasks);
    },
  });
}

/** Whoever asks while an answer is awaited gets the same one: a database that hangs is not asked again and again. */
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

import { setTimeout as sleep } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import type { Database } from "../platform/postgres/database.ts";
import type { QueueBacklog } from "../platform/postgres/job-queue.ts";
import type { WebhookBacklog } from "../platform/webhooks/webhooks.ts";
import { StatisticsStore } from "../statistics/read-model/statistics-store.ts";

/** Waiting work, over all processes on the same stores. */
type Backlog = {
  readonly queues: readonly QueueBacklog[];
  readonly documentsPending: number;
  readonly documentsEncoded: number;
  readonly documentsToEncode: number;
  readonly originalsBytes: number;
  readonly deliveries: readonly WebhookBacklog[];
};

/** Waiting work within the process. */
type Load = {
  readonly connections: { readonly busy: number; readonly idle: number; readonly awaited: number };
  readonly computeTasks: number;
};

type Sources = { readonly backlog: () => Promise<Backlog>; readonly load: () => Load };

/** Registers the gauges that are read on each scrape. While PostgreSQL does not answer, only its figures are missing. */
export function createBacklogMetrics(registry: Registry, { backlog, load }: Sources): void {
  const latest = oneAtATime(backlog);
  const ofBacklog = (values: (found: Backlog) => Values) => async () => {
    const found = await latest();
    return found && values(found);
  };
  const gauges: readonly BacklogGauge[] = [
    {
      name: "similarity_queue_jobs",
      help: "Background jobs, by queue and state: waiting or running",
      labelNames: ["queue", "state"],
      read: ofBacklog(({ queues }) =>
        queues.flatMap(({ queue, waiting, running }) => [
          [{ queue, state: "waiting" }, waiting],
          [{ queue, state: "running" }, running],
        ]),
      ),
    },
    {
      name: "similarity_queue_oldest_waiting_seconds",
      help: "Age of the job that has waited longest, by queue; 0 where none waits",
      labelNames: ["queue"],
      read: ofBacklog(({ queues }) =>
        queues.map(({ queue, oldestWaitingSeconds }) => [{ queue }, oldestWaitingSeconds]),
      ),
    },
    {
      name: "similarity_documents_pending",
      help: "Corpus documents that are stored and not matchable yet",
      read: ofBacklog(({ documentsPending }) => [[{}, documentsPending]]),
    },
    {
      name: "similarity_documents_by_meaning",
      help: "Matchable corpus documents by the state of their semantic fingerprints: encoded or waiting",
      labelNames: ["state"],
      read: ofBacklog(({ documentsEncoded, documentsToEncode }) => [
        [{ state: "encoded" }, documentsEncoded],
        [{ state: "waiting" }, documentsToEncode],
      ]),
    },
    {
      name: "similarity_originals_bytes",
      help: "Size of the uploaded files that are kept with checks",
      read: ofBacklog(({ originalsBytes }) => [[{}, originalsBytes]]),
    },
    {
      name: "similarity_webhook_deliveries_waiting",
      help: "Events that a target has not received yet, by the target's host",
      labelNames: ["target"],
      read: ofBacklog(({ deliveries }) => deliveries.map(({ target, waiting }) => [{ target }, waiting])),
    },
    {
      name: "similarity_webhook_oldest_waiting_seconds",
      help: "Age of the oldest event that a target has not received yet, by the target's host; 0 where none waits",
      labelNames: ["target"],
      read: ofBacklog(({ deliveries }) =>
        deliveries.map(({ target, oldestSeconds }) => [{ target }, oldestSeconds]),
      ),
    },
    {
      name: "similarity_postgres_connections",
      help: "Connections of the process, by state: busy, idle, or awaited by a caller",
      labelNames: ["state"],
      read: () => Object.entries(load().connections).map(([state, count]) => [{ state }, count]),
    },
    {
      name: "similarity_compute_tasks_waiting",
      help: "Pieces of work that wait for a thread",
      read: () => [[{}, load().computeTasks]],
    },
  ];
  for (const { read, labelNames = [], ...description } of gauges) {
    new Gauge({
      ...description,
      labelNames,
      registers: [registry],
      async collect() {
        const values = await read();
        this.reset();
        // A reset gauge without labels is 0, which would mean that nothing waits.
        if (values === undefined && labelNames.length === 0) this.remove();
        for (const [labels, value] of values ?? []) this.set(labels, value);
      },
    });
  }
}

/**
 * Whether the last refresh of each source failed, read on each scrape; registered once. While PostgreSQL does not answer, no value
 * is reported.
 */
export function registerRefreshMetric(registry: Registry, database: Database): void {
  const name = "similarity_statistics_refresh_failed";
  if (registry.getSingleMetric(name) !== undefined) return;
  const store = new StatisticsStore();
  new Gauge({
    name,
    help: "Whether the last refresh of a source of the statistics failed: 1 or 0",
    labelNames: ["source"],
    registers: [registry],
    async collect() {
      const attempts = await store.attempts(database).catch(() => []);
      this.reset();
      for (const { source, failure } of attempts) this.set({ source }, failure === null ? 0 : 1);
    },
  });
}

type BacklogGauge = {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Its values by their labels; undefined while they are unknown. */
  readonly read: () => Values | undefined | Promise<Values | undefined>;
};

type Values = readonly (readonly [labels: Record<string, string>, value: number])[];

/** Prometheus waits 10 s by default. Without the backlog, it still gets the figures of the process. */
const ANSWER_WITHIN_MS = 2_000;

/** Requests that come while one is pending share its answer, so that a hanging database is queried once. */
function oneAtATime(query: () => Promise<Backlog>): () => Promise<Backlog | undefined> {
  let pending: Promise<Backlog | undefined> | undefined;
  return () => {
    pending ??= query()
      .catch(() => undefined)
      .finally(() => {
        pending = undefined;
      });
    return Promise.race([pending, sleep(ANSWER_WITHIN_MS, undefined, { ref: false })]);
  };
}

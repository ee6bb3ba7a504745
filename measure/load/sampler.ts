import type { Client } from "@opensearch-project/opensearch";
import type pg from "pg";
import { z } from "zod";
import type { ServiceProcess } from "../../test/support/processes/service-process.ts";
import type { Series } from "./trend.ts";

/** The watched values, in the order of the columns. Connections and handles vary by a few with the requests in progress. */
const WATCHED = [
  { key: "rss", name: "memory of the service", unit: "MB", riseShareMax: 0.1, riseMax: 0 },
  { key: "heap", name: "heap after collection", unit: "MB", riseShareMax: 0.1, riseMax: 0 },
  { key: "resources", name: "active resources", unit: "", riseShareMax: 0.1, riseMax: 3 },
  { key: "files", name: "file descriptors", unit: "", riseShareMax: 0.1, riseMax: 3 },
  { key: "postgres", name: "PostgreSQL connections", unit: "", riseShareMax: 0.1, riseMax: 3 },
  { key: "opensearch", name: "OpenSearch connections", unit: "", riseShareMax: 0.1, riseMax: 3 },
] as const;

type Key = (typeof WATCHED)[number]["key"];
export type Sample = Readonly<Record<Key | "seconds", number>>;

const HttpStats = z.object({
  nodes: z.record(z.string(), z.object({ http: z.object({ current_open: z.number() }) })),
});

/** Samples a service and the resources that it holds in its stores. The service has to run with `report-heap.ts`. */
export class Sampler {
  readonly #service: ServiceProcess;
  readonly #database: pg.Client;
  readonly #opensearch: Client;
  readonly #started = performance.now();

  constructor(service: ServiceProcess, database: pg.Client, opensearch: Client) {
    this.#service = service;
    this.#database = database;
    this.#opensearch = opensearch;
  }

  async sample(): Promise<Sample> {
    const metrics = await (await this.#service.client.request("/metrics")).text();
    const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
    const { rows } = await this.#database.query<{ open: string }>(
      "select count(*) as open from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    const { body } = await this.#opensearch.nodes.stats({ metric: ["http"] });
    const nodes = Object.values(HttpStats.parse(body).nodes);
    return {
      seconds: (performance.now() - this.#started) / 1000,
      rss: metric("process_resident_memory_bytes") / 1e6,
      heap: this.#heapBytes() / 1e6,
      resources: metric("nodejs_active_resources_total"),
      files: metric("process_open_fds"),
      postgres: Number(rows[0]?.open),
      opensearch: nodes.reduce((sum, { http }) => sum + http.current_open, 0),
    };
  }

  #heapBytes(): number {
    const line = this.#service.output.findLast((printed) => HEAP_LINE.test(printed)) ?? "";
    return Number(HEAP_LINE.exec(line)?.[1]);
  }
}

const HEAP_LINE = /^heap after collection: (\d+)$/;

/** One series for each thing that is watched; the samples from before `fromSeconds` are its warm-up. */
export function seriesOf(samples: readonly Sample[], fromSeconds: number): Series[] {
  return WATCHED.map(({ key, ...watched }) => {
    const all = samples.map((sample) => ({ seconds: sample.seconds, value: sample[key] }));
    return {
      ...watched,
      points: all.filter(({ seconds }) => seconds >= fromSeconds),
      warmUp: all.filter(({ seconds }) => seconds < fromSeconds),
    };
  });
}

export function samplesCsv(samples: readonly Sample[]): string {
  const header = ["seconds", ...WATCHED.map(({ key, unit }) => (unit === "" ? key : `${key}_${unit}`))];
  const lines = samples.map((sample) =>
    [sample.seconds, ...WATCHED.map(({ key }) => sample[key])].map((value) => value.toFixed(2)).join(","),
  );
  return `${[header.join(","), ...lines].join("\n")}\n`;
}

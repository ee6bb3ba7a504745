import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Registry } from "prom-client";
import { createBacklogMetrics } from "../../src/service/backlog-metrics.ts";
import { EngineClient } from "../support/client.ts";
import { MetricsText } from "../support/metrics-text.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

async function metricsOf(client: EngineClient): Promise<MetricsText> {
  return new MetricsText(await (await client.request("/metrics")).text());
}

/** The metrics when the jobs of so many checks have ended, which is a little after their reports are there. */
async function onceDone(client: EngineClient, checks: number): Promise<MetricsText> {
  for (;;) {
    const metrics = await metricsOf(client);
    const ended = metrics.sum("similarity_job_seconds_count", { queue: "run-check", outcome: "done" });
    if (ended === checks) return metrics;
    await sleep(20);
  }
}

describe("the metrics of a service at work", function () {
  this.timeout(120_000);
  /** Of two processes on the same stores: the first takes what the second does. */
  const engine = useEngine({ roles: ["engine"] });
  let worker: TestService;
  let client: EngineClient;
  let waiting: MetricsText;
  let done: MetricsText;

  before(async function () {
    this.timeout(240_000);
    const text = prose(31, 500);
    const refused = await engine.client.upload("/v1/corpus/documents", {
      name: "a.pdf",
      content: "%PDF-1.7 none",
    });
    expect(refused.status).to.equal(422);
    const uploaded = await engine.client.upload("/v1/corpus/documents", { name: "a.txt", content: text });
    expect(uploaded.status).to.equal(201);
    const checkId = await engine.client.submit(text);
    waiting = await metricsOf(engine.client);
    const { databaseUrl, opensearchIndexPrefix } = engine.options;
    worker = await startTestService({ databaseUrl, opensearchIndexPrefix });
    client = new EngineClient(worker.base);
    expect((await client.ended(checkId)).status).to.equal("complete");
    await client.checked(text);
    done = await onceDone(client, 2);
  });
  after(() => worker?.stop());

  it("say what waits, how long it has, and that it does no more", () => {
    for (const queue of ["run-check", "fingerprint-document"]) {
      expect(waiting.sum("similarity_queue_jobs", { queue, state: "waiting" }), queue).to.equal(1);
      expect(waiting.sum("similarity_queue_oldest_waiting_seconds", { queue })).to.be.above(0);
    }
    expect(waiting.sum("similarity_documents_pending")).to.equal(1);
    expect(done.sum("similarity_queue_jobs", { state: "waiting" })).to.equal(0);
    expect(done.sum("similarity_queue_oldest_waiting_seconds")).to.equal(0);
    expect(done.sum("similarity_documents_pending")).to.equal(0);
  });

  it("say how checks ended and where their time went", () => {
    const finished = { status: "complete", coverage: "full" };
    expect(done.sum("similarity_checks_finished_total", finished)).to.equal(2);
    expect(done.sum("similarity_checks_partial_total"), "there from the beginning").to.equal(0);
    for (const stage of ["chunking", "fingerprinting", "retrieving", "aligning", "assembling"]) {
      expect(done.sum("similarity_check_stage_seconds_count", { stage }), stage).to.equal(2);
      expect(done.sum("similarity_check_stage_seconds_sum", { stage })).to.be.above(0);
    }
    expect(done.sum("similarity_job_seconds_sum", { queue: "run-check", outcome: "done" })).to.be.above(0);
  });

  it("say how long checks waited for a worker, by their size, once for each", () => {
    expect(done.sum("similarity_check_wait_seconds_count", { size: "short" })).to.equal(2);
    expect(done.sum("similarity_check_wait_seconds_sum", { size: "short" })).to.be.above(0);
    expect(
      done.sum("similarity_check_wait_seconds_count", { size: "long" }),
      "there from the beginning",
    ).to.equal(0);
  });

  it("say how long the stores take, by what they are asked for", () => {
    for (const [store, operation] of [
      ["opensearch", "msearch"],
      ["opensearch", "bulk"],
      ["postgresql", "connect"],
      ["postgresql", "select"],
      ["postgresql", "insert"],
      ["postgresql", "commit"],
    ] as const) {
      const labels = { store, operation, outcome: "ok" };
      expect(done.sum("similarity_store_request_seconds_count", labels), operation).to.be.above(0);
    }
    expect(done.sum("similarity_postgres_connections")).to.be.above(0);
  });

  it("say what files were read, and for what uploads were refused", () => {
    expect(waiting.sum("similarity_extraction_seconds_count", { outcome: "text" })).to.equal(1);
    expect(waiting.sum("similarity_extraction_seconds_count", { outcome: "refused" })).to.equal(1);
    const refusal = { route: "/v1/corpus/documents", problem: "unreadable-file" };
    expect(waiting.sum("http_problems_total", refusal)).to.equal(1);
  });

  it("have labels of small fixed sets: no identifier, no path as typed", async () => {
    await client.request("/no/such/path");
    const { samples } = await metricsOf(client);
    const values = new Set(samples.flatMap(({ labels }) => Object.values(labels)));
    expect([...values].filter((value) => /[\da-f]{8}-|no.such.path/.test(value))).to.deep.equal([]);
    expect(values.size).to.be.below(300);
  });
});

describe("the metrics of a process that only works", function () {
  this.timeout(120_000);
  const engine = useEngine({ roles: ["worker"], metricsPort: 0 });

  it("are on a port of their own, with the probes and nothing else", async () => {
    const { service } = engine;
    expect(service.engine).to.equal(undefined);
    const client = new EngineClient(service.monitoring?.address ?? "");
    expect((await metricsOf(client)).names).to.include("similarity_check_stage_seconds_count");
    expect(await (await client.request("/ready")).json()).to.include({ ready: true });
    expect((await client.request("/health")).status).to.equal(200);
    for (const path of ["/v1/checks", "/v1/corpus/documents", "/docs", "/"]) {
      expect((await client.request(path)).status, path).to.equal(404);
    }
  });
});

describe("the metrics while PostgreSQL does not answer", () => {
  const load = () => ({ connections: { busy: 1, idle: 0, awaited: 3 }, computeTasks: 2 });

  for (const [how, backlog] of [
    ["refuses", () => Promise.reject(new Error("away"))],
    ["says nothing", () => new Promise<never>(() => undefined)],
  ] as const) {
    it(`hold what the process knows by itself, and no number for what it does not know: it ${how}`, async () => {
      const registry = new Registry();
      createBacklogMetrics(registry, { backlog, load });
      const metrics = new MetricsText(await registry.metrics());
      expect(metrics.sum("similarity_postgres_connections", { state: "awaited" })).to.equal(3);
      expect(metrics.sum("similarity_compute_tasks_waiting")).to.equal(2);
      expect(metrics.sum("similarity_documents_pending")).to.equal(undefined);
      expect(metrics.sum("similarity_queue_jobs")).to.equal(undefined);
    });
  }
});

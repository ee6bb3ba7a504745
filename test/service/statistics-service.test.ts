import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { z } from "zod";
import { Database } from "../../src/platform/postgres/database.ts";
import { settingsFor } from "../statistics/use-fetch-context.ts";
import { startTestService } from "../support/service.ts";
import { freshDatabase } from "../support/stores.ts";
import { useStatistics } from "../support/use-statistics.ts";

const ReadinessAnswer = z.strictObject({ ready: z.boolean(), checks: z.record(z.string(), z.string()) });

describe("decisions, Running it: the statistics listener's own probes and pages", () => {
  const statistics = useStatistics();

  async function readiness() {
    const response = await statistics.request("/ready");
    return { status: response.status, ...ReadinessAnswer.parse(await response.json()) };
  }

  it("GET /health is the JSON object with the status ok", async () => {
    const response = await statistics.request("/health");
    expect([response.status, await response.json()]).to.deep.equal([200, { status: "ok" }]);
  });

  it("GET /ready is 200 when PostgreSQL answers and the schema is current, else 503", async () => {
    const ready = { status: 200, ready: true, checks: { postgres: "ok" } };
    expect(await readiness()).to.deep.equal(ready);
    const rename = (from: string, to: string) =>
      statistics.database.query("update schema_migrations set name = $2 where name = $1", [from, to]);
    await rename("0001_baseline", "0000_older");
    try {
      const { status, checks } = await readiness();
      expect(status).to.equal(503);
      expect(checks.postgres).to.match(/schema/);
    } finally {
      await rename("0000_older", "0001_baseline");
    }
    expect(await readiness()).to.deep.equal(ready);
  });

  it("GET /metrics counts its requests under its own name, by route", async () => {
    await statistics.request("/v1/country/DE");
    const text = await (await statistics.request("/metrics")).text();
    expect(text).to.match(
      /http_request_duration_seconds_count\{listener="statistics",method="GET",route="\/v1\/country\/:code",status="200"\} \d+/,
    );
  });

  it("serves its own OpenAPI document and pages, which name no other host", async () => {
    const document = z
      .object({ info: z.object({ title: z.string() }), paths: z.record(z.string(), z.unknown()) })
      .parse(await (await statistics.request("/openapi.json")).json());
    expect(document.info.title).to.include("Statistics");
    expect(Object.keys(document.paths)).to.include("/v1/countries").and.not.to.include("/v1/checks");
    for (const path of ["/docs", "/redoc"]) {
      const page = await (await statistics.request(path)).text();
      expect(page, path).to.include("/openapi.json");
      expect([...page.matchAll(/(?:src|href)="(https?:[^"]+)"/g)].map(([, url]) => url)).to.deep.equal([]);
    }
  });

  it("explains its own problems", async () => {
    const response = await statistics.request("/problems/rate-limited", {
      headers: { Accept: "application/json" },
    });
    expect(await response.json()).to.include({ status: 429, type: "/problems/rate-limited" });
  });
});

describe("the daily refresh of the statistics", function () {
  this.timeout(240_000);
  let databaseUrl: string;
  let database: Database;
  let dataDir: string;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "daily-"));
    databaseUrl = await freshDatabase("daily");
    database = new Database(databaseUrl, pino({ level: "silent" }));
  });
  after(async () => {
    await database?.close();
    await rm(dataDir, { recursive: true });
  });

  /** Whether, and when, a refresh is scheduled while a worker with this setting runs. */
  async function scheduled(changes: { readonly statisticsRefresh?: "off" | "daily" }) {
    // Were it the time of the refresh, nobody would answer.
    const sources = settingsFor({ base: "http://127.0.0.1:9" });
    const service = await startTestService({
      ...sources,
      databaseUrl,
      dataDir,
      roles: ["worker"],
      ...changes,
    });
    try {
      return await database.query("select name, cron from similarity_jobs.schedule where name = $1", [
        "refresh-statistics",
      ]);
    } finally {
      await service.stop();
    }
  }

  it("is scheduled only while the setting says so", async () => {
    expect(await scheduled({})).to.deep.equal([]);
    expect(await scheduled({ statisticsRefresh: "daily" })).to.deep.equal([
      { name: "refresh-statistics", cron: "17 3 * * *" },
    ]);
    expect(await scheduled({})).to.deep.equal([]);
  });
});

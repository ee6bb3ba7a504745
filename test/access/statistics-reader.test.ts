import { createServer } from "node:net";
import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../src/platform/postgres/database.ts";
import { JobQueue } from "../../src/platform/postgres/job-queue.ts";
import { migrate } from "../../src/platform/postgres/migrate.ts";
import { QUEUES } from "../../src/service/connect-corpus.ts";
import { startStatisticsService } from "../../src/service/statistics-service.ts";
import { createLoadStatistics } from "../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../src/statistics/load/synthetic-set.ts";
import { grantStatisticsReading } from "../../src/statistics/read-model/grant-reading.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshDatabase } from "../support/stores.ts";
import { asSuperuser, dropRole, roleFor, withReaderRole } from "./made-role.ts";

const log = pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" });

/** Several services start here, on machines that may be busy. */
const TIMEOUT_MS = 120_000;

describe("the role that serves the statistics", function () {
  this.timeout(TIMEOUT_MS);
  let ownerUrl: string;
  let owner: Database;
  let role: ReturnType<typeof roleFor>;

  before(async function () {
    this.timeout(240_000);
    ownerUrl = await freshDatabase("readable");
    await withReaderRole(ownerUrl);
    role = roleFor(ownerUrl);
    await asSuperuser(
      ownerUrl,
      `create role ${role.name} login password '${role.password}' in role similarity_statistics`,
    );
    owner = new Database(ownerUrl, log);
    const queue = new JobQueue(ownerUrl, { queues: QUEUES, works: false, log });
    await queue.start();
    await queue.stop(1_000);
  });
  after(async () => {
    await owner?.close();
    await dropRole(ownerUrl, role.name);
  });

  it("waits at /ready until another has made the tables, and then serves", async () => {
    const options = { host: "127.0.0.1", statisticsPort: 0, statisticsRateLimit: 120, trustedProxies: [] };
    const reader = { ...options, statisticsDatabaseUrl: role.url };
    const service = await startStatisticsService(reader, undefined, log);
    const ask = (path: string) => fetch(service.statistics.address + path);
    try {
      expect((await ask("/ready")).status).to.equal(503);
      expect((await ask("/health")).status).to.equal(200);
      await migrate(ownerUrl, log);
      expect(await grantStatisticsReading(owner)).to.equal(true);
      expect(await grantStatisticsReading(owner), "a second time").to.equal(true);
      await loadSyntheticSet(createLoadStatistics({ database: owner }));
      expect((await ask("/ready")).status).to.equal(200);
      for (const path of ["/v1/", "/v1/countries", "/v1/country/DE", "/v1/institutions", "/v1/disciplines"]) {
        expect((await ask(path)).status, path).to.equal(200);
      }
      for (const path of ["/v1/cases", "/v1/news", "/v1/countries?format=csv"]) {
        expect((await ask(path)).status, path).to.equal(200);
      }
      expect((await ask("/v1/")).headers.get("ratelimit")).to.match(/;r=111;/);
      const counted = await owner.query("select points from statistics_request_counts");
      expect(counted).to.deep.equal([{ points: 9 }]);
    } finally {
      await service.stop();
    }
  });

  it("reads nothing else: no check, no document, no text, no job", async () => {
    const readable: string[] = [];
    for (const table of await tables()) {
      await asSuperuser(role.url, `select * from ${table} limit 1`).then(
        () => readable.push(table),
        (error: Error) => expect(error.message).to.match(/permission denied/),
      );
    }
    expect(readable).to.include("similarity.statistics_rows").and.to.include("similarity.schema_migrations");
    const others = readable.filter(
      (table) => !/^similarity\.(statistics_\w+|schema_migrations)$/.test(table),
    );
    expect(others).to.deep.equal([]);
    expect(await tables())
      .to.include("similarity.checks")
      .and.to.include("similarity.text_sections");
    expect(await tables()).to.include("similarity_jobs.job");
  });

  it("changes nothing but the counts of requests, and makes nothing", async () => {
    const attempts = (await tables())
      .filter((table) => table !== "similarity.statistics_request_counts")
      .flatMap((table) => [
        `delete from ${table}`,
        `truncate ${table}`,
        `insert into ${table} default values`,
      ]);
    attempts.push(
      "update similarity.statistics_rows set papers = 0",
      "update similarity.schema_migrations set name = ''",
      "create table similarity.mine (a int)",
      "create table public.mine (a int)",
      "create schema mine",
      "truncate similarity.statistics_request_counts",
      "alter table similarity.statistics_rows add a int",
    );
    for (const statement of attempts) {
      const outcome = await asSuperuser(role.url, statement).then(
        () => "done",
        (error: Error) => error.message,
      );
      expect(outcome, statement).to.match(/permission denied|must be owner/);
    }
  });

  it("is all that a process with ROLES=statistics knows: it asks for no OpenSearch and no other database", async () => {
    const asked: string[] = [];
    const opensearch = createServer(() => asked.push("OpenSearch")).listen(0, "127.0.0.1");
    const postgres = createServer(() => asked.push("PostgreSQL")).listen(0, "127.0.0.1");
    const service = await ServiceProcess.start({
      ROLES: "statistics",
      STATISTICS_DATABASE_URL: role.url,
      DATABASE_URL: `postgres://me:secret@127.0.0.1:${portOf(postgres)}/none`,
      OPENSEARCH_URL: `http://127.0.0.1:${portOf(opensearch)}`,
    });
    try {
      expect((await fetch(`${service.statisticsAddress}/ready`)).status).to.equal(200);
      expect((await fetch(`${service.statisticsAddress}/v1/countries`)).status).to.equal(200);
    } finally {
      expect(await service.end("SIGTERM")).to.equal(0);
      opensearch.close();
      postgres.close();
    }
    expect(asked).to.deep.equal([]);
  });

  it("a start with a password that is wrong names the setting", async () => {
    const wrong = new URL(role.url);
    wrong.password = "quite-wrong";
    const environment = { ROLES: "statistics", STATISTICS_DATABASE_URL: wrong.href };
    const outcome = await ServiceProcess.start(environment).then(
      () => "it serves",
      (error: Error) => error.message,
    );
    expect(outcome).to.include("STATISTICS_DATABASE_URL").and.not.to.include("quite-wrong");
  });

  async function tables(): Promise<string[]> {
    const rows = await owner.query<{ name: string }>(
      "select schemaname || '.' || tablename as name from pg_tables where schemaname like 'similarity%'",
    );
    return rows.map(({ name }) => name);
  }
});

function portOf(server: ReturnType<typeof createServer>): number {
  const bound = server.address();
  return typeof bound === "object" && bound !== null ? bound.port : 0;
}

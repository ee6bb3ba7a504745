import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../src/platform/postgres/database.ts";
import { openCorpus } from "../../src/service/connect-corpus.ts";
import { createLoadStatistics } from "../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../src/statistics/load/synthetic-set.ts";
import { EngineClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { freshDatabase } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";
import { asSuperuser, dropRole, roleFor, withReaderRole } from "./made-role.ts";

const log = pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" });
const SECURITY_PAGE = new URL("../../docs/security.md", import.meta.url);

/** Several services start here, on machines that may be busy. */
const TIMEOUT_MS = 120_000;

describe("the service by a role that has just the rights of docs/security.md", function () {
  this.timeout(TIMEOUT_MS);
  let superuserUrl: string;
  let role: ReturnType<typeof roleFor>;
  let service: TestService;
  let client: EngineClient;

  before(async function () {
    this.timeout(240_000);
    superuserUrl = await freshDatabase("owned");
    await withReaderRole(superuserUrl);
    role = roleFor(superuserUrl);
    await asSuperuser(superuserUrl, await statementsFor(role.name, role.password));
    service = await startTestService({ databaseUrl: role.url });
    client = new EngineClient(service.base);
  });
  after(async () => {
    await service?.stop();
    await dropRole(superuserUrl, role.name);
  });

  it("checks, takes documents in and deletes both", async () => {
    const { document_id } = await client.addDocument("source.txt", prose(1, 200));
    const report = await client.checked(prose(1, 200));
    expect(report.overall_similarity_pct).to.equal(100);
    const ofFile = await client.checkedFile("copy.txt", prose(1, 200));
    const original = await client.request(`/v1/checks/${ofFile.check_id}/original`);
    expect(await original.text()).to.equal(prose(1, 200));
    for (const path of [
      `/v1/checks/${report.check_id}`,
      `/v1/checks/${ofFile.check_id}`,
      `/v1/corpus/documents/${document_id}`,
    ]) {
      expect((await client.request(path, { method: "DELETE" })).status).to.equal(204);
    }
    expect((await client.request("/ready")).status).to.equal(200);
  });

  it("ingests and prunes a folder, refreshes, measures and rebuilds", async () => {
    const folder = await mkdtemp(join(tmpdir(), "owned-"));
    const say = () => undefined;
    const corpus = await openCorpus(service.options, log);
    try {
      await writeFile(join(folder, "a.txt"), prose(2, 100));
      await writeFile(join(folder, "b.txt"), prose(3, 100));
      const ingest = (prune: boolean) => corpus.ingestFolder({ folder, language: "en", prune, say });
      expect(await ingest(false)).to.include({ added: 2, failed: 0 });
      await rm(join(folder, "b.txt"));
      expect(await ingest(true)).to.include({ unchanged: 1, removed: 1 });
      await corpus.refreshStatistics();
      await corpus.rebuildIndex({ say, dropOld: false, restart: false });
    } finally {
      await corpus.close();
      await rm(folder, { recursive: true });
    }
  });

  it("loads statistics and lets their reader read them", async () => {
    const database = new Database(role.url, log);
    try {
      await loadSyntheticSet(createLoadStatistics({ database }));
    } finally {
      await database.close();
    }
    const [reader] = await asSuperuser<{ may: boolean }>(
      superuserUrl,
      "select has_table_privilege('similarity_statistics', 'similarity.statistics_rows', 'select') as may",
    );
    expect(reader).to.deep.equal({ may: true });
  });

  it("owns nothing beyond its two schemas, and can make no third", async () => {
    const outside = await asSuperuser(
      superuserUrl,
      `select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where relowner = $1::regrole and nspname !~ '^(similarity|similarity_jobs|pg_toast.*|pg_temp.*)$'`,
      [role.name],
    );
    expect(outside).to.deep.equal([]);
    const refusal = await asSuperuser(role.url, "create schema another").catch((error: Error) => error);
    expect(refusal)
      .to.be.an("error")
      .with.property("message")
      .that.matches(/permission denied/);
  });
});

/** The SQL of docs/security.md with the role's name; the statistics' role is one for all tests. */
async function statementsFor(name: string, password: string): Promise<string> {
  const sql = /```sql\n([\s\S]*?create schema similarity_jobs[^\n]*\n)/.exec(
    await readFile(SECURITY_PAGE, "utf8"),
  )?.[1];
  if (sql === undefined) throw new Error("docs/security.md has no SQL for the service's role");
  return sql
    .replace("create role similarity ", `create role ${name} `)
    .replaceAll("authorization similarity;", `authorization ${name};`)
    .replace("'…'", `'${password}'`);
}

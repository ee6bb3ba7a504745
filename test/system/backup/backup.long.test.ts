import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { ServiceOptions } from "../../../src/service/wire.ts";
import { runCommand } from "../../corpus/upkeep/rebuild-runs.ts";
import { EngineClient, type WireReport } from "../../support/client.ts";
import {
  type DumpableServer,
  dumpableServer,
  runPostgresProgram,
} from "../../support/processes/postgres-tools.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { freshPrefix, testStores } from "../../support/stores.ts";
import { prose } from "../../support/work/prose.ts";
import { findings } from "../faults/workload.ts";

const DOCUMENTS = 12;
const DOCUMENT_WORDS = 1_500;

/** Each takes a part of three documents. */
const QUERIES = Array.from({ length: 4 }, (_, query) =>
  [0, 1, 2].map((part) => documentOf(3 * query + part).slice(2_000 * part, 2_000 * part + 1_500)).join(" "),
);

/** As in docs/operations.md. */
const DUMP = ["--format=custom", "--schema=similarity", "--schema=similarity_jobs"];
const RESTORE = ["--no-owner", "--no-privileges", "--exit-on-error"];

describe("a backup of the database, put back beside an empty OpenSearch", function () {
  this.timeout(900_000);
  let server: DumpableServer | undefined;
  let folder: string | undefined;
  let restored: TestService | undefined;
  let client: EngineClient;
  let reported: ReadonlyMap<string, WireReport>;
  let waiting: string;

  before(async function () {
    server = await dumpableServer();
    if (server === undefined) {
      process.stderr.write(
        "pg_dump is not installed, or too old for the server and without one of its own\n",
      );
      this.skip();
    }
    folder = await mkdtemp(join(tmpdir(), "similarity-backup-"));
    const file = join(folder, "similarity.dump");
    const { opensearchNodes } = await testStores();
    const databaseUrl = await server.database("original");
    const original = { databaseUrl, opensearchIndexPrefix: freshPrefix() };
    reported = await withService(original, fill);
    waiting = await withService({ ...original, roles: ["engine"] }, (service) =>
      submitAndDump(service, databaseUrl, file),
    );

    const options = {
      databaseUrl: await server.database("restored"),
      opensearchNodes,
      opensearchIndexPrefix: freshPrefix(),
    };
    await runPostgresProgram("pg_restore", [...RESTORE, `--dbname=${options.databaseUrl}`, file]);
    const rebuild = await runCommand("corpus/rebuild", [], options).ended;
    expect(rebuild.status, rebuild.stderr).to.equal(0);
    restored = await startTestService(options);
    client = new EngineClient(restored.base);
  });
  after(async () => {
    await restored?.stop();
    await server?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it("gives every earlier report as it was", async () => {
    expect(reported.size).to.equal(QUERIES.length);
    for (const [checkId, report] of reported) {
      expect(report.sources).to.have.lengthOf(3);
      expect(await client.report(checkId)).to.deep.equal(report);
    }
  });

  it("does the check that was waiting when the copy was made, and finds what a check had found", async () => {
    expect((await client.ended(waiting)).status).to.equal("complete");
    const [first] = reported.values();
    expect(findings(await client.report(waiting))).to.deep.equal(first && findings(first));
  });

  it("finds in every text what was found before", async () => {
    const earlier = [...reported.values()].map(findings);
    for (const [at, query] of QUERIES.entries()) {
      expect(findings(await client.checked(query))).to.deep.equal(earlier[at]);
    }
  });

  it("has an index that agrees with the database", async () => {
    const options = restored?.options ?? expect.fail("not restored");
    const verified = await runCommand("corpus/verify", ["--json"], options).ended;
    expect(verified.status, verified.stdout).to.equal(0);
  });
});

function documentOf(seed: number): string {
  return prose(9_000 + seed, DOCUMENT_WORDS);
}

/** Gives the report of each query by its check. */
async function fill(client: EngineClient): Promise<ReadonlyMap<string, WireReport>> {
  for (let seed = 0; seed < DOCUMENTS; seed += 1) {
    await client.addDocument(`document-${seed}.txt`, documentOf(seed));
  }
  const reports = new Map<string, WireReport>();
  for (const query of QUERIES) {
    const report = await client.checked(query);
    reports.set(report.check_id, report);
  }
  return reports;
}

/** Copies the database while the service serves, with a check in line for which there is no worker. */
async function submitAndDump(client: EngineClient, databaseUrl: string, file: string): Promise<string> {
  const checkId = await client.submit(QUERIES[0] ?? "");
  await runPostgresProgram("pg_dump", [...DUMP, `--file=${file}`, databaseUrl]);
  return checkId;
}

async function withService<T>(
  changes: Partial<ServiceOptions>,
  work: (client: EngineClient) => Promise<T>,
): Promise<T> {
  const service = await startTestService(changes);
  try {
    return await work(new EngineClient(service.base));
  } finally {
    await service.stop();
  }
}

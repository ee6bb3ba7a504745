import { expect } from "chai";
import pg from "pg";
import { z } from "zod";
import type { EngineClient, WireReport } from "../support/client.ts";
import { EventReader } from "../support/event-reader.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../support/stores.ts";
import { findings, QUERIES, SOURCE_TEXTS, untilTrue } from "./faults/workload.ts";

const CHECKS = 20;

/** A worker runs two at once. */
const CUT_OFF_MAX = 2;

const JOBS = "select 1 from similarity_jobs.job where name = 'run-check'";

const Progress = z.object({ check_id: z.string(), status: z.string(), stage: z.string().nullish() });

describe("two engines and two workers on the same stores", function () {
  // Four processes start, and a killed worker is noticed after 15 s.
  this.timeout(600_000);
  let engines: readonly ServiceProcess[] = [];
  let workers: readonly ServiceProcess[] = [];
  let database: pg.Client;
  let undisturbed: readonly unknown[] = [];
  const told: z.output<typeof Progress>[] = [];

  before(async () => {
    const { opensearchNodes } = await testStores();
    const databaseUrl = await freshDatabase("replicas");
    const environment = {
      DATABASE_URL: databaseUrl,
      OPENSEARCH_URL: opensearchNodes.join(","),
      OPENSEARCH_INDEX_PREFIX: freshPrefix(),
      LOG_LEVEL: "warn",
    };
    // All at once, on empty stores: who comes first makes tables and index.
    const start = (ROLES: string) => ServiceProcess.start({ ...environment, ROLES });
    [engines, workers] = await Promise.all([
      Promise.all([start("engine"), start("engine")]),
      Promise.all([start("worker"), start("worker")]),
    ]);
    const client = clientOf(0);
    const documentIds: string[] = [];
    for (const [at, text] of SOURCE_TEXTS.entries())
      documentIds.push((await client.addDocument(`source-${at}.txt`, text)).document_id);
    await client.encoded(documentIds);
    const reports: WireReport[] = [];
    for (const query of QUERIES) reports.push(await client.checked(query));
    undisturbed = reports.map(findings);

    database = new pg.Client({ connectionString: databaseUrl, options: "-c search_path=similarity" });
    database.on("notification", ({ payload = "" }) => told.push(Progress.parse(JSON.parse(payload))));
    await database.connect();
    await database.query("listen similarity_check_progress");
  });
  after(async () => {
    await database?.end();
    await Promise.all([...engines, ...workers].map((process) => process.end("SIGKILL")));
  });

  function clientOf(engine: number): EngineClient {
    const one = engines[engine];
    if (one === undefined) throw new Error(`engine ${engine} does not run`);
    return one.client;
  }

  function submitted(client: EngineClient): Promise<string[]> {
    return Promise.all(
      Array.from({ length: CHECKS }, (_, at) => client.submit(QUERIES[at % QUERIES.length] ?? "")),
    );
  }

  async function expectUndisturbed(ids: readonly string[]): Promise<void> {
    for (const [at, checkId] of ids.entries()) {
      const report = findings(await clientOf(1).report(checkId));
      expect(report).to.deep.equal(undisturbed[at % QUERIES.length]);
    }
  }

  it("run each check once, and stream its progress from the engine that did not take it", async () => {
    told.length = 0;
    const ids = await submitted(clientOf(0));
    const streams = await Promise.all(
      ids.map(async (id) => new EventReader(await clientOf(1).request(`/v1/checks/${id}/progress`)).rest()),
    );
    expect(streams.map((events) => events.at(-1)?.event)).to.deep.equal(ids.map(() => "complete"));
    // The streams may tell of an end before this listener is told, and before the worker has put its job away.
    await untilTrue(async () => told.filter(({ status }) => status === "complete").length >= CHECKS);
    await untilTrue(async () => (await database.query(JOBS)).rowCount === 0);
    for (const checkId of ids) {
      const messages = told.filter(({ check_id }) => check_id === checkId);
      expect(messages.filter(({ stage }) => stage === "chunking")).to.have.lengthOf(1);
      expect(messages.filter(({ status }) => status === "complete")).to.have.lengthOf(1);
    }
    const { rows } = await database.query(
      `select count(*)::int as checks, sum(interruptions)::int as interruptions, sum(failed_attempts)::int as failures
         from checks where check_id = any($1)`,
      [ids],
    );
    expect(rows).to.deep.equal([{ checks: CHECKS, interruptions: 0, failures: 0 }]);
    await expectUndisturbed(ids);
  });

  it("lose nothing when one of each is killed: the others go on, and the reports are the same", async () => {
    told.length = 0;
    const ids = await submitted(clientOf(0));
    const cut = clientOf(0)
      .request(`/v1/checks/${ids.at(-1)}/progress`)
      .then((answer) => answer.text())
      .catch((error: unknown) => error);
    while (told.length < CHECKS) await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([engines[0]?.end("SIGKILL"), workers[0]?.end("SIGKILL")]);
    expect(await cut).to.be.instanceOf(Error);

    const checks = await Promise.all(ids.map((checkId) => clientOf(1).ended(checkId)));
    expect(checks.map(({ status }) => status)).to.deep.equal(ids.map(() => "complete"));
    const { rows } = await database.query<{ cut_off: number; failures: number }>(
      `select sum(interruptions)::int as cut_off, sum(failed_attempts)::int as failures from checks where check_id = any($1)`,
      [ids],
    );
    expect(rows[0]?.failures).to.equal(0);
    expect(rows[0]?.cut_off).to.be.at.most(CUT_OFF_MAX);
    await expectUndisturbed(ids);
    await untilTrue(async () => told.filter(({ status }) => status === "complete").length >= CHECKS);
    const ended = told.filter(({ status }) => status === "complete").map(({ check_id }) => check_id);
    expect(ended.toSorted()).to.deep.equal(ids.toSorted());
  });
});

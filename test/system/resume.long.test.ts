import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import pg from "pg";
import type { CheckStage } from "../../src/checks/check.ts";
import type { WireReport } from "../support/client.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshSettings } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";

/** Long enough that a check of it can be met in any stage. */
const QUERY = prose(41, 80_000).slice(0, 490_000);

describe("decisions, Engine: checks, a check that is interrupted", () => {
  let environment: Record<string, string>;
  let service: ServiceProcess;
  let database: pg.Client;
  let undisturbed: WireReport;

  before(async function () {
    this.timeout(600_000);
    environment = {
      ...(await freshSettings()),
      LOG_LEVEL: "warn",
    };
    service = await ServiceProcess.start(environment);
    database = new pg.Client({
      connectionString: environment.DATABASE_URL,
      options: "-c search_path=similarity",
    });
    await database.connect();
    const documentIds: string[] = [];
    for (const part of [0, 1, 2]) {
      const text = QUERY.slice(part * 120_000, part * 120_000 + 90_000);
      documentIds.push((await service.client.addDocument(`part-${part}.txt`, text)).document_id);
    }
    await service.client.encoded(documentIds);
    undisturbed = await service.client.checked(QUERY);
    expect(undisturbed.sources).to.have.lengthOf(3);
  });

  after(async () => {
    await database.end();
    await service.end("SIGTERM");
  });

  for (const stage of ["retrieving", "aligning"] as const) {
    it(`goes on by itself after a kill while ${stage}, and completes with the same report`, async function () {
      this.timeout(600_000);
      const checkId = await caughtWhile(service, stage);
      await service.end("SIGKILL");
      service = await ServiceProcess.start(environment);
      const before = await service.client.check(checkId);
      expect(before.status).to.be.oneOf(["pending", "running"]);
      expect((await service.client.ended(checkId)).status).to.equal("complete");
      expect(comparable(await service.client.report(checkId))).to.deep.equal(comparable(undisturbed));
    });
  }

  it("is handed back by a stop, picked up by the next start, and completes with the same report", async function () {
    this.timeout(600_000);
    const checkId = await caughtWhile(service, "retrieving");
    expect(await service.end("SIGTERM")).to.equal(0);
    service = await ServiceProcess.start(environment);
    expect((await service.client.ended(checkId)).status).to.equal("complete");
    expect(comparable(await service.client.report(checkId))).to.deep.equal(comparable(undisturbed));
    // A run that was not handed back is only noticed after its heartbeat, and counts as interrupted.
    const { rows } = await database.query("select interruptions from checks where check_id = $1", [checkId]);
    expect(rows).to.deep.equal([{ interruptions: 0 }]);
  });

  it("ends open progress streams when the service stops", async () => {
    const checkId = await caughtWhile(service, "retrieving");
    const stream = await service.client.request(`/v1/checks/${checkId}/progress`);
    const text = stream.text();
    await service.end("SIGTERM");
    expect(await text).not.to.include("event: failed");
    service = await ServiceProcess.start(environment);
    expect((await service.client.ended(checkId)).status).to.equal("complete");
  }).timeout(600_000);
});

/** A check that has come to a stage. On a busy machine, a check may pass it before anybody looks; then another one is made. */
async function caughtWhile({ client }: ServiceProcess, stage: CheckStage): Promise<string> {
  for (;;) {
    const checkId = await client.submit(QUERY);
    for (let status = ""; status !== "complete"; await sleep(2)) {
      const check = await client.check(checkId);
      if (check.stage === stage && (stage !== "retrieving" || check.chunks_done > 0)) return checkId;
      status = check.status;
    }
  }
}

/** A report without what must differ between two checks of one text. */
function comparable({ check_id, created_at, completed_at, duration_seconds, ...rest }: WireReport) {
  return rest;
}

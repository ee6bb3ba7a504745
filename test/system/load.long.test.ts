import { expect } from "chai";
import { peakMemoryMb } from "../../measure/benchmark/check-benchmark.ts";
import { type FloodOutcome, flood } from "../../measure/load/flood.ts";
import { longestTexts, mixedTexts } from "../../measure/load/load-texts.ts";
import { addSources } from "../../measure/load/mixed-work.ts";
import { CheckList, Submitted } from "../../src/checks/api/schema.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshSettings } from "../support/stores.ts";

const WAITING_MAX = 5;
const CHECKS = 40;
const LONGEST = 40;

/** Where one process of the service must stay, whatever comes; an idle one has some 200. */
const MEMORY_MAX_MB = 1_500;

describe("more checks at once than may wait", function () {
  this.timeout(600_000);
  let service: ServiceProcess;

  before(async () => {
    service = await ServiceProcess.start({
      ...(await freshSettings("load")),
      WAITING_FACTOR: String(WAITING_MAX / 1_000),
      ROLES: "engine,worker",
      LOG_LEVEL: "error",
    });
    await addSources(service.client);
  });
  after(() => service?.end("SIGKILL"));

  /** Each check that was accepted is there and complete, and nothing else is. */
  async function expectAllKept({ checkIds, statuses, withoutRetryAfter, health }: FloodOutcome) {
    expect(statuses).to.deep.equal({ complete: checkIds.length });
    expect(withoutRetryAfter).to.equal(0);
    expect(health.answers).to.be.above(0);
    const answer = await service.client.request("/v1/checks?status=complete");
    expect(CheckList.parse(await answer.json()).total).to.equal(checkIds.length);
  }

  it("come through when they are sent again, with streams open and some of them unread", async () => {
    const outcome = await flood(service.client, {
      ...{ texts: mixedTexts(CHECKS), keepsTrying: true, streams: CHECKS / 2, unread: 4 },
    });
    expect(outcome.checkIds).to.have.lengthOf(CHECKS);
    expect(outcome.refused).to.be.above(0);
    await expectAllKept(outcome);
  });

  it("are refused in part when they are as long as may be, and the memory stays within bounds", async () => {
    const answers = await Promise.all(
      longestTexts(LONGEST).map((query_text) => service.client.json("POST", "/v1/checks", { query_text })),
    );
    const accepted = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status === 503);
    expect(accepted.length).to.be.at.least(WAITING_MAX);
    expect(accepted.length + refused.length).to.equal(LONGEST);
    for (const { headers } of refused) expect(Number(headers.get("retry-after"))).to.be.above(0);
    for (const answer of accepted) {
      const { check_id } = Submitted.parse(await answer.json());
      // To run them all would take a minute.
      const { status } = await service.client.request(`/v1/checks/${check_id}`, { method: "DELETE" });
      expect(status).to.equal(204);
    }
    const memoryMb = await peakMemoryMb(service.pid);
    // Not a number where the system keeps no such mark.
    if (!Number.isNaN(memoryMb)) expect(memoryMb).to.be.below(MEMORY_MAX_MB);
  });
});

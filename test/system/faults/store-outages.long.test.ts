import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { z } from "zod";
import type { EngineClient } from "../../support/client.ts";
import { recordFault } from "../../support/faults/fault-record.ts";
import { OwnStores, type Store } from "../../support/processes/own-stores.ts";
import { mulberry32 } from "../../support/work/prose.ts";
import { closeAfterTests, TriedService } from "./tried-service.ts";
import { CHECKS, findings, QUERIES, UPLOADS, untilTrue, type Workload } from "./workload.ts";

const PAUSE_MS = Number(process.env.FAULT_PAUSE_SECONDS ?? 60) * 1_000;
const KILLS = Number(process.env.FAULT_STORE_KILLS ?? 5);
const PAUSES = 2;

/** A restart of OpenSearch takes 10 s on a machine with nothing else to do, and two minutes on a busy one. */
const TRY_TIMEOUT_MS = 600_000;

/** More than a request to a store that hangs may take; a request that is not answered at all fails the test. */
const ANSWER_MAX_MS = 25_000;

const OTHER = { postgres: "opensearch", opensearch: "postgres" } as const satisfies Record<Store, Store>;

type Outage = {
  readonly name: string;
  readonly store: Store;
  readonly tries: number;
  readonly begin: (stores: OwnStores) => Promise<void> | void;
  /** How long it lasts beyond the time that it takes to look at it. */
  readonly lastsMs: number;
  readonly end: (stores: OwnStores) => Promise<void> | void;
};

const OUTAGES: readonly Outage[] = [
  {
    name: "PostgreSQL is killed (SIGKILL) and started again",
    store: "postgres",
    tries: KILLS,
    begin: (stores) => stores.kill("postgres"),
    lastsMs: 0,
    end: (stores) => stores.start("postgres"),
  },
  {
    name: "PostgreSQL is stopped at once (immediate) and started again",
    store: "postgres",
    tries: KILLS,
    begin: (stores) => stores.kill("postgres", "SIGQUIT"),
    lastsMs: 0,
    end: (stores) => stores.start("postgres"),
  },
  {
    name: `OpenSearch hangs for ${PAUSE_MS / 1_000} s (SIGSTOP)`,
    store: "opensearch",
    tries: PAUSES,
    begin: (stores) => stores.pause("opensearch"),
    lastsMs: PAUSE_MS,
    end: (stores) => stores.resume("opensearch"),
  },
  {
    name: `PostgreSQL hangs for ${PAUSE_MS / 1_000} s (SIGSTOP)`,
    store: "postgres",
    tries: PAUSES,
    begin: (stores) => stores.pause("postgres"),
    lastsMs: PAUSE_MS,
    end: (stores) => stores.resume("postgres"),
  },
  {
    name: "OpenSearch is killed and started again",
    store: "opensearch",
    tries: KILLS,
    begin: (stores) => stores.kill("opensearch"),
    lastsMs: 0,
    end: (stores) => stores.start("opensearch"),
  },
];

describe(`a store that is away, with ${CHECKS} checks and ${UPLOADS} uploads under way`, function () {
  this.timeout(TRY_TIMEOUT_MS * KILLS);
  let stores: OwnStores;
  let service: TriedService;
  /** Submitted to see whether they are taken during an outage. */
  const extraChecks: string[] = [];
  const random = mulberry32(8);

  before(async () => {
    stores = await OwnStores.open();
    service = await TriedService.open({ ...addresses(stores), opensearchIndexPrefix: "faults-" });
  });
  closeAfterTests(() => service);
  after(() => stores?.close());

  for (const outage of OUTAGES) {
    it(`costs nothing but time when ${outage.name}`, async () => {
      let [healSeconds, readySeconds, reconnects] = [0, 0, 0];
      for (let number = 1; number <= outage.tries; number += 1) {
        const workload = service.newWorkload();
        workload.begin();
        await sleep(random() * service.undisturbedMs);
        const began = performance.now();
        await outage.begin(stores);
        await expectHonest(outage.store);
        await sleep(Math.max(0, outage.lastsMs - (performance.now() - began)));
        await outage.end(stores);
        const ended = performance.now();
        const seconds = () => (performance.now() - ended) / 1000;
        await untilTrue(async () => (await service.client.request("/ready")).status === 200);
        readySeconds = Math.max(readySeconds, seconds());
        await workload.end();
        for (const checkId of extraChecks)
          expect((await service.client.ended(checkId)).status).to.equal("complete");
        healSeconds = Math.max(healSeconds, seconds());
        expectRefusedProperly(workload);
        await workload.expectUnchanged(service.undisturbed);
        await service.expectTidy(workload, extraChecks.length);
        reconnects += workload.reconnects;
        console.log(
          `      ${number}: ${workload.refusals.length} refusals, done ${seconds().toFixed(1)} s after the end`,
        );
      }
      recordFault({
        fault: outage.name,
        under: `${CHECKS} checks, ${UPLOADS} uploads`,
        tries: outage.tries,
        lost: 0,
        healSeconds,
        more: { "ready after (s)": readySeconds, "streams opened again": reconnects },
      });
    });
  }

  /** What the service says during the outage, with the time that it may take for that. */
  async function expectHonest(store: Store): Promise<void> {
    const { client } = service;
    await untilTrue(async () => (await asked(client, "/ready")).status === 503);
    const { checks } = Readiness.parse(await (await asked(client, "/ready")).json());
    expect(checks[OTHER[store]]).to.equal("ok");
    expect(checks[store]).not.to.equal("ok");
    const health = await asked(client, "/health");
    expect([health.status, await health.json()]).to.deep.equal([200, { status: "ok" }]);
    if (store === "postgres") return expectUnavailable(client);
    // Nothing but the worker needs OpenSearch: what has been found is there to be read, and new work is taken.
    expect((await asked(client, "/v1/checks")).status).to.equal(200);
    expect((await asked(client, "/v1/corpus/documents")).status).to.equal(200);
    expect(findings(await client.report(service.knownCheckId))).to.deep.equal(service.undisturbed[0]);
    extraChecks.push(await client.submit(QUERIES[0] ?? ""));
  }

  async function expectUnavailable(client: EngineClient): Promise<void> {
    for (const ask of [
      () => asked(client, "/v1/checks"),
      () => asked(client, "/v1/checks", { query_text: "A text." }),
    ]) {
      const answer = await ask();
      expect(answer.status).to.equal(503);
      expect(Number(answer.headers.get("retry-after"))).to.be.at.least(1);
    }
  }
});

function addresses({ databaseUrl, opensearchNodes }: OwnStores) {
  return { databaseUrl, opensearchNodes };
}

/** @throws when the answer does not come: an outage of a store is no reason to leave a client without one. */
function asked(client: EngineClient, path: string, body?: object): Promise<Response> {
  return client.request(path, {
    signal: AbortSignal.timeout(ANSWER_MAX_MS),
    ...(body !== undefined && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
}

function expectRefusedProperly({ refusals }: Workload): void {
  for (const { status, retryAfter } of refusals) {
    expect(status).to.equal(503);
    expect(retryAfter).to.be.at.least(1);
  }
}

const Readiness = z.object({ ready: z.literal(false), checks: z.record(z.string(), z.string()) });

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../../src/platform/postgres/database.ts";
import { BatchClient } from "../../batches/batch-client.ts";
import { EngineClient } from "../../support/client.ts";
import { MetricsText } from "../../support/metrics-text.ts";
import { type Received, WebhookReceiver } from "../../support/servers/webhook-receiver.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { prose } from "../../support/work/prose.ts";

const SECRET = `whsec_${randomBytes(32).toString("base64")}`;

describe("the events of a service", function () {
  this.timeout(120_000);
  let service: TestService;
  let client: EngineClient;
  let database: Database;
  let healthy: WebhookReceiver;
  /** Accepts connections and never answers. */
  let hanging: WebhookReceiver;

  before(async function () {
    this.timeout(240_000);
    healthy = await WebhookReceiver.start(SECRET);
    hanging = await WebhookReceiver.start(SECRET);
    hanging.reply = () => undefined;
    service = await startTestService({
      webhookUrls: [healthy.url, hanging.url],
      webhookSecret: [SECRET],
    });
    client = new EngineClient(service.base);
    database = new Database(service.options.databaseUrl, pino({ level: "silent" }));
  });
  after(async () => {
    await hanging?.stop();
    await service?.stop();
    await database?.close();
    await healthy?.stop();
  });

  /** The event of a type about an object, once it has arrived. */
  async function arrived(type: string, id: string): Promise<Received> {
    for (;;) {
      const found = healthy.received.find((one) => one.type === type && Object.values(one.data).includes(id));
      if (found !== undefined) return found;
      await sleep(20);
    }
  }

  async function metrics(): Promise<MetricsText> {
    return new MetricsText(await (await client.request("/metrics")).text());
  }

  it("tell of a check that is complete what its report says, without its texts", async () => {
    const text = prose(911, 200);
    const document = await client.addDocument("source.txt", text);
    const checkId = await client.submit(`${text} ${prose(912, 100)}`, { title: "A secret title" });
    const check = await client.ended(checkId);
    const { type, timestamp, data, body } = await arrived("check.completed", checkId);
    expect(check.overall_similarity_pct).to.be.above(50);
    expect({ type, timestamp, data }).to.deep.equal({
      type: "check.completed",
      timestamp: check.completed_at,
      data: {
        check_id: checkId,
        status: "complete",
        overall_similarity_pct: check.overall_similarity_pct,
        coverage: check.coverage,
        created_at: check.created_at,
        started_at: check.started_at,
        completed_at: check.completed_at,
        status_url: `/v1/checks/${checkId}`,
        report_url: `/v1/checks/${checkId}/report`,
      },
    });
    for (const url of [data.status_url, data.report_url])
      expect((await client.request(String(url))).status).to.equal(200);
    expect(body).not.to.include("secret title");

    const uploaded = await arrived("document.completed", document.document_id);
    expect(uploaded.data).to.deep.equal({
      document_id: document.document_id,
      fingerprint_status: "fingerprinted",
      created_at: document.created_at,
      fingerprinted_at: document.fingerprinted_at,
      document_url: `/v1/corpus/documents/${document.document_id}`,
    });
    expect((await client.request(String(uploaded.data.document_url))).status).to.equal(200);
  });

  it("tell of a check that has failed", async () => {
    // As if the workers had been killed again and again while the check ran.
    await database.query("alter table checks alter column interruptions set default 100");
    const checkId = await client.submit(prose(913, 30));
    await database.query("alter table checks alter column interruptions set default 0");
    const check = await client.ended(checkId);
    expect(check.status).to.equal("failed");
    const { data } = await arrived("check.failed", checkId);
    expect(data).to.include({ status: "failed", overall_similarity_pct: null, report_url: null });
    expect(data.completed_at).to.equal(check.completed_at);
  });

  it("tell of a batch when it is complete, each time, and not of its members", async () => {
    const batches = new BatchClient(() => client);
    const members = [1, 2, 3].map((at) => ({
      name: `member ${at}`,
      text: `${prose(920, 60)} ${prose(920 + at, 60)}`,
    }));
    const batchId = await batches.submit(members, { title: "A secret title", compare_with: "both" });
    const batch = await batches.ended(batchId);
    const first = await arrived("batch.completed", batchId);
    expect(first.data).to.deep.equal({
      batch_id: batchId,
      status: "complete",
      members_total: 3,
      members_read: 3,
      members_compared: 3,
      members_failed: 0,
      pairs_found: 3,
      created_at: batch.created_at,
      completed_at: batch.completed_at,
      status_url: `/v1/batches/${batchId}`,
      report_url: `/v1/batches/${batchId}/report`,
    });
    expect(first.body).not.to.include("secret title");
    await batches.add(batchId, [{ name: "member 4", text: prose(930, 60) }]);
    await batches.ended(batchId);
    const about = () => healthy.received.filter(({ data }) => data.batch_id === batchId);
    while (about().length < 2) await sleep(20);
    expect(about().map(({ data }) => data.members_total)).to.deep.equal([3, 4]);
    const memberIds = batch.members.map(({ check_id }) => check_id);
    expect(healthy.received.filter(({ data }) => memberIds.includes(String(data.check_id)))).to.deep.equal(
      [],
    );
  });

  it("reach a target while another one hangs, which gets few connections", async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, at) => client.submit(prose(940 + at, 40))));
    for (const id of ids) expect((await client.ended(id)).status).to.equal("complete");
    for (const id of ids) await arrived("check.completed", id);
    expect(healthy.faults).to.deep.equal([]);
    expect(new Set(healthy.received.map(({ id }) => id)).size, "each once").to.equal(healthy.received.length);
    while (hanging.received.length === 0) await sleep(20);
    expect(hanging.connectionsMax).to.be.at.most(2);
  });

  it("are counted in /metrics, by target", async () => {
    const [up, down] = [healthy, hanging].map(({ url }) => new URL(url).host);
    const delivered = { target: up ?? "", outcome: "delivered" };
    let figures = await metrics();
    // A delivery is counted once its end is written, which is a little after it has arrived.
    while (figures.sum("similarity_webhook_attempts_total", delivered) !== healthy.received.length) {
      await sleep(20);
      figures = await metrics();
    }
    expect(figures.sum("similarity_webhook_attempts_total", delivered)).to.equal(healthy.received.length);
    expect(figures.sum("similarity_webhook_deliveries_waiting", { target: up ?? "" })).to.equal(0);
    expect(figures.sum("similarity_webhook_deliveries_waiting", { target: down ?? "" })).to.equal(
      healthy.received.length,
    );
    expect(figures.sum("similarity_webhook_oldest_waiting_seconds", { target: down ?? "" })).to.be.above(0);
  });

  it("reach a target that was down for an hour, in their order, once it answers", async () => {
    const expected = healthy.received.map(({ id }) => id);
    hanging.recover();
    hanging.received.length = 0;
    // An hour later: the deliveries that wait for their next attempt are due.
    const due = () =>
      database.query(
        "update similarity_jobs.job set start_after = now() where name like 'webhook-%' and state = 'retry'",
      );
    while (new Set(hanging.received.map(({ id }) => id)).size < expected.length) {
      await due();
      await sleep(200);
    }
    expect(new Set(hanging.received.map(({ id }) => id))).to.deep.equal(new Set(expected));
    // An event may come again when its answer was not read in time.
    const once = new Map(hanging.received.map((one) => [one.id, one]));
    const batches = [...once.values()].filter(({ type }) => type === "batch.completed");
    expect(batches.map(({ data }) => data.members_total)).to.deep.equal([3, 4]);
  });
});

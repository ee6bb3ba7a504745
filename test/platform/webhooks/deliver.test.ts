import { randomBytes, randomUUID } from "node:crypto";
import { expect } from "chai";
import { pino } from "pino";
import { HandedBack } from "../../../src/platform/domain-error.ts";
import { JobQueue } from "../../../src/platform/postgres/job-queue.ts";
import { createDeliverWebhook, createPurgeWebhooks } from "../../../src/platform/webhooks/deliver-webhook.ts";
import { WebhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import { Webhooks, webhookTargets } from "../../../src/platform/webhooks/webhooks.ts";
import { WebhookReceiver } from "../../support/servers/webhook-receiver.ts";
import { useCorpus } from "../../support/use-corpus.ts";

const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const NEVER = new AbortController().signal;

describe("delivering an event", function () {
  this.timeout(120_000);
  const opened = useCorpus();
  let receiver: WebhookReceiver;
  let webhooks: Webhooks;
  let queue: JobQueue;
  let log: string[];

  beforeEach(async () => {
    receiver = await WebhookReceiver.start(SECRET);
    log = [];
    await sendTo(receiver.url);
    await opened.corpus.database.query("delete from webhook_deliveries");
  });
  afterEach(async () => {
    await receiver.stop();
    await queue.stop(1_000);
  });

  /** Makes the queue of a target, as a start does; nobody works on it but the test. */
  async function sendTo(url: string): Promise<void> {
    const targets = webhookTargets([url]);
    const { databaseUrl } = opened.options;
    const queues = targets.map((target) => target.queue);
    queue = new JobQueue(databaseUrl, { queues, works: false, log: pino({ level: "silent" }) });
    await queue.start();
    webhooks = new Webhooks(targets, queue);
  }

  function parts() {
    const stream = { write: (line: string) => void log.push(line) };
    const { database, metrics } = opened.corpus;
    return { database, metrics, webhooks, log: pino({ level: "trace" }, stream) };
  }

  function deliverer(more: { readonly timeoutMs?: number; readonly now?: () => Date } = {}) {
    const [target] = webhooks.targets;
    if (target === undefined) throw new Error("no target");
    return createDeliverWebhook({ ...parts(), secrets: [SECRET], pauseMaxMs: 0, ...more }, target);
  }

  async function record(objectId: string = randomUUID(), place = 1): Promise<string> {
    const data = { check_id: objectId, place };
    await opened.corpus.database.transaction((transaction) =>
      webhooks.record(transaction, { type: "check.completed", objectId, at: new Date(), data }),
    );
    const [row] = await opened.corpus.database.query<{ id: string }>(
      "select delivery_id as id from webhook_deliveries where object_id = $1 order by seq desc limit 1",
      [objectId],
    );
    return row?.id ?? "";
  }

  async function stateOf(deliveryId: string) {
    const [row] = await opened.corpus.database.query(
      `select outcome, attempts, last_fault as fault, payload is not null as "isKept" from webhook_deliveries where delivery_id = $1`,
      [deliveryId],
    );
    return row;
  }

  /** The deliveries that have a job. */
  async function jobs(): Promise<string[]> {
    const [target] = webhooks.targets;
    const rows = await opened.corpus.database.query<{ id: string }>(
      "select id from similarity_jobs.job where name = $1 and state in ('created', 'retry')",
      [target?.queue.name],
    );
    return rows.map(({ id }) => id);
  }

  /** Makes all waiting events older. */
  function age(hours: number) {
    return opened.corpus.database.query(
      "update webhook_deliveries set created_at = created_at - make_interval(hours => $1) where ended_at is null",
      [hours],
    );
  }

  async function failure(work: Promise<void>): Promise<string> {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(HandedBack);
    return error instanceof Error ? error.message : "";
  }

  it("sends it once, signed, and keeps no payload of it", async () => {
    const id = await record();
    expect(await jobs()).to.include(id);
    const deliver = deliverer();
    await deliver(id, NEVER);
    await deliver(id, NEVER);
    expect(receiver.faults).to.deep.equal([]);
    expect(receiver.received.map(({ type }) => type)).to.deep.equal(["check.completed"]);
    expect(await stateOf(id)).to.deep.equal({
      outcome: "delivered",
      attempts: 1,
      fault: null,
      isKept: false,
    });
  });

  it("sends nothing that was rolled back", async () => {
    const objectId = randomUUID();
    const rolledBack = opened.corpus.database.transaction(async (transaction) => {
      await webhooks.record(transaction, { type: "check.failed", objectId, at: new Date(), data: {} });
      throw new Error("rolled back");
    });
    await rolledBack.catch((error: unknown) => expect(String(error)).to.include("rolled back"));
    const rows = await opened.corpus.database.query("select 1 from webhook_deliveries where object_id = $1", [
      objectId,
    ]);
    expect(rows).to.deep.equal([]);
    expect(await jobs()).to.deep.equal([]);
  });

  for (const status of [302, 307, 400, 404, 429, 500, 503]) {
    it(`repeats it after the status ${status}, by the same identifier, and follows no redirect`, async () => {
      receiver.reply = (response) =>
        response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end("a page");
      const id = await record();
      const deliver = deliverer();
      for (let attempt = 1; attempt <= 4; attempt += 1)
        expect(await failure(deliver(id, NEVER))).to.include(`status ${status}`);
      expect(await stateOf(id)).to.include({ outcome: null, attempts: 4, fault: `status ${status}` });
      receiver.recover();
      await deliver(id, NEVER);
      expect(await stateOf(id)).to.include({ outcome: "delivered", attempts: 5 });
      expect(receiver.received).to.have.lengthOf(5);
      expect(new Set(receiver.received.map((one) => `${one.id} ${one.body}`)).size).to.equal(1);
    });
  }

  it("gives it up at once when the receiver says that it is gone (410)", async () => {
    receiver.reply = (response) => response.writeHead(410).end();
    const id = await record();
    await deliverer()(id, NEVER);
    expect(await stateOf(id)).to.include({ outcome: "given_up", fault: "status 410", isKept: false });
  });

  it("repeats it when nobody listens, or when the receiver answers too late", async () => {
    receiver.reply = () => undefined;
    const id = await record();
    expect(await failure(deliverer({ timeoutMs: 100 })(id, NEVER))).to.include("no answer in time");
    const deliver = deliverer();
    const { port } = receiver;
    await receiver.stop();
    expect(await failure(deliver(id, NEVER))).to.include("ECONNREFUSED");
    receiver = await WebhookReceiver.start(SECRET, port);
    await deliver(id, NEVER);
    expect(await stateOf(id)).to.include({ outcome: "delivered", attempts: 3 });
  });

  it("repeats it for a day, and is then given up, by its own job or by the hourly one", async () => {
    receiver.reply = (response) => response.writeHead(500).end();
    const deliver = deliverer();
    const [first, second] = [await record(), await record()];
    await age(23);
    await failure(deliver(first, NEVER));
    await createPurgeWebhooks(parts())("scheduled", NEVER);
    expect(await stateOf(second)).to.include({ outcome: null });
    await age(1);
    await deliver(first, NEVER);
    await createPurgeWebhooks(parts())("scheduled", NEVER);
    for (const id of [first, second]) expect(await stateOf(id)).to.include({ outcome: "given_up" });
    expect(receiver.received).to.have.lengthOf(1);
  });

  it("is signed with the time of each attempt, as receivers refuse an old one", async () => {
    const id = await record();
    const hourAgo = new Date(Date.now() - 3_600_000);
    expect(await failure(deliverer({ now: () => hourAgo })(id, NEVER))).to.include("status 400");
    expect(receiver.faults).to.deep.equal(["Message timestamp too old"]);
    await deliverer()(id, NEVER);
    expect(receiver.received).to.have.lengthOf(1);
  });

  it("gives the events of one object in their order, and holds up no other object", async () => {
    receiver.reply = (response) => response.writeHead(500).end();
    const objectId = randomUUID();
    const ids = [await record(objectId, 1), await record(objectId, 2), await record(objectId, 3)];
    const other = await record();
    expect((await jobs()).toSorted()).to.deep.equal([ids[0] ?? "", other].toSorted());
    const deliver = deliverer();
    await failure(deliver(ids[0] ?? "", NEVER));
    receiver.recover();
    receiver.received.length = 0;
    await deliver(other, NEVER);
    for (const id of ids) {
      expect(await jobs()).to.include(id);
      await deliver(id, NEVER);
    }
    const places = receiver.received.filter(({ data }) => data.check_id === objectId);
    expect(places.map(({ data }) => data.place)).to.deep.equal([1, 2, 3]);
  });

  it("goes on with the next event of an object when one is given up", async () => {
    receiver.reply = (response) => response.writeHead(410).end();
    const objectId = randomUUID();
    const [first, second] = [await record(objectId, 1), await record(objectId, 2)];
    expect(await jobs()).not.to.include(second);
    await deliverer()(first, NEVER);
    expect(await jobs()).to.include(second);
  });

  it("loses no event that is recorded while the one before it ends", async () => {
    const deliver = deliverer();
    for (let round = 0; round < 20; round += 1) {
      const objectId = randomUUID();
      const first = await record(objectId, 1);
      const [, second] = await Promise.all([deliver(first, NEVER), record(objectId, 2)]);
      expect(await jobs()).to.include(second);
    }
  });

  it("stops when the service does, without counting an attempt", async () => {
    receiver.reply = () => undefined;
    const id = await record();
    const stopping = new AbortController();
    const stopped = deliverer()(id, stopping.signal);
    while (receiver.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stopping.abort(new HandedBack("the service stops"));
    expect(await failure(stopped)).to.equal("the service stops");
    expect(await stateOf(id)).to.include({ outcome: null, attempts: 0 });
  });

  it("writes neither the secret nor the path of a target to the log or to a table", async () => {
    const { database } = opened.corpus;
    const secretUrl = `http://127.0.0.1:${receiver.port}/hooks/token-4711`;
    await queue.stop(1_000);
    await sendTo(secretUrl);
    receiver.reply = (response) => response.writeHead(500).end(secretUrl);
    const id = await record();
    await failure(deliverer()(id, NEVER));
    await receiver.stop();
    await failure(deliverer()(id, NEVER));
    await age(24);
    await deliverer()(id, NEVER);
    const rows = await database.query("select to_jsonb(webhook_deliveries) as row from webhook_deliveries");
    const job = await database.query("select to_jsonb(job) as row from similarity_jobs.job");
    expect(log.length).to.be.above(2);
    const written = `${log.join("")}${JSON.stringify([rows, job])}`;
    for (const { host, targetId } of webhooks.targets)
      expect(written).to.include(host).and.to.include(targetId);
    expect(written).not.to.include("token-4711");
    expect(written).not.to.include(SECRET.slice("whsec_".length));
    receiver = await WebhookReceiver.start(SECRET);
  });

  it("removes the history of a delivery after a week, and no waiting one", async () => {
    const [ended, waiting] = [await record(), await record()];
    await deliverer()(ended, NEVER);
    const { database } = opened.corpus;
    await createPurgeWebhooks(parts())("scheduled", NEVER);
    expect(await stateOf(ended)).to.include({ outcome: "delivered" });
    await database.query("update webhook_deliveries set ended_at = ended_at - interval '8 days'");
    await createPurgeWebhooks(parts())("scheduled", NEVER);
    expect(await stateOf(ended)).to.equal(undefined);
    expect(await stateOf(waiting)).to.include({ outcome: null });
    expect((await new WebhookStore().backlog(database)).map((one) => one.waiting)).to.deep.equal([1]);
  });
});

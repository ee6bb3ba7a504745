import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { StoreLink } from "../support/faults/store-link.ts";
import { freshDatabase, testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";
import { sendRaw } from "./raw-request.ts";
import { EventReceiver, type PluginClient, register, useCoreApi } from "./use-core-api.ts";

describe("the traps of the clients", function () {
  this.timeout(240_000);
  const api = useCoreApi();

  it("two Content-Type lines: the body of an upload is taken as it is", async () => {
    const id = await api.first.create();
    const body = Buffer.from("The ferry leaves at six, and whoever misses it waits until the tide turns.");
    const headers = [
      ["Authorization", `Bearer ${api.first.key}`],
      ["Content-Type", "application/json"],
      ["Content-Type", "binary/octet-stream"],
      ["Content-Disposition", 'inline; filename="onlinetext_1.txt"'],
    ] as const;
    const answer = await sendRaw(api.base, `PUT /api/v1/submissions/${id}/original`, headers, body);
    expect(answer.status).to.equal(202);
    const read = await api.first.until(`/submissions/${id}`, ({ status }) => status !== "PROCESSING");
    expect(read).to.include({ status: "COMPLETE", character_count: body.length });
  });

  it("a percent-encoded Content-Disposition: the type of a file is known by its name where only the name says it", async () => {
    const id = await api.first.create();
    const response = await api.first.request("PUT", `/api/v1/submissions/${id}/original`, {
      headers: {
        "Content-Type": "binary/octet-stream",
        "Content-Disposition": "inline%3B+filename%3D%22F%C3%A4hre+%26+%22Hafen%22+100%25.html%22",
      },
      body: "<p>The ferry leaves at <b>six</b>.</p>",
    });
    expect(response.status).to.equal(202);
    const read = await api.first.until(`/submissions/${id}`, ({ status }) => status !== "PROCESSING");
    expect(read).to.include({ status: "COMPLETE", content_type: "text/html", word_count: 5 });
  });

  it("eula/latest is always answered", async () => {
    const eula = await api.first.expect(200, "GET", "/eula/latest?lang=de-DE");
    expect(eula).to.include({ version: "v1", valid_until: null });
    const page = eula.url.replace("en-US", "de-de");
    expect((await fetch(page)).status).to.equal(200);
    expect((await fetch(`${eula.url}?lang=de-DE`)).headers.get("content-type")).to.match(/^text\/html/);
    await api.first.expect(404, "GET", "/eula/v0");
    await api.first.expect(404, "POST", "/eula/v0/accept", { user_id: "user_3" });
    const accepted = await api.first.expect(200, "POST", "/eula/v1/accept", {
      user_id: "user_3",
      accepted_timestamp: "2026-11-28T11:34:55+00:00",
      language: "de-DE",
    });
    expect(accepted).to.deep.equal({
      user_id: "user_3",
      accepted_timestamp: "2026-11-28T11:34:55.000Z",
      language: "de-DE",
      version: "v1",
    });
    await api.first.expect(200, "GET", "/eula/v1/accept/user_3");
    await api.first.expect(404, "GET", "/eula/v1/accept/user_4");
  });
});

describe("the trap of webhooks", function () {
  this.timeout(240_000);
  const api = useCoreApi();
  const receiver = new EventReceiver();
  before(() => receiver.start());
  after(() => receiver.stop());

  it("an address that is sent again: 201 with the new secret, in place of the earlier webhook", async () => {
    expect((await register(api.first, receiver, { signing_secret: "b2xk" })).status).to.equal(201);
    const again = await register(api.first, receiver);
    expect(again.status).to.equal(201);
    const added = await again.json();
    expect(added).to.not.have.property("signing_secret");
    expect(await api.first.expect(200, "GET", "/webhooks")).to.deep.equal([added]);
    expect(await api.second.expect(200, "GET", "/webhooks")).to.deep.equal([]);
  });

  it("events come at least 10 s after the answer, signed, in ASCII, and never twice", async () => {
    receiver.answer = (response) => response.end("bad signature");
    const id = await api.first.create({ title: "Über Fähren" });
    // The answer comes after this moment, and the event at least 10 s after the answer.
    const uploadedAt = Date.now();
    await api.first.upload(id, prose(1, 60));
    const { at, headers, body, json } = await receiver.event("SUBMISSION_COMPLETE");
    expect(at - uploadedAt).to.be.at.least(10_000);
    expect(json).to.include({ id, status: "COMPLETE", title: "Über Fähren" });
    expect(body)
      .to.match(/^[\x20-\x7e]+$/)
      .and.to.include("\\u00dcber");
    const signature = createHmac("sha256", "abcdefghijklmnop").update(body).digest("hex");
    expect(headers).to.include({ "x-turnitin-signature": signature, "content-type": "application/json" });

    await api.first.check(id);
    const complete = await receiver.event("SIMILARITY_COMPLETE");
    expect(complete.json).to.include({ submission_id: id, status: "COMPLETE" });
    expect(complete.json.overall_match_percentage).to.equal(0);
    await api.untilEventsEnd(() => true);
    expect(receiver.deliveries.map((one) => one.headers["x-turnitin-eventtype"])).to.deep.equal([
      "SUBMISSION_COMPLETE",
      "SIMILARITY_COMPLETE",
    ]);
  });

  it("an event that may have arrived is not repeated if it is about a submission; one that was refused is", async () => {
    receiver.deliveries.length = 0;
    const cut = await api.first.create({ title: "cut" });
    const busy = await api.first.create({ title: "busy" });
    receiver.answer = (response, index) => {
      const { title } = receiver.deliveries[index]?.json ?? {};
      const first = receiver.deliveries.filter((one) => one.json.title === title).length === 1;
      if (title === "cut") response.socket?.destroy();
      else response.writeHead(first ? 503 : 200).end();
    };
    await api.first.upload(cut, prose(2, 60));
    await api.first.upload(busy, prose(3, 60));
    const deliveriesOf = (id: string) => receiver.deliveries.filter(({ json }) => json.id === id);
    await api.untilEventsEnd(() => deliveriesOf(cut).length > 0 && deliveriesOf(busy).length > 0);
    expect([deliveriesOf(cut).length, deliveriesOf(busy).length]).to.deep.equal([1, 2]);
  });
});

describe("the trap of stores that are down", function () {
  this.timeout(240_000);
  let link: StoreLink;
  const api = useCoreApi(async () => {
    link = await StoreLink.open(await freshDatabase());
    return { databaseUrl: link.url };
  });
  after(() => link.cut());

  it("submissions are accepted and queued, and come to their reports when the store is back", async () => {
    const before = await api.first.create({ title: "before" });
    await link.cut();
    const ids = [before];
    for (let at = 0; at < 3; at += 1) ids.push(await api.first.create({ title: `down ${at}` }));
    for (const [at, id] of ids.entries())
      expect((await api.first.upload(id, prose(10 + at, 80))).status).to.equal(202);
    const [, down = ""] = ids;
    expect(await api.first.expect(200, "GET", `/submissions/${down}`)).to.include({
      id: down,
      status: "PROCESSING",
      title: "down 0",
      owner: "author_7",
    });
    await api.second.expect(503, "GET", `/submissions/${down}`);
    await api.first.expect(202, "PUT", `/submissions/${down}/similarity`, {});
    expect(await api.first.expect(200, "GET", `/submissions/${down}/similarity`)).to.deep.equal({
      submission_id: down,
      status: "PROCESSING",
    });
    await api.second.expect(503, "GET", `/submissions/${down}/similarity`);
    expect((await api.second.upload(down, "stolen")).status).to.equal(404);
    await api.second.expect(404, "PUT", `/submissions/${down}/similarity`, {});
    // Nobody knows yet whose it is.
    expect((await api.second.upload(before, "stolen")).status).to.equal(202);
    await link.mend();
    for (const id of ids) {
      const read = await api.first.until(`/submissions/${id}`, ({ status }) => status === "COMPLETE");
      expect(read.word_count).to.equal(80);
    }
    expect(
      await api.first.until(`/submissions/${down}/similarity`, ({ status }) => status === "COMPLETE"),
    ).to.include({
      overall_match_percentage: 0,
    });
    await api.second.expect(404, "GET", `/submissions/${down}`);
  });

  it("an upload for an unknown submission is forgotten when the store is back", async () => {
    const unknown = "3f9a1c52-6c1e-4b60-9d2a-5f0c4e8b7a11";
    await link.cut();
    expect((await api.first.upload(unknown, "text")).status).to.equal(202);
    await link.mend();
    await untilNotFound(api.first, unknown);
  });

  it("an upload that was accepted is read after a restart", async () => {
    const id = await api.first.create();
    await link.cut();
    await api.first.upload(id, prose(20, 70));
    await link.mend();
    await api.restart();
    await api.first.until(`/submissions/${id}`, ({ status }) => status === "COMPLETE");
  });
});

describe("the trap of an index that is down", function () {
  this.timeout(240_000);
  let link: StoreLink;
  const api = useCoreApi(async () => {
    const { opensearchNodes } = await testStores();
    link = await StoreLink.open(opensearchNodes[0] ?? "");
    return { opensearchNodes: [link.url] };
  });
  after(() => link.cut());

  it("submissions are read meanwhile, and their reports come when the index is back", async () => {
    await link.cut();
    const { id, status } = await api.first.submit(prose(30, 80));
    expect(status).to.equal("COMPLETE");
    await api.first.expect(202, "PUT", `/submissions/${id}/similarity`, {
      indexing_settings: { add_to_index: true },
    });
    await sleep(2_000);
    expect(await api.first.expect(200, "GET", `/submissions/${id}/similarity`)).to.include({
      status: "PROCESSING",
    });
    await link.mend();
    await api.first.until(`/submissions/${id}/similarity`, (one) => one.overall_match_percentage === 0);
  });
});

async function untilNotFound(client: PluginClient, id: string): Promise<void> {
  while ((await client.request("GET", `/api/v1/submissions/${id}`)).status !== 404) await sleep(100);
}

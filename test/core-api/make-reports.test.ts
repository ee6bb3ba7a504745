import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { pino } from "pino";
import { createMakeReports, indexSubmission } from "../../src/core-api/make-reports.ts";
import type { Submission } from "../../src/core-api/submission.ts";
import { SubmissionStore } from "../../src/core-api/submission-store.ts";
import { createDeliverEvents } from "../../src/core-api/webhooks/deliver-events.ts";
import { EventStore } from "../../src/core-api/webhooks/event-store.ts";
import { Database } from "../../src/platform/postgres/database.ts";
import { migrate } from "../../src/platform/postgres/migrate.ts";
import { freshDatabase } from "../support/stores.ts";

const log = pino({ level: "silent" });
const never = new AbortController().signal;
const KEY = "worker";
const REQUEST = {
  addToIndex: false,
  selfMatchingScope: "ALL",
  withoutSubmittedWorks: false,
  leaveOut: [],
  view: {},
} as const;

describe("the work of the core api on its tables", function () {
  this.timeout(120_000);
  const submissions = new SubmissionStore();
  const events = new EventStore();
  let database: Database;
  before(async () => {
    const url = await freshDatabase();
    await migrate(url, log);
    database = new Database(url, log);
  });
  after(() => database?.close());
  afterEach(() => database.query("delete from core_api_submissions"));

  async function add(text = "The ferry leaves at six."): Promise<string> {
    const submissionId = randomUUID();
    const sent = { attachmentOf: null, owner: "a", submitter: "a", groupId: null, contextId: null };
    await submissions.insert(database, {
      ...{ submissionId, keyName: KEY, title: "t", createdAt: new Date() },
      ...sent,
    });
    const uploadId = randomUUID();
    const upload = { uploadId, filename: "a.txt", uploadedAt: new Date() };
    await submissions.beginUpload(database, KEY, submissionId, upload);
    const counts = { wordCount: 5, charCount: text.length };
    const read = { text, margins: [], contentType: "text/plain", ...counts };
    await submissions.endUpload(database, submissionId, uploadId, read);
    return submissionId;
  }

  async function found(submissionId: string): Promise<Submission> {
    const one = await submissions.find(database, KEY, submissionId);
    if (one === undefined) throw new Error("the submission is gone");
    return one;
  }

  /** With an engine that accepts checks as the test says, and never makes them. */
  function makeReports(submitCheck: (text: string, key: string) => string) {
    return createMakeReports({
      ...{ database, submissions, events, log },
      submitCheck: async ({ queryText, idempotencyKey = "" }) => submitCheck(queryText, idempotencyKey),
      deleteCheck: async () => undefined,
      deleteDocument: async () => undefined,
      measureSimilarity: () => Promise.reject(new Error("not measured here")),
      ingestDocuments: () => Promise.reject(new Error("not ingested here")),
      fingerprintDocuments: () => Promise.resolve(0),
    })(never);
  }

  it("a report whose check can't be submitted fails alone, and can be requested again", async () => {
    const [broken, sound] = [await add("broken"), await add("sound")];
    for (const id of [broken, sound]) await submissions.requestReport(database, id, REQUEST, new Date());
    await makeReports((text) => {
      if (text === "broken") throw new Error("broken");
      return randomUUID();
    });
    expect(await found(broken)).to.include({ status: "ERROR", errorCode: "PROCESSING_ERROR" });
    expect((await found(sound)).checkId).to.be.a("string");
    await submissions.requestReport(database, broken, REQUEST, new Date(Date.now() + 1));
    expect(await found(broken)).to.include({
      status: "COMPLETE",
      errorCode: null,
      reportStatus: "REQUESTED",
    });
  });

  it("a check that failed is submitted once more, with a key of its own", async () => {
    const id = await add();
    await submissions.requestReport(database, id, REQUEST, new Date());
    const keys: string[] = [];
    // None of these checks exists, as if each had been deleted.
    for (let pass = 0; pass < 4; pass += 1)
      await makeReports((_, key) => {
        keys.push(key);
        return randomUUID();
      });
    expect(keys).to.have.lengthOf(2);
    expect(new Set(keys).size).to.equal(2);
    expect(await found(id)).to.include({ status: "ERROR", errorCode: "PROCESSING_ERROR" });
  });

  it("a request for a report that is brought in twice counts once", async () => {
    const id = await add();
    const at = new Date();
    await submissions.requestReport(database, id, REQUEST, at);
    await submissions.startCheck(database, await found(id), randomUUID());
    await submissions.requestReport(database, id, REQUEST, at);
    expect(await found(id)).to.have.property("reportStatus", "CHECKING");
  });

  it("a document of a submission that was deleted meanwhile is deleted again", async () => {
    const id = await add();
    const submission = await found(id);
    const deleted: string[] = [];
    const documentId = randomUUID();
    await indexSubmission(
      {
        database,
        submissions,
        async ingestDocuments() {
          await submissions.delete(database, id);
          return [{ document: { documentId } }];
        },
        deleteDocument: async (one) => {
          deleted.push(one);
        },
        fingerprintDocuments: () => Promise.reject(new Error("not to be fingerprinted")),
      },
      submission,
    );
    expect(deleted).to.deep.equal([documentId]);
  });

  describe("on events", () => {
    const webhook = {
      ...{ url: "https://127.0.0.1:9/", description: null, allowInsecure: false, signingSecret: "b2xk" },
      eventTypes: ["SUBMISSION_COMPLETE", "SIMILARITY_COMPLETE"],
    };
    const record = (submissionId: string, score: number) =>
      events.record(
        database,
        { keyName: KEY, submissionId },
        { type: "SIMILARITY_COMPLETE", body: { score }, dueAt: new Date(0) },
      );
    const bodies = async () =>
      (await database.query<{ body: string }>("select body from core_api_events")).map(({ body }) => body);
    beforeEach(() => events.replaceWebhook(database, KEY, webhook));

    it("an event is not sent again after a newer one about the same", async () => {
      const id = await add();
      await record(id, 1);
      const [sending] = await events.takeDue(database, 10);
      await record(id, 2);
      await events.postpone(database, sending?.eventId ?? "", 1);
      expect(await bodies()).to.deep.equal(['{"score":2}']);
    });

    it("a webhook with many events leaves room for others", async () => {
      for (let at = 0; at < 8; at += 1) await record(await add(), at);
      const taken = await events.takeDue(database, 20);
      expect(taken).to.have.lengthOf(4);
    });

    it("a name that is not resolved in time ends the attempt", async () => {
      await record(await add(), 1);
      const hosts = { isListed: () => true, resolve: () => new Promise<never>(() => undefined) };
      await createDeliverEvents({ database, events, hosts, log, timeoutMs: 100 })(never);
      const rows = await database.query("select attempts, sending_since from core_api_events");
      expect(rows).to.deep.equal([{ attempts: 1, sending_since: null }]);
    });
  });
});

import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { createImportSpool } from "../../src/core-api/import-spool.ts";
import { Spool } from "../../src/core-api/spool.ts";
import { SubmissionStore } from "../../src/core-api/submission-store.ts";
import { EventStore } from "../../src/core-api/webhooks/event-store.ts";
import { Database } from "../../src/platform/postgres/database.ts";
import { migrate } from "../../src/platform/postgres/migrate.ts";
import { freshDatabase } from "../support/stores.ts";

const log = pino({ level: "silent" });
const never = new AbortController().signal;
const KEY = "first";

describe("the import of the spool", function () {
  this.timeout(120_000);
  const submissions = new SubmissionStore();
  let database: Database;
  let folder = "";
  before(async () => {
    const url = await freshDatabase();
    await migrate(url, log);
    database = new Database(url, log);
    folder = mkdtempSync(join(tmpdir(), "spool-"));
  });
  after(async () => {
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("an entry that fails three times is set aside and ends in an error, and holds up no other", async () => {
    const spool = await Spool.open(folder, log);
    const unused = () => Promise.reject(new Error("no file is read here"));
    const importSpool = createImportSpool({
      ...{ database, submissions, events: new EventStore(), spool, log },
      extractor: { extract: unused, toHtml: unused, close: async () => undefined },
      compute: { run: unused },
    });
    const content = (submissionId: string) => ({
      ...{ submissionId, keyName: KEY, attachmentOf: null, owner: null, submitter: null },
      ...{ groupId: null, contextId: null, title: "t", createdAt: new Date() },
    });
    const [lost, sound] = ["0", "f"].map((start) => start + randomUUID().slice(1));
    if (lost === undefined || sound === undefined) throw new Error("two identifiers");
    await submissions.insert(database, content(lost));
    const file = { uploadId: randomUUID(), filename: "gone.txt" };
    const base = { keyName: KEY, at: new Date() };
    await spool.add({ ...base, kind: "upload", submissionId: lost, content: null, file });
    await spool.add({ ...base, kind: "create", submissionId: sound, content: content(sound) });
    await importSpool(never);
    expect(await submissions.find(database, KEY, sound)).to.have.property("status", "CREATED");
    expect(await submissions.find(database, KEY, lost)).to.have.property("status", "PROCESSING");
    await importSpool(never);
    await importSpool(never);
    expect(await submissions.find(database, KEY, lost)).to.include({
      status: "ERROR",
      errorCode: "PROCESSING_ERROR",
    });
    expect(readdirSync(folder)).to.deep.equal([`${lost}.2-upload.${KEY}.json.failed`]);
  });
});

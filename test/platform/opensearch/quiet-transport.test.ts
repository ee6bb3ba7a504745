import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { expect } from "chai";
import { pino } from "pino";
import { DomainError } from "../../../src/platform/domain-error.ts";
import { connectOpenSearch, type OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { Database } from "../../../src/platform/postgres/database.ts";
import { JobQueue } from "../../../src/platform/postgres/job-queue.ts";
import { QUEUES } from "../../../src/service/connect-corpus.ts";
import { freshDatabase } from "../../support/stores.ts";
import { type AnsweringServer, startAnswering } from "./answering-server.ts";

const TEXT = "zanzibar quicksilver flamingo";
const PASSWORD = "opensesame";
const CREDENTIALS = Buffer.from(`similarity:${PASSWORD}`).toString("base64");

const log = pino({ level: "silent" });

describe("an error of the OpenSearch client", () => {
  let server: AnsweringServer;
  let client: OpenSearch;
  const faults = new Map<string, unknown>();

  before(async () => {
    const refusal = { type: "parsing_exception", reason: "unknown query" };
    server = await startAnswering(({ url }) => ({
      status: 400,
      body: { error: { ...refusal, root_cause: [refusal], query: url }, status: 400 },
    }));
    client = connectOpenSearch([server.url], { username: "similarity", password: PASSWORD });
    const search = (query: Readonly<Record<string, unknown>>) =>
      client.search({ index: "chunks", body: { query } }, { maxRetries: 0 }).catch((error: unknown) => error);
    const circle: Record<string, unknown> = { term: TEXT };
    circle.circle = circle;
    for (const [name, query] of [
      ["ResponseError", { term: { fingerprint: TEXT } }],
      ["SerializationError", circle],
    ] as const) {
      faults.set(name, await search(query));
    }
    await server.close();
    faults.set("ConnectionError", await search({ term: { fingerprint: TEXT } }));
  });
  after(() => client.close());

  it("keeps the request and the connection for code that reads them", () => {
    const { meta } = members(faults.get("ResponseError"));
    expect(JSON.stringify(meta)).to.include(TEXT);
    const { headers } = members(members(members(meta).meta).connection);
    expect(JSON.stringify(headers)).to.include(CREDENTIALS);
  });

  it("shows neither when it is printed, serialised or copied, even as the cause of another error", () => {
    expect([...faults.values()].map((fault) => members(fault).name)).to.deep.equal([...faults.keys()]);
    for (const [name, error] of faults) {
      for (const shown of [error, new DomainError("store_unavailable", "no", { cause: error })]) {
        expectQuiet(inspect(shown, { depth: 20 }), name);
        expectQuiet(JSON.stringify(shown), name);
        expectQuiet(inspect(Object.entries(members(shown)), { depth: 20 }), name);
      }
    }
  });

  it("leaves neither in the record of a failed job", async function () {
    this.timeout(240_000);
    const url = await freshDatabase();
    const database = new Database(url, log);
    const queue = new JobQueue(url, { queues: QUEUES, works: true, log });
    try {
      await queue.start();
      const ids = ["018f3a52-6c1e-7b60-9d2a-5f0c4e8b7a11", "018f3a52-6c1e-7b60-9d2a-5f0c4e8b7a12"];
      const error = faults.get("ResponseError");
      await queue.work("run-check", 1, async (id) => {
        throw id === ids[0] ? error : new DomainError("store_unavailable", "no", { cause: error });
      });
      for (const id of ids)
        await database.transaction((transaction) => queue.enqueue("run-check", id, transaction));
      for (const id of ids) {
        let kept: string | null = null;
        while (kept === null) {
          await sleep(20);
          const rows = await database.query<{ output: string | null }>(
            "select output::text from similarity_jobs.job where id = $1",
            [id],
          );
          kept = rows[0]?.output ?? null;
        }
        expect(kept).to.include("parsing_exception");
        expectQuiet(kept, id);
      }
    } finally {
      await queue.stop(1_000);
      await database.close();
    }
  });
});

function expectQuiet(shown: string, of: string): void {
  for (const secret of [TEXT, PASSWORD, CREDENTIALS]) expect(shown, of).not.to.include(secret);
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}

import { expect } from "chai";
import { pino } from "pino";
import { migrate } from "../../src/platform/postgres/migrate.ts";
import { releaseBefore } from "../support/processes/release-before.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";

const TEXT = prose(1, 400);
const QUERY = `${prose(2, 100)} ${TEXT.slice(0, 1_000)}`;

describe("the release before, when the next one brings a migration", function () {
  this.timeout(400_000);
  let environment: Readonly<Record<string, string>>;
  let before_: ServiceProcess;
  let next: ServiceProcess | undefined;

  before(async function () {
    const main = await releaseBefore();
    if (main === undefined) {
      process.stderr.write("No history of the sources is here: the release before is not tried.\n");
      return this.skip();
    }
    const { opensearchNodes } = await testStores();
    environment = {
      DATABASE_URL: await freshDatabase("rolling"),
      OPENSEARCH_URL: opensearchNodes.join(","),
      OPENSEARCH_INDEX_PREFIX: freshPrefix(),
      LOG_LEVEL: "warn",
    };
    before_ = await ServiceProcess.start({ ...environment, ROLES: "engine,worker" }, { main });
  });
  after(async () => {
    await next?.end("SIGTERM");
    await before_?.end("SIGTERM");
  });

  it("works on beside the new schema and the new engine, which reads what the old one writes", async () => {
    const { client } = before_;
    await client.addDocument("first.txt", TEXT);
    const known = await checked();

    await migrate(environment.DATABASE_URL ?? "", pino({ level: "silent" }));
    expect((await client.request("/ready")).status).to.equal(200);
    expect(await checked()).to.deep.equal(known);

    next = await ServiceProcess.start({ ...environment, ROLES: "engine" });
    const second = await client.addDocument("second.txt", prose(3, 400));
    const answer = await next.client.request(`/v1/corpus/documents/${second.document_id}`);
    expect(await answer.json()).to.deep.include({ document_id: second.document_id, title: "second" });
    const checkId = await client.submit(QUERY);
    await client.ended(checkId);
    const report = await next.client.report(checkId);
    expect([report.total_matched_chars, report.unique_passages]).to.deep.equal(known);

    // What the new engine deletes is gone for the old one, too.
    await next.client.request(`/v1/corpus/documents/${second.document_id}`, { method: "DELETE" });
    expect((await client.request(`/v1/corpus/documents/${second.document_id}`)).status).to.equal(404);
    await next.client.request(`/v1/checks/${checkId}`, { method: "DELETE" });
    expect((await client.request(`/v1/checks/${checkId}`)).status).to.equal(404);
    expect(await checked()).to.deep.equal(known);
  });

  /** By the release before itself, whose answers have another schema. */
  async function checked(): Promise<readonly unknown[]> {
    const { client } = before_;
    const checkId = await client.submit(QUERY);
    expect((await client.ended(checkId)).status).to.equal("complete");
    const answer = await client.request(`/v1/checks/${checkId}/report`);
    const { total_matched_chars, unique_passages } = Object(await answer.json());
    expect(total_matched_chars).to.be.above(900);
    return [total_matched_chars, unique_passages];
  }
});

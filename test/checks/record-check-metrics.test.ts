import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { connectOpenSearch, type OpenSearch } from "../../src/platform/opensearch/opensearch.ts";
import { Database } from "../../src/platform/postgres/database.ts";
import { EngineClient } from "../support/client.ts";
import { StoreLink } from "../support/faults/store-link.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";

describe("what dashboards see of a check", () => {
  let link: StoreLink;
  let service: TestService;
  let client: EngineClient;
  let opensearch: OpenSearch;
  let database: Database;
  before(async function () {
    this.timeout(240_000);
    const [node = ""] = (await testStores()).opensearchNodes;
    link = await StoreLink.open(node);
    service = await startTestService({ opensearchNodes: [link.url] });
    client = new EngineClient(service.base);
    opensearch = connectOpenSearch([node]);
    database = new Database(service.options.databaseUrl, pino({ level: "silent" }));
  });
  afterEach(() => link.mend());
  after(async () => {
    await service?.stop();
    await database?.close();
    await opensearch?.close();
    await link?.cut();
  });

  it("is noted when it has ended: its figures, and nothing of its text or title", async () => {
    const text = prose(1, 200);
    await client.addDocument("source.txt", text);
    const checkId = await client.submit(`${prose(2, 100)} ${text}`, { title: "Confidential" });
    const check = await client.ended(checkId);
    const noted = await untilNoted(checkId);
    expect(noted).to.deep.include({
      check_id: checkId,
      status: "complete",
      coverage: "full",
      language: "en",
      word_count: check.word_count,
      char_count: check.char_count,
      chunk_count: check.chunks_total,
      similarity_pct: check.overall_similarity_pct,
      sources: 1,
      match_types: ["identical"],
    });
    expect(JSON.stringify(noted)).to.not.include(text.slice(0, 20)).and.to.not.include("Confidential");
  });

  it("goes with the check when that is deleted", async () => {
    const checkId = await client.submit(prose(3, 50));
    await client.ended(checkId);
    await untilNoted(checkId);
    await remove(checkId);
    while ((await noted(checkId)) !== undefined) await sleep(20);
  });

  it("goes as soon as OpenSearch is back, of a check that was deleted while it was away", async () => {
    const checkId = await client.submit(prose(4, 50));
    await client.ended(checkId);
    await untilNoted(checkId);
    await link.cut();
    await remove(checkId);
    while ((await removalJob(checkId)) !== "retry") await sleep(20);
    expect(await noted(checkId)).to.not.equal(undefined);
    await link.mend();
    while ((await noted(checkId)) !== undefined) await sleep(20);
  });

  it("goes again when it was written after the check was deleted", async () => {
    const writing = link.stopAt({ request: "check-metrics/_doc/", held: "request" });
    const checkId = await client.submit(prose(5, 50));
    await client.ended(checkId);
    const write = await writing;
    await remove(checkId);
    while ((await removalJob(checkId)) !== undefined) await sleep(20);
    const removing = link.stopAt({
      request: `DELETE /${service.options.opensearchIndexPrefix}check-metrics/_doc/`,
      held: "request",
    });
    write();
    const removeAgain = await removing;
    expect(await noted(checkId)).to.not.equal(undefined);
    removeAgain();
    while ((await noted(checkId)) !== undefined) await sleep(20);
  });

  async function remove(checkId: string): Promise<void> {
    const response = await client.request(`/v1/checks/${checkId}`, { method: "DELETE" });
    expect(response.status).to.equal(204);
  }

  async function removalJob(checkId: string): Promise<string | undefined> {
    const [job] = await database.query<{ state: string }>(
      "select state::text from similarity_jobs.job where name = 'remove-check-metrics' and id = $1",
      [checkId],
    );
    return job?.state;
  }

  async function untilNoted(checkId: string): Promise<unknown> {
    for (;;) {
      const found = await noted(checkId);
      if (found !== undefined) return found;
      await sleep(20);
    }
  }

  /** Asked for by its identifier, which needs no refresh. */
  async function noted(checkId: string): Promise<unknown> {
    const index = `${service.options.opensearchIndexPrefix}check-metrics`;
    const { body } = await opensearch.get({ index, id: checkId }, { ignore: [404] });
    return body._source;
  }
});

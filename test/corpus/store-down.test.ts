import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { DocumentMetadata } from "../../src/corpus/api/schema.ts";
import { EngineClient } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { StoreLink } from "../support/faults/store-link.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { freshDatabase, testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";

const DOCUMENTS = "/v1/corpus/documents";

describe("decisions, Both interfaces: a store that a request on the corpus needs is down", () => {
  let postgres: StoreLink;
  let opensearch: StoreLink;
  let service: TestService;
  let client: EngineClient;
  before(async function () {
    this.timeout(180_000);
    const { opensearchNodes } = await testStores();
    postgres = await StoreLink.open(await freshDatabase());
    opensearch = await StoreLink.open(opensearchNodes[0] ?? "");
    service = await startTestService({ databaseUrl: postgres.url, opensearchNodes: [opensearch.url] });
    client = new EngineClient(service.base);
  });
  afterEach(() => Promise.all([postgres.mend(), opensearch.mend()]));
  after(async () => {
    await service?.stop();
    await Promise.all([postgres?.cut(), opensearch?.cut()]);
  });

  it("is 503 with Retry-After while PostgreSQL is down, and works again once it is back", async () => {
    const document = await client.addDocument("kept.txt", prose(701, 40));
    const path = `${DOCUMENTS}/${document.document_id}`;
    await postgres.cut();
    for (const ask of [
      () => client.upload(DOCUMENTS, { name: "a.txt", content: prose(702, 10) }),
      () => client.request(DOCUMENTS),
      () => client.request(path),
      () => client.request(path, { method: "DELETE" }),
    ]) {
      const response = await ask();
      expect(Number(response.headers.get("retry-after"))).to.be.at.least(1);
      await expectProblem(response, 503, "store-unavailable");
    }
    await postgres.mend();
    expect(DocumentMetadata.parse(await (await client.request(path)).json())).to.deep.equal(document);
  });

  it("accepts uploads while OpenSearch is down: they stay pending, and are matchable once it is back", async () => {
    const text = prose(703, 60);
    await opensearch.cut();
    const response = await client.upload(DOCUMENTS, { name: "waits.txt", content: text });
    expect(response.status).to.equal(201);
    const { document_id } = DocumentMetadata.parse(await response.json());
    await sleep(300);
    const waiting = await (await client.request(`${DOCUMENTS}/${document_id}`)).json();
    expect(DocumentMetadata.parse(waiting).fingerprint_status).to.equal("pending");
    await opensearch.mend();
    await client.fingerprinted(document_id);
    expect((await client.checked(text)).overall_similarity_pct).to.equal(100);
  }).timeout(40_000);

  it("decisions, Engine: corpus: a document that is deleted while OpenSearch is down is never matched again", async () => {
    const text = prose(704, 60);
    const { document_id } = await client.addDocument("goes.txt", text);
    await opensearch.cut();
    const response = await client.request(`${DOCUMENTS}/${document_id}`, { method: "DELETE" });
    expect(response.status).to.equal(204);
    await opensearch.mend();
    const report = await client.checked(text);
    expect([report.coverage, report.sources]).to.deep.equal(["full", []]);
  });
});

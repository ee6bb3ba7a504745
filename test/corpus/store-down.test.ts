import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { DocumentMetadata } from "../../src/corpus/api/schema.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useStoreLinks } from "../support/faults/use-links.ts";
import { prose } from "../support/work/prose.ts";

const DOCUMENTS = "/v1/corpus/documents";

describe("decisions, Both interfaces: a store that a request on the corpus needs is down", () => {
  const links = useStoreLinks();

  it("is 503 with Retry-After while PostgreSQL is down, and works again once it is back", async () => {
    const document = await links.client.addDocument("kept.txt", prose(701, 40));
    const path = `${DOCUMENTS}/${document.document_id}`;
    await links.postgres.cut();
    for (const ask of [
      () => links.client.upload(DOCUMENTS, { name: "a.txt", content: prose(702, 10) }),
      () => links.client.request(DOCUMENTS),
      () => links.client.request(path),
      () => links.client.request(path, { method: "DELETE" }),
    ]) {
      const response = await ask();
      expect(Number(response.headers.get("retry-after"))).to.be.at.least(1);
      await expectProblem(response, 503, "store-unavailable");
    }
    await links.postgres.mend();
    expect(DocumentMetadata.parse(await (await links.client.request(path)).json())).to.deep.equal(document);
  });

  it("accepts uploads while OpenSearch is down: they stay pending, and are matchable once it is back", async () => {
    const text = prose(703, 60);
    await links.opensearch.cut();
    const response = await links.client.upload(DOCUMENTS, { name: "waits.txt", content: text });
    expect(response.status).to.equal(201);
    const { document_id } = DocumentMetadata.parse(await response.json());
    await sleep(300);
    const waiting = await (await links.client.request(`${DOCUMENTS}/${document_id}`)).json();
    expect(DocumentMetadata.parse(waiting).fingerprint_status).to.equal("pending");
    await links.opensearch.mend();
    await links.client.fingerprinted(document_id);
    expect((await links.client.checked(text)).overall_similarity_pct).to.equal(100);
  }).timeout(120_000);

  it("decisions, Engine: corpus: a document that is deleted while OpenSearch is down is never matched again", async () => {
    const text = prose(704, 60);
    const { document_id } = await links.client.addDocument("goes.txt", text);
    await links.opensearch.cut();
    const response = await links.client.request(`${DOCUMENTS}/${document_id}`, { method: "DELETE" });
    expect(response.status).to.equal(204);
    await links.opensearch.mend();
    const report = await links.client.checked(text);
    expect([report.coverage, report.sources]).to.deep.equal(["full", []]);
  });
});

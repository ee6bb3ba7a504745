import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { CheckList } from "../../src/checks/api/schema.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

/** What would do something if it ever were a part of a statement, a query, a path or a template instead of a value. */
const HOSTILE = [
  `'; drop table similarity.checks; --`,
  `"}}, {"match_all": {}}], "x": [{"`,
  "* OR _exists_:title",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is to look like one.
  "${jndi:ldap://127.0.0.1:9/a}",
  "{{constructor.constructor('return process')()}}",
  "../../_cluster/settings",
  "\\u0027); select pg_sleep(10); --",
  '{"query": {"script": {"script": "while(true){}"}}}',
] as const;

/** Several services start here, on machines that may be busy. */
const TIMEOUT_MS = 120_000;

describe("values stay values", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();

  it("in titles, names and texts of documents and checks, which come back as they were sent", async () => {
    const { client } = engine;
    for (const [index, value] of HOSTILE.entries()) {
      const text = `${value} ${prose(index + 1, 60)} ${value}`;
      const document = await client.addDocument("a.txt", text, { title: value });
      expect(document.title).to.equal(value);
      const submitted = await client.json(
        "POST",
        "/v1/checks",
        { query_text: text, title: value },
        { "Idempotency-Key": value },
      );
      expect(submitted.status).to.equal(202);
      const report = await client.checked(text, { title: value });
      expect(report).to.include({ title: value, overall_similarity_pct: 100 });
      expect(report.sources.map(({ source_document_id }) => source_document_id)).to.deep.equal([
        document.document_id,
      ]);
    }
  });

  it("in a text that is nothing but a query: it finds what holds the same words, and nothing else", async () => {
    for (const value of ["* OR _exists_:title AND fingerprint:*", '{"match_all": {}}', "title:* || true"]) {
      expect((await engine.client.checked(value)).sources, value).to.deep.equal([]);
    }
  });

  it("in identifiers and parameters, which find nothing and change nothing", async () => {
    const total = async () =>
      CheckList.parse(await (await engine.client.request("/v1/checks?limit=1")).json()).total;
    const before = await total();
    const identifiers = [...HOSTILE, "*", "_all", "%", "00000000-0000-0000-0000-000000000000' or '1'='1"];
    for (const identifier of identifiers) {
      const id = encodeURIComponent(identifier);
      for (const method of ["GET", "DELETE"]) {
        const check = await engine.client.request(`/v1/checks/${id}`, { method });
        await expectProblem(check, 404, "check-not-found");
        const document = await engine.client.request(`/v1/corpus/documents/${id}`, { method });
        await expectProblem(document, 404, "document-not-found");
      }
      const filtered = await engine.client.request(`/v1/checks?limit=${id}&offset=${id}`);
      await expectProblem(filtered, 422, "invalid-input", ["limit", "offset"]);
    }
    expect(await total()).to.equal(before);
  });

  it("in a document's source_url, which is shown and never fetched", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end();
    });
    server.on("connection", () => asked.push("a connection"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const bound = server.address();
    const source_url = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}/page`;
    try {
      const text = prose(50, 100);
      const { document_id } = await engine.client.addDocument("b.txt", text, { source_url });
      const report = await engine.client.checked(text);
      expect(report.sources).to.have.lengthOf(1);
      for (const path of [
        `/v1/corpus/documents/${document_id}`,
        `/v1/checks/${report.check_id}/report?explain=true`,
        `/v1/checks/${report.check_id}/report.html`,
        `/v1/checks/${report.check_id}/passages.csv`,
      ]) {
        const answer = await engine.client.request(path);
        expect([answer.status, (await answer.text()).includes(source_url)], path).to.deep.equal([200, true]);
      }
      // Longer than the note for dashboards takes, the last thing that is done about a check.
      await sleep(300);
      expect(asked).to.deep.equal([]);
    } finally {
      server.close();
    }
  });
});

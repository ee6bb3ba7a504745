import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../src/platform/postgres/database.ts";
import { makeDocx, makePdf } from "../extract/made-documents.ts";
import { StoreLink } from "../support/faults/store-link.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";
import { tracesInPostgres } from "./traces.ts";

/** Words that stand in texts, titles and names of this test only. */
const MARKER = "Zanzibarquicksilver";
const TEXT = `${MARKER} flamingos keep the harbour. ${prose(1, 120)}`;

/** What a client may send or an operator may set that is nobody else's business. */
const SECRETS = ["hidden-bearer", "hidden-cookie", "hidden-basic", "hidden-key", "hidden-query"];

/** Several services start here, on machines that may be busy. */
const TIMEOUT_MS = 600_000;

describe("logs, metrics and queue of a service that runs at the level trace", function () {
  this.timeout(TIMEOUT_MS);
  let service: ServiceProcess;
  let database: Database;
  let links: { readonly postgres: StoreLink; readonly opensearch: StoreLink };
  let secrets: readonly string[];

  before(async function () {
    this.timeout(600_000);
    const [node = ""] = (await testStores()).opensearchNodes;
    const databaseUrl = await freshDatabase("quiet");
    database = new Database(databaseUrl, pino({ level: "silent" }));
    links = { postgres: await StoreLink.open(databaseUrl), opensearch: await StoreLink.open(node) };
    const opensearchUrl = new URL(links.opensearch.url);
    opensearchUrl.username = "service";
    opensearchUrl.password = "hidden-basic";
    secrets = [...SECRETS, decodeURIComponent(new URL(databaseUrl).password)];
    service = await ServiceProcess.start({
      DATABASE_URL: links.postgres.url,
      OPENSEARCH_URL: opensearchUrl.href,
      OPENSEARCH_INDEX_PREFIX: freshPrefix(),
      OPENALEX_API_KEY: "hidden-key",
      LOG_LEVEL: "trace",
    });
  });
  after(async () => {
    await service?.end("SIGKILL");
    await database?.close();
    await links?.postgres.cut();
    await links?.opensearch.cut();
  });

  it("have nothing of texts, titles, names and secrets where all goes well", async () => {
    const { client } = service;
    const headers = { Authorization: "Bearer hidden-bearer", Cookie: "session=hidden-cookie" };
    await client.addDocument(`${MARKER}.txt`, TEXT, { title: MARKER });
    const submitted = await client.json(
      "POST",
      "/v1/checks?token=hidden-query",
      { query_text: TEXT, title: MARKER },
      { ...headers, "Idempotency-Key": MARKER },
    );
    expect(submitted.status).to.equal(202);
    const { check_id } = await client.checked(TEXT, { title: MARKER });
    for (const path of ["", "/report?explain=true", "/progress"]) {
      const response = await client.request(`/v1/checks/${check_id}${path}`, { headers });
      expect(response.status, path).to.equal(200);
      await response.arrayBuffer();
    }
    await client.json("PATCH", `/v1/checks/${check_id}`, { title: `${MARKER} again` });
    await expectQuiet();
  });

  it("have nothing of them where requests are refused", async () => {
    const { client } = service;
    const statuses = [
      await client.json("POST", "/v1/checks", `{"query_text": "${MARKER} `),
      await client.json("POST", "/v1/checks", { query_text: `${MARKER}\0` }),
      await client.json("POST", "/v1/checks", { query_text: TEXT, language: MARKER, title: [MARKER] }),
      await client.upload("/v1/checks/upload", { name: `${MARKER}.pdf`, content: `%PDF-1.7 ${TEXT}` }),
      await client.upload("/v1/corpus/documents", {
        name: `${MARKER}.pdf`,
        content: makePdf({ pages: [`BT (${MARKER}) Tj (`] }).subarray(0, 400),
      }),
      await client.upload("/v1/corpus/documents", {
        name: `${MARKER}.docx`,
        content: makeDocx({ body: `<w:p><w:r><w:t>${MARKER}</w:t></w:x w:${MARKER}=>` }),
      }),
      await client.request(`/v1/checks/${MARKER}`),
      await client.request(`/v1/${MARKER}?${MARKER}=1`),
    ].map(({ status }) => status);
    expect(
      statuses.every((status) => status >= 400 && status < 500),
      statuses.join(),
    ).to.equal(true);
    await expectQuiet();
  });

  it("have nothing of them where PostgreSQL refuses a row, which its error quotes", async () => {
    const { client } = service;
    await database.query(
      `alter table checks add constraint no_zanzibar check (query_text not like '${MARKER} flamingos don%') not valid`,
    );
    const refused = await client.json("POST", "/v1/checks", { query_text: `${MARKER} flamingos don't.` });
    expect(refused.status).to.equal(500);
    await refused.arrayBuffer();
    expect(service.output.join("\n")).to.include("no_zanzibar");
    await expectQuiet();
  });

  it("have nothing of them where a job fails over such a row, and is kept with its error", async () => {
    const { client } = service;
    await database.query(
      "alter table checks add constraint no_aligning check (stage <> 'aligning' or progress_seq < 0) not valid",
    );
    const checkId = await client.submit(TEXT, { title: MARKER });
    let output: string | null | undefined;
    while (typeof output !== "string") {
      await sleep(20);
      const [job] = await database.query<{ output: string | null }>(
        "select output::text from similarity_jobs.job where id = $1",
        [checkId],
      );
      output = job?.output;
    }
    expect(output).to.include("no_aligning");
    await database.query("alter table checks drop constraint no_aligning");
    await expectQuiet();
    expect((await client.ended(checkId)).status).to.equal("complete");
  });

  it("have nothing of them while a store is away", async () => {
    const { client } = service;
    for (const link of [links.opensearch, links.postgres]) {
      const checkId = await client.submit(TEXT, { title: MARKER });
      await link.cut();
      const asked = await client.json("POST", "/v1/checks", { query_text: TEXT });
      await asked.arrayBuffer();
      await client.request("/ready");
      await sleep(1_000);
      await link.mend();
      while ((await client.request(`/v1/checks/${checkId}`)).status !== 200) await sleep(100);
      expect((await client.ended(checkId)).status).to.equal("complete");
    }
    await expectQuiet();
  });

  it("have no secret where the stores can't be reached at the start", async () => {
    const unreachable = "127.0.0.1:9";
    for (const [DATABASE_URL, OPENSEARCH_URL] of [
      [`postgres://me:hidden-basic@${unreachable}/x`, `http://me:hidden-key@${unreachable}`],
      [links.postgres.url, `http://me:hidden-key@${unreachable}`],
    ]) {
      const outcome = await ServiceProcess.start({
        DATABASE_URL: DATABASE_URL ?? "",
        OPENSEARCH_URL: OPENSEARCH_URL ?? "",
        LOG_LEVEL: "trace",
      }).then(
        () => "it serves",
        (error: Error) => error.message,
      );
      expect(outcome).to.include("ended with 1");
      for (const secret of secrets) expect(outcome).not.to.include(secret);
    }
  });

  /** Looks at everything that was printed, counted and queued until now; the log at this level says that something happened. */
  async function expectQuiet(): Promise<void> {
    const metrics = await (await service.client.request("/metrics")).text();
    const printed = service.output.join("\n");
    expect(printed).to.include("request answered");
    for (const shown of [printed, metrics]) {
      expect(shown.toLowerCase()).not.to.include(MARKER.toLowerCase());
      for (const secret of secrets) expect(shown).not.to.include(secret);
    }
    expect(await tracesInPostgres(database, [MARKER, ...secrets], ["similarity_jobs"])).to.deep.equal([]);
  }
});

import { expect } from "chai";
import { pino } from "pino";
import type { CorpusOptions } from "../../src/service/connect-corpus.ts";
import { openCorpus } from "../../src/service/connect-corpus.ts";
import { addTexts } from "../corpus/upkeep/damaged-corpus.ts";
import { agrees, roles, runCommand } from "../corpus/upkeep/rebuild-runs.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";
import { RepeatedWork } from "../support/work/repeated-work.ts";
import { findings } from "./faults/workload.ts";

/** 6,000 chunks: a rebuild of them beside the load takes long enough for some hundred checks. */
const DOCUMENTS = 500;
const DOCUMENT_WORDS = 2_000;

const CHECKS_AT_ONCE = 3;
const UPLOADS_AT_ONCE = 2;

describe("a rebuild of the chunk index while the service is at work", function () {
  this.timeout(600_000);
  let options: CorpusOptions;
  let service: ServiceProcess;
  const texts = Array.from({ length: DOCUMENTS }, (_, at) => prose(1_000 + at, DOCUMENT_WORDS));
  /** Each copies from several documents, with words of its own between. */
  const queries = [0, 1, 2, 3].map((query) =>
    [0, 1, 2, 3]
      .map(
        (part) =>
          `${prose(query * 10 + part, 60)} ${(texts[query * 120 + part * 7] ?? "").slice(3_000, 5_500)}`,
      )
      .join(" "),
  );

  before(async () => {
    const { opensearchNodes } = await testStores();
    options = {
      databaseUrl: await freshDatabase(),
      opensearchNodes,
      opensearchIndexPrefix: freshPrefix(),
    };
    const corpus = await openCorpus(options, pino({ level: "silent" }));
    for (let from = 0; from < DOCUMENTS; from += 100) await addTexts(corpus, texts.slice(from, from + 100));
    await corpus.close();
    service = await ServiceProcess.start({
      DATABASE_URL: options.databaseUrl,
      OPENSEARCH_URL: opensearchNodes.join(","),
      OPENSEARCH_INDEX_PREFIX: options.opensearchIndexPrefix,
      // Encoding takes minutes, and reports would change with each document that is encoded.
      SEMANTIC: "off",
      LOG_LEVEL: "warn",
    });
  });
  after(() => service?.end("SIGTERM"));

  it("fails no check and changes no report, and what comes or goes meanwhile does so at once", async () => {
    const { client } = service;
    const known = await Promise.all(queries.map((text) => client.checked(text)));
    for (const report of known) expect(report.sources).to.have.lengthOf(4);

    const endings: number[] = [];
    const work = new RepeatedWork();
    for (let checker = 0; checker < CHECKS_AT_ONCE; checker += 1) {
      work.repeat(async (round) => {
        const at = (checker + round) % queries.length;
        const checkId = await client.submit(queries[at] ?? "");
        const check = await client.ended(checkId);
        expect([check.status, check.error_message]).to.deep.equal(["complete", null]);
        const before = known[at];
        expect(findings(await client.report(checkId))).to.deep.equal(before && findings(before));
        endings.push(performance.now());
      });
    }
    let uploads = 0;
    for (let uploader = 0; uploader < UPLOADS_AT_ONCE; uploader += 1) {
      work.repeat(async (round) => {
        const text = prose(100_000 + 2 * round + uploader, 300);
        const { document_id } = await client.addDocument("new.txt", text);
        const [source] = (await client.checked(text)).sources;
        expect(source).to.include({ source_document_id: document_id, similarity_pct: 100 });
        const answer = await client.request(`/v1/corpus/documents/${document_id}`, { method: "DELETE" });
        expect(answer.status).to.equal(204);
        expect((await client.checked(text)).sources).to.deep.equal([]);
        uploads += 1;
      });
    }

    const started = performance.now();
    const rebuild = await runCommand("corpus/rebuild", ["--drop-old", "--json"], options).ended;
    const ended = performance.now();
    await work.end();

    expect(rebuild.status, rebuild.stderr).to.equal(0);
    const result = JSON.parse(rebuild.stdout);
    const prefix = options.opensearchIndexPrefix;
    expect(result).to.deep.include({ index: `${prefix}chunks-v2`, dropped: [`${prefix}chunks-v1`] });
    const during = endings.filter((at) => at > started && at < ended).length;
    expect(during, "checks that ended during the rebuild").to.be.above(20);
    expect(uploads).to.be.above(2);

    const corpus = await openCorpus(options, pino({ level: "silent" }));
    expect(await roles(corpus)).to.deep.equal({ current: [2] });
    await corpus.cleanUpTombstones();
    expect(await agrees(corpus)).to.equal(true);
    await corpus.close();
  });
});

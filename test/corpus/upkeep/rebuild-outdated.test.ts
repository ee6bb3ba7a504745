import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { z } from "zod";
import { DocumentMetadata } from "../../../src/corpus/api/schema.ts";
import { type Corpus, openCorpus } from "../../../src/service/connect-corpus.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { agrees, PLAIN, roles } from "./rebuild-runs.ts";

const Readiness = z.object({ checks: z.object({ opensearch: z.string() }) });

describe("an index of an older generation of fingerprints", function () {
  this.timeout(120_000);
  const engine = useEngine();
  let corpus: Corpus;

  before(async () => {
    corpus = await openCorpus(engine.options, pino({ level: "silent" }));
  });
  after(() => corpus?.close());

  it("is never searched: checks and uploads wait, and continue after a rebuild", async () => {
    const [known, late] = [prose(1, 400), prose(2, 400)];
    const document = await engine.client.addDocument("known.txt", known);

    // As an upgrade finds it: terms that nobody asks for any more.
    const index = corpus.chunkIndex.readAlias;
    await corpus.opensearch.updateByQuery({
      index,
      refresh: true,
      body: { script: { source: "ctx._source.fingerprint = 'terms of another making altogether'" } },
    });
    await corpus.opensearch.indices.putMapping({ index, body: { _meta: { fingerprint_version: 1 } } });
    const before = await roles(corpus);
    await corpus.chunkIndex.putTemplates();
    await corpus.chunkIndex.createFirst();
    expect(await roles(corpus)).to.deep.equal(before);

    const ready = await engine.client.request("/ready");
    expect(ready.status).to.equal(503);
    expect(Readiness.parse(await ready.json()).checks.opensearch).to.include("npm run corpus:rebuild");

    const checkId = await engine.client.submit(`${known} ${late}`);
    const upload = await engine.client.upload("/v1/corpus/documents", { name: "late.txt", content: late });
    const { document_id } = DocumentMetadata.parse(await upload.json());
    await sleep(2_000);
    expect((await engine.client.check(checkId)).status).to.be.oneOf(["pending", "running"]);
    const waiting = await engine.client.request(`/v1/corpus/documents/${document_id}`);
    expect(DocumentMetadata.parse(await waiting.json()).fingerprint_status).to.equal("pending");
    const asked = await corpus.chunkIndex.assertCurrent().catch((error: Error) => error.message);
    expect(asked).to.include("npm run corpus:rebuild");

    await corpus.rebuildIndex({ ...PLAIN, dropOld: true });
    expect((await engine.client.ended(checkId)).status).to.equal("complete");
    const report = await engine.client.report(checkId);
    expect(report.coverage).to.equal("full");
    expect(report.overall_similarity_pct).to.be.above(99.9);
    expect(report.sources.map(({ source_document_id }) => source_document_id)).to.have.members([
      document.document_id,
      document_id,
    ]);
    await engine.client.fingerprinted(document_id);
    expect((await engine.client.request("/ready")).status).to.equal(200);
    expect(await agrees(corpus)).to.equal(true);
  });
});

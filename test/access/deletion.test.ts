import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Submitted } from "../../src/checks/api/schema.ts";
import { DocumentMetadata } from "../../src/corpus/api/schema.ts";
import { makeDocx, paragraph } from "../extract/made-documents.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";
import { tracesInOpenSearch, tracesInPostgres } from "./traces.ts";

/** A word that stands in no other text; what it is part of is searched for as well as identifiers. */
const MARKER = "Zanzibarquicksilver";
const TEXT = `${MARKER} flamingos keep the harbour. ${prose(1, 300)}`;

/** Several services start here, on machines that may be busy. */
const TIMEOUT_MS = 120_000;

describe("what is deleted is gone", function () {
  this.timeout(TIMEOUT_MS);
  const usualFolder = process.env.TMPDIR;
  let temporary: string;
  before(async () => {
    temporary = await mkdtemp(join(tmpdir(), "deletion-"));
    process.env.TMPDIR = temporary;
  });
  const engine = useEngine();
  after(async () => {
    if (usualFolder === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usualFolder;
    await rm(temporary, { recursive: true });
  });

  it("from every column of every table, every index and the temporary folder: checks and their documents", async () => {
    const { client } = engine;
    const documents = [
      await client.addDocument(`${MARKER}.txt`, TEXT, {
        title: MARKER,
        source_url: `https://${MARKER}.example/`,
      }),
      await client.addDocument(`${MARKER}.docx`, makeDocx({ body: paragraph(`${MARKER} ${prose(2, 200)}`) })),
    ].map(({ document_id }) => document_id);
    const submitted = await client.json(
      "POST",
      "/v1/checks",
      { query_text: TEXT, title: MARKER },
      { "Idempotency-Key": MARKER },
    );
    const upload = { name: `${MARKER}.docx`, content: makeDocx({ body: paragraph(TEXT) }) };
    const uploaded = await client.upload("/v1/checks/upload", upload);
    const checks = [submitted, uploaded].map(async (answer) => Submitted.parse(await answer.json()).check_id);
    const checkIds = await Promise.all(checks);
    for (const checkId of checkIds) {
      expect((await client.ended(checkId)).status).to.equal("complete");
      expect((await client.report(checkId, "?explain=true")).sources).to.have.length.above(0);
    }

    const ids = [...checkIds, ...documents];
    expect(await engine.database.query("select 1 from check_originals")).to.have.length(1);
    for (const id of ids) expect(await tracesInPostgres(engine.database, [id]), id).not.to.deep.equal([]);
    while ((await indexed([...checkIds])).length < checkIds.length) await sleep(20);
    expect(await indexed([MARKER])).not.to.deep.equal([]);

    for (const id of checkIds) await remove(`/v1/checks/${id}`);
    for (const id of documents) await remove(`/v1/corpus/documents/${id}`);
    await untilGone([MARKER, ...ids]);
    expect(await engine.database.query("select 1 from check_originals")).to.deep.equal([]);
    expect(await holding(temporary, MARKER)).to.deep.equal([]);
  });

  it("at whatever moment it is deleted: waiting, running, being read in or just done", async () => {
    const { client } = engine;
    const gone: string[] = [];
    for (const delayMs of [0, 5, 10, 20, 40, 80, 160]) {
      const checkId = await client.submit(`${TEXT} ${delayMs}`, { title: MARKER });
      const file = { name: `${MARKER}.txt`, content: `${TEXT} ${delayMs}` };
      const uploaded = await client.upload("/v1/corpus/documents", file);
      const { document_id } = DocumentMetadata.parse(await uploaded.json());
      await sleep(delayMs);
      await remove(`/v1/checks/${checkId}`);
      await remove(`/v1/corpus/documents/${document_id}`);
      gone.push(checkId, document_id);
    }
    await untilGone([MARKER, ...gone]);
  });

  async function remove(path: string): Promise<void> {
    expect((await engine.client.request(path, { method: "DELETE" })).status, path).to.equal(204);
  }

  function indexed(texts: readonly string[]): Promise<string[]> {
    return tracesInOpenSearch(engine.opensearch, engine.options.opensearchIndexPrefix, texts);
  }

  /** What follows a deletion in the background takes a moment; mocha's limit ends the waiting. */
  async function untilGone(texts: readonly string[]): Promise<void> {
    while ([...(await tracesInPostgres(engine.database, texts)), ...(await indexed(texts))].length > 0) {
      await sleep(50);
    }
  }
});

/** The files below a folder in which a text stands. */
async function holding(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file, "latin1")));
  return files.filter((_, at) => contents[at]?.includes(text));
}

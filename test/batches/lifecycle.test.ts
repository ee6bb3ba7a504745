import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { zipSync } from "fflate";
import { pino } from "pino";
import { BatchList, BatchMetadata } from "../../src/batches/api/schema.ts";
import { BatchStore } from "../../src/batches/batch-store.ts";
import { createDeleteOldBatches } from "../../src/batches/manage-batches.ts";
import { CheckList } from "../../src/checks/api/schema.ts";
import { DocumentList } from "../../src/corpus/api/schema.ts";
import { JobQueue } from "../../src/platform/postgres/job-queue.ts";
import { makeDocx, paragraph } from "../extract/made-documents.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";
import { BatchClient, pairNames } from "./batch-client.ts";

describe("a batch from its submission to its end", function () {
  this.timeout(120_000);

  const engine = useEngine({ batchMembersMax: 50 });
  const batches = new BatchClient(() => engine.client);
  const copied = prose(1, 80);

  it("reads files and archives, and lists those that can't be read with the reason", async () => {
    const text = (seed: number) => new TextEncoder().encode(`${prose(seed, 80)} ${copied}`);
    const archive = zipSync({
      "essays/carl/essay.txt": text(4),
      "essays/dora/essay.txt": text(5),
      "__MACOSX/essays/._essay.txt": new Uint8Array([1, 2, 3]),
      "essays/.hidden": text(6),
      "essays/nested.zip": zipSync({ "x.txt": text(7) }),
    });
    const response = await batches.submitFiles({
      "anna.txt": text(2),
      "ben.txt": text(3),
      "broken.pdf": "%PDF-1.7 and nothing else",
      "more.zip": archive,
    });
    expect(response.status).to.equal(202);
    const { batch_id: batchId } = JSON.parse(await response.text());
    const batch = await batches.ended(batchId);
    const byStatus = Map.groupBy(batch.members, ({ status }) => status);
    expect(byStatus.get("compared")?.map(({ name }) => name)).to.deep.equal([
      "anna.txt",
      "ben.txt",
      "essays/carl/essay.txt",
      "essays/dora/essay.txt",
    ]);
    const report = await batches.report(batchId);
    expect(report.pairs_total).to.equal(6);
    expect(report.unreadable.map(({ name, error_code }) => [name, error_code])).to.deep.equal([
      ["broken.pdf", "unreadable_file"],
      ["essays/nested.zip", "unsupported_file_type"],
    ]);
    expect(report.unreadable[0]?.error_message).to.match(/PDF/);
  });

  it("shows the title that a member's file states beside its name, and gives it to the document", async () => {
    const properties = "<dc:title>Machines and Towns</dc:title><dc:creator>Marlene Ostwald</dc:creator>";
    const response = await batches.submitFiles(
      {
        "ostwald.docx": makeDocx({ body: paragraph(prose(301, 80)), properties }),
        "berg.txt": prose(302, 80),
      },
      { add_to_corpus: "true" },
    );
    const { batch_id: batchId } = JSON.parse(await response.text());
    const [first, second] = (await batches.ended(batchId)).members;
    expect(first).to.include({ name: "ostwald.docx", document_title: "Machines and Towns" });
    expect(first).to.include({ document_author: "Marlene Ostwald" });
    expect(second).not.to.have.any.keys("document_title", "document_author");
    const titles = async () =>
      DocumentList.parse(await (await engine.client.request("/v1/corpus/documents")).json()).items.map(
        ({ title }) => title,
      );
    while (!(await titles()).includes("Machines and Towns")) await sleep(50);
    expect(await titles()).to.include("berg.txt");
  });

  it("refuses an archive that unpacks to too much, and one that is damaged", async () => {
    const bomb = declaring(
      9_500_000,
      zipSync(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.txt`, new Uint8Array(50)]))),
    );
    await expectProblem(await batches.submitFiles({ "bomb.zip": bomb }), 413, "body-too-large");
    await expectProblem(
      await batches.submitFiles({ "broken.zip": bomb.slice(0, 2_000) }),
      422,
      "unreadable-file",
    );
  });

  it("refuses too many members, none, and a template that can't be read", async () => {
    const members = Array.from({ length: 51 }, (_, at) => ({ text: `one ${at}` }));
    const refused = await engine.client.json("POST", "/v1/batches", { members });
    await expectProblem(refused, 422, "invalid-input", ["members"]);
    await expectProblem(
      await engine.client.json("POST", "/v1/batches", { members: [] }),
      422,
      "invalid-input",
      ["members"],
    );
    await expectProblem(await batches.submitFiles({}, { title: "nothing" }), 422, "invalid-input", [
      "members",
    ]);
  });

  it("gives the same batch for the same key and request, and refuses another request", async () => {
    const body = { members: [{ text: prose(8, 40) }, { text: prose(9, 40) }] };
    const headers = { "Idempotency-Key": "a class" };
    const first = await engine.client.json("POST", "/v1/batches", body, headers);
    const second = await engine.client.json("POST", "/v1/batches", body, headers);
    expect(await second.text()).to.equal(await first.text());
    const other = await engine.client.json("POST", "/v1/batches", { ...body, title: "x" }, headers);
    await expectProblem(other, 409, "idempotency-key-reused");
  });

  it("refuses other templates under a key, and takes the same ones again", async () => {
    const members = [{ text: prose(63, 40) }, { text: prose(64, 40) }];
    const headers = { "Idempotency-Key": "a class with an assignment" };
    const submit = (...templates: readonly string[]) =>
      engine.client.json("POST", "/v1/batches", { members, templates }, headers);
    const first = await submit(prose(65, 40), prose(66, 40));
    expect(first.status).to.equal(202);
    const second = await submit(prose(65, 40), prose(66, 40));
    expect(await second.text()).to.equal(await first.text());
    for (const other of [[prose(65, 40)], [`${prose(65, 40)}${prose(66, 40)}`], []])
      await expectProblem(await submit(...other), 409, "idempotency-key-reused");
  });

  it("makes each folder a group, but not the one that all files are in", async () => {
    const text = (seed: number) => Buffer.from(`${prose(seed, 80)} ${copied}`);
    const archive = zipSync({ "class/ben.txt": text(71), "class/last-year/old 1.txt": text(72) });
    const sent = { "class/anna.txt": text(70), "more.zip": archive, "class/last-year/old 2.txt": text(73) };
    const response = await batches.submitFiles(sent, { group_by_folder: "true" });
    const { batch_id: batchId } = JSON.parse(await response.text());
    await batches.ended(batchId);
    const groups = async () => (await batches.batch(batchId)).members.map(({ name, group }) => [name, group]);
    const first = [
      ["class/anna.txt", null],
      ["class/ben.txt", null],
      ["class/last-year/old 1.txt", "class/last-year"],
      ["class/last-year/old 2.txt", "class/last-year"],
    ];
    expect(await groups()).to.deep.equal(first);
    expect((await batches.report(batchId)).pairs_total).to.equal(5);

    const path = `/v1/batches/${batchId}/members`;
    const add = (files: Record<string, Uint8Array>) =>
      batches.submitFiles(files, { group_by_folder: "true" }, path);
    expect((await add({ "class/last-year/old 3.txt": text(74) })).status).to.equal(202);
    expect((await add({ "class/carl.txt": text(75) })).status).to.equal(202);
    expect((await groups()).slice(first.length)).to.deep.equal([
      ["class/last-year/old 3.txt", "class/last-year"],
      ["class/carl.txt", null],
    ]);
  });

  it("reads names in archives as UTF-8 also where that is not declared, and else as CP437", async () => {
    const text = (seed: number) => Buffer.from(prose(seed, 40));
    // fflate declares UTF-8, so names of the same length are replaced afterwards.
    const names: readonly (readonly [string, Buffer])[] = [
      ["utf-8---.txt", Buffer.from("Mu\u0308ller.txt")],
      ["cp437-.txt", Buffer.from("J\x81rgen.txt", "latin1")],
    ];
    const made = zipSync(Object.fromEntries(names.map(([name], at) => [name, text(76 + at)])));
    const archive = names.reduce(
      (bytes, [name, raw]) => bytes.replaceAll(name, raw.toString("latin1")),
      Buffer.from(made).toString("latin1"),
    );
    const declared = zipSync({ "essays/Zoe\u0308.txt": text(78) });
    const response = await batches.submitFiles({
      "finder.zip": Buffer.from(archive, "latin1"),
      "declared.zip": declared,
    });
    const { batch_id: batchId } = JSON.parse(await response.text());
    const { members } = await batches.ended(batchId);
    expect(members.map(({ name, status }) => [name, status])).to.deep.equal([
      ["M\u00fcller.txt", "compared"],
      ["J\u00fcrgen.txt", "compared"],
      ["essays/Zo\u00eb.txt", "compared"],
    ]);
  });

  it("adds members once for the same key and request, and refuses another request", async () => {
    const { batch } = await batches.compared([{ text: prose(60, 40) }, { text: prose(61, 40) }]);
    const path = `/v1/batches/${batch.batch_id}/members`;
    const headers = { "Idempotency-Key": "a latecomer" };
    const late = { members: [{ text: prose(62, 40) }] };
    const first = await engine.client.json("POST", path, late, headers);
    const second = await engine.client.json("POST", path, late, headers);
    expect(JSON.parse(await first.text())).to.include({ members_added: 1 });
    expect(await second.json()).to.include({ members_added: 1 });
    expect((await batches.ended(batch.batch_id)).members_total).to.equal(3);
    const other = await engine.client.json("POST", path, { members: [{ text: "another" }] }, headers);
    await expectProblem(other, 409, "idempotency-key-reused");
  });

  it("is listed, renamed and read as CSV; its members are checks that no list of checks has", async () => {
    const { batch } = await batches.compared(
      [
        { name: "=anna", text: `${copied} ${prose(10, 60)}` },
        { name: "ben", text: `${prose(11, 60)} ${copied}` },
      ],
      { title: "Essays on ferries" },
    );
    const { batch_id: batchId } = batch;
    const renamed = await engine.client.json("PATCH", `/v1/batches/${batchId}`, { title: "Ferries" });
    expect(BatchMetadata.parse(await renamed.json()).title).to.equal("Ferries");
    const list = BatchList.parse(await (await engine.client.request("/v1/batches?title=ferries")).json());
    expect(list.items.map((one) => one.batch_id)).to.deep.equal([batchId]);

    const pairs = await (await engine.client.request(`/v1/batches/${batchId}/pairs.csv`)).text();
    expect(pairs.split("\r\n")[1]).to.match(/^'=anna,,ben,,[\d.]+,[\d.]+,[\d.]+,\d+,\d+,1,\d+,/);
    const members = await (await engine.client.request(`/v1/batches/${batchId}/members.csv`)).text();
    expect(members.split("\r\n")).to.have.length(4);

    const checks = CheckList.parse(await (await engine.client.request("/v1/checks?title=ben")).json());
    expect(checks.total).to.equal(0);
    const anna = await engine.client.report(batch.members[0]?.check_id ?? "", "?offset_unit=utf16");
    const ben = await engine.client.report(batch.members[1]?.check_id ?? "", "?offset_unit=utf16");
    for (const [own, other] of [
      [anna, "ben"],
      [ben, "=anna"],
    ] as const) {
      expect(own).to.include({ overall_similarity_pct: 0, corpus_sources: 0 });
      expect(own.batch?.members.map(({ name }) => name)).to.deep.equal([other]);
      const [passage] = own.batch?.members[0]?.passages ?? [];
      expect(own.query_text.slice(passage?.query_start, passage?.query_end)).to.equal(copied);
    }
  });

  it("compares with the corpus too when asked, and adds its members there only then", async () => {
    const article = prose(20, 120);
    await engine.client.addDocument("article.txt", article);
    const { batch, report } = await batches.compared(
      [
        { name: "anna", text: `${article} ${prose(21, 60)}` },
        { name: "ben", text: prose(22, 100) },
      ],
      { compare_with: "both", add_to_corpus: true },
    );
    expect(report.members.find(({ name }) => name === "anna")?.corpus_similarity_pct).to.be.above(50);
    const anna = await engine.client.report(batch.members[0]?.check_id ?? "");
    expect(anna.sources.map(({ title }) => title)).to.deep.equal(["article"]);
    expect(anna.batch?.is_compared_with_corpus).to.equal(true);
    for (let found = 0; found < 2; await sleep(100)) {
      const list = await engine.client.request("/v1/corpus/documents?title=ben");
      const { total } = DocumentList.parse(await list.json());
      found = total === 1 ? 2 : 0;
    }
    const other = await batches.compared([
      { name: "x", text: prose(22, 100) },
      { name: "y", text: prose(23, 50) },
    ]);
    const x = await engine.client.report(other.batch.members[0]?.check_id ?? "");
    expect(x.sources).to.deep.equal([]);
    expect(x.batch?.is_compared_with_corpus).to.equal(false);
    const exported = await engine.client.request(`/v1/checks/${x.check_id}/report.html`);
    expect(await exported.text()).to.contain("No passages in common with other texts of the batch.");
  });

  it("leaves nothing behind when it is deleted, also not in the index", async () => {
    const { batch } = await batches.compared([
      { name: "a", text: `${copied} ${prose(30, 60)}` },
      { name: "b", text: `${copied} ${prose(31, 60)}` },
    ]);
    const { batch_id: batchId } = batch;
    const response = await engine.client.request(`/v1/batches/${batchId}`, { method: "DELETE" });
    expect(response.status).to.equal(204);
    await expectProblem(await engine.client.request(`/v1/batches/${batchId}`), 404, "batch-not-found");
    await expectProblem(
      await engine.client.request(`/v1/checks/${batch.members[0]?.check_id}`),
      404,
      "check-not-found",
    );
    await indexEmptyOf(batchId);
  });

  it("is deleted by retention with its members, which are never deleted alone", async () => {
    const { batch } = await batches.compared([{ text: prose(40, 50) }, { text: prose(41, 50) }]);
    const database = engine.database;
    const log = pino({ level: "silent" });
    const queue = new JobQueue(engine.options.databaseUrl, { queues: [], works: false, log });
    await queue.start();
    const later = new Date(Date.now() + 10 * 86_400_000);
    const parts = { database, queue, log, batches: new BatchStore(), retentionDays: 5, now: () => later };
    await createDeleteOldBatches(parts)(new AbortController().signal);
    await queue.stop(0);
    await expectProblem(await engine.client.request(`/v1/batches/${batch.batch_id}`), 404, "batch-not-found");
    await indexEmptyOf(batch.batch_id);
  });

  it("keeps the other members when one is deleted by its check", async () => {
    const members = [50, 51, 52].map((seed) => ({ name: `m${seed}`, text: `${copied} ${prose(seed, 50)}` }));
    const { batch } = await batches.compared(members);
    await engine.client.request(`/v1/checks/${batch.members[1]?.check_id}`, { method: "DELETE" });
    expect(pairNames(await batches.report(batch.batch_id))).to.deep.equal(["m50 & m52"]);
  });

  it("ends when the member that it waited for is deleted by its check", async () => {
    const members = [53, 54, 55].map((seed) => ({ name: `m${seed}`, text: `${copied} ${prose(seed, 50)}` }));
    const { batch } = await batches.compared(members);
    const last = batch.members[2];
    // As if the last member waited, and its job was lost with its row.
    await engine.database.query("update batches set completed_at = null where batch_id = $1", [
      batch.batch_id,
    ]);
    await engine.database.query("update batch_members set status = 'waiting' where check_id = $1", [
      last?.check_id,
    ]);
    expect((await batches.batch(batch.batch_id)).status).to.equal("reading");
    await engine.client.request(`/v1/checks/${last?.check_id}`, { method: "DELETE" });
    const ended = await batches.ended(batch.batch_id);
    expect(ended.members.map(({ name }) => name)).to.deep.equal(["m53", "m54"]);
    expect(pairNames(await batches.report(batch.batch_id))).to.deep.equal(["m53 & m54"]);
  });

  /** Waits until the index has no chunk of a batch. */
  async function indexEmptyOf(batchId: string): Promise<void> {
    const index = `${engine.options.opensearchIndexPrefix}member-chunks-read`;
    for (;;) {
      await engine.opensearch.indices.refresh({ index });
      const { body } = await engine.opensearch.count({
        index,
        body: { query: { term: { batch_id: batchId } } },
      });
      if (body.count === 0) return;
      await sleep(200);
    }
  }
});

/** The archive with this size, in bytes, of each unpacked file in its directory; to make such files takes seconds. */
function declaring(size: number, zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip);
  const entry = Buffer.from("PK\x01\x02", "latin1");
  for (let at = bytes.indexOf(entry); at >= 0; at = bytes.indexOf(entry, at + 4))
    bytes.writeUInt32LE(size, at + 24);
  return bytes;
}

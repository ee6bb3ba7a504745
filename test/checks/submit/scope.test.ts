import { createHash } from "node:crypto";
import { expect } from "chai";
import { AddedToCorpus, Submitted } from "../../../src/checks/api/schema.ts";
import { DocumentWithText } from "../../../src/corpus/api/schema.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

describe("owners, groups, collections and templates of a check", () => {
  const engine = useEngine();
  const shared = prose(901, 150);
  const documents: Record<string, string> = {};

  before(async () => {
    const add = async (name: string, fields: Record<string, string>) => {
      const { document_id } = await engine.client.addDocument(`${name}.txt`, `${shared} ${name}`, fields);
      documents[name] = document_id;
    };
    await add("plain", {});
    await add("mine", { owner: "ann", group: "draft 1", collection: "essays" });
    await add("grouped", { owner: "bob", group: "paper, second", collection: "essays" });
    await add("other", { owner: "bob", collection: "theses" });
    const text = `${shared} bulk`;
    const [bulk] = await engine.service.ingestDocuments([
      {
        origin: { scope: "platform", collection: "library", path: "bulk.txt" },
        ...{ filename: "bulk.txt", title: "bulk", mediaType: "text/plain", language: "en", sourceUrl: null },
        ...{ text, sizeBytes: text.length, sha256: createHash("sha256").update(text).digest("hex") },
      },
    ]);
    const id = bulk?.document.documentId ?? "";
    documents.bulk = id;
    await engine.service.fingerprintDocuments([id]);
  });

  async function found(more: Record<string, unknown>): Promise<string[]> {
    const report = await engine.client.checked(shared, more);
    return namesOf(report.sources.map(({ source_document_id }) => source_document_id));
  }

  function namesOf(ids: readonly string[]): string[] {
    return Object.keys(documents)
      .filter((name) => ids.includes(documents[name] ?? ""))
      .toSorted();
  }

  const ALL = ["bulk", "grouped", "mine", "other", "plain"];

  it("changes nothing without leave_out: an owner and a group alone leave nothing out", async () => {
    expect(await found({})).to.deep.equal(ALL);
    expect(await found({ owner: "ann", group: "paper, second" })).to.deep.equal(ALL);
  });

  it("leaves out the documents of the same owner", async () => {
    expect(await found({ owner: "ann", leave_out: "owner" })).to.deep.equal(without(ALL, "mine"));
    expect(await found({ owner: "bob", leave_out: "owner" })).to.deep.equal(without(ALL, "grouped", "other"));
    expect(await found({ owner: "Ann", leave_out: "owner" })).to.deep.equal(ALL);
  });

  it("leaves out the documents of the same group", async () => {
    const scope = { owner: "ann", group: "paper, second", leave_out: "group" };
    expect(await found(scope)).to.deep.equal(without(ALL, "grouped"));
  });

  it("compares with the named collections only, uploaded or loaded in bulk, and counts only these", async () => {
    const report = await engine.client.checked(shared, { collections: ["essays", "library"] });
    const ids = report.sources.map(({ source_document_id }) => source_document_id);
    expect(namesOf(ids)).to.deep.equal(["bulk", "grouped", "mine"]);
    expect(report.corpus_sources).to.equal(3);
    expect(await found({ collections: ["essays"], owner: "ann", leave_out: "owner" })).to.deep.equal([
      "grouped",
    ]);
    expect(await found({ collections: ["nothing of this name"] })).to.deep.equal([]);
  });

  it("shows them in the check, in lists and in documents, and only where they were given", async () => {
    const scope = { owner: "ann", group: "g", leave_out: "owner", collections: ["essays"] };
    const checkId = await engine.client.submit(shared, scope);
    expect(await engine.client.check(checkId)).to.include({ owner: "ann", group: "g", leave_out: "owner" });
    expect((await engine.client.check(checkId)).collections).to.deep.equal(["essays"]);
    const plain = await engine.client.check(await engine.client.submit(shared));
    expect(plain).to.not.have.any.keys("owner", "group", "leave_out", "collections");
    const document = await engine.client.fingerprinted(documents.mine ?? "");
    expect(document).to.include({ owner: "ann", group: "draft 1", collection: "essays" });
    const other = await engine.client.fingerprinted(documents.plain ?? "");
    expect(other).to.not.have.any.keys("owner", "group", "collection");
  });

  it("is named in the report and its exports, and only where the check was limited", async () => {
    const scope = { leave_out: "owner", collections: ["essays", "library"] };
    const limited = await engine.client.checked(shared, { owner: "ann", ...scope });
    expect(limited.scope).to.deep.equal(scope);
    const html = (id: string) => engine.client.request(`/v1/checks/${id}/report.html`);
    const compared = "the collections “essays” and “library”, without the documents of the same owner";
    expect(await (await html(limited.check_id)).text())
      .to.include(`compared with ${limited.corpus_sources} documents of ${compared}`)
      .and.to.include(`The whole text was compared with ${compared}.`);
    const one = await engine.client.checked(shared, { collections: ["essays"] });
    expect(one.scope).to.deep.equal({ collections: ["essays"] });
    const plain = await engine.client.checked(shared, { owner: "ann", group: "g" });
    expect(plain).to.not.have.property("scope");
    expect(await (await html(plain.check_id)).text()).to.include("text was compared with the corpus.");
  });

  for (const [body, field] of [
    [{ leave_out: "owner" }, "leave_out"],
    [{ leave_out: "group", owner: "ann" }, "leave_out"],
    [{ leave_out: "both", owner: "ann" }, "leave_out"],
    [{ owner: "" }, "owner"],
    [{ group: "g".repeat(201) }, "group"],
    [{ collections: [] }, "collections"],
    [{ collections: Array.from({ length: 21 }, String) }, "collections"],
    [{ templates: [""] }, "templates.0"],
  ] as const) {
    it(`is 422 for ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const response = await engine.client.json("POST", "/v1/checks", { query_text: "A text.", ...body });
      await expectProblem(response, 422, "invalid-input", [field]);
    });
  }

  it("takes the same fields beside a file, collections as a list with commas", async () => {
    const form = new FormData();
    form.set("file", new Blob([shared]), "essay.txt");
    const fields = { owner: "bob", group: "x", leave_out: "owner", collections: "essays, , theses," };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.append("templates", new Blob([prose(902, 30)]), "assignment.txt");
    form.append("templates", new Blob([prose(903, 30)]), "questions.txt");
    const response = await engine.client.request("/v1/checks/upload", { method: "POST", body: form });
    const { check_id: checkId } = Submitted.parse(await response.json());
    await engine.client.ended(checkId);
    const { sources } = await engine.client.report(checkId);
    expect(namesOf(sources.map(({ source_document_id }) => source_document_id))).to.deep.equal(["mine"]);
    for (let number = 0; number < 4; number += 1) form.append("templates", new Blob(["More."]), "more.txt");
    const many = await engine.client.request("/v1/checks/upload", { method: "POST", body: form });
    await expectProblem(many, 422, "invalid-input", ["templates"]);
  });

  it("does not compare text from templates, in a text and in a file", async () => {
    const own = prose(904, 120);
    await engine.client.addDocument("source.txt", own);
    const text = `${shared} ${own}`;
    const report = await engine.client.checked(text, { templates: [shared] });
    expect(report.total_matched_chars).to.be.within(own.length - 20, own.length + 1);
    const form = new FormData();
    form.set("file", new Blob([text]), "essay.txt");
    form.append("templates", new Blob([shared]), "assignment.txt");
    const response = await engine.client.request("/v1/checks/upload", { method: "POST", body: form });
    const { check_id: checkId } = Submitted.parse(await response.json());
    await engine.client.ended(checkId);
    expect((await engine.client.report(checkId)).unique_passages).to.deep.equal(report.unique_passages);
  });

  it("takes long names of collections, and lets no document join one with a comma", async () => {
    const body = { query_text: "A text.", collections: ["c".repeat(600)] };
    expect((await engine.client.json("POST", "/v1/checks", body)).status).to.equal(202);
    const upload = async (collection: string) => {
      const form = new FormData();
      form.set("file", new Blob([`${prose(910, 20)} ${collection}`]), "a.txt");
      form.set("collection", collection);
      return engine.client.request("/v1/corpus/documents", { method: "POST", body: form });
    };
    await expectProblem(await upload("a, b"), 422, "invalid-input", ["collection"]);
    expect(await (await upload(" spaced ")).json()).to.include({ collection: "spaced" });
  });

  it("names the template that can't be read", async () => {
    const form = new FormData();
    form.set("file", new Blob(["A text."]), "essay.txt");
    form.append("templates", new Blob([]), "assignment.txt");
    const response = await engine.client.request("/v1/checks/upload", { method: "POST", body: form });
    const { detail } = await expectProblem(response, 422, "no-extractable-text");
    expect(detail).to.include("assignment.txt: ");
  });

  it("is another request with another owner, and the same without any, for an Idempotency-Key", async () => {
    const send = (body: object) =>
      engine.client.json(
        "POST",
        "/v1/checks",
        { query_text: "A text.", ...body },
        { "Idempotency-Key": "scope" },
      );
    expect((await send({ owner: "ann" })).status).to.equal(202);
    expect((await send({ owner: "ann", leave_out: null })).status).to.equal(202);
    for (const body of [{ owner: "bob" }, {}, { owner: "ann", templates: ["A text."] }])
      await expectProblem(await send(body), 409, "idempotency-key-reused");
  });

  describe("POST /v1/checks/{check_id}/document", () => {
    async function add(checkId: string, query = "") {
      const response = await engine.client.request(`/v1/checks/${checkId}/document${query}`, {
        method: "POST",
      });
      return { status: response.status, body: AddedToCorpus.parse(await response.json()) };
    }

    it("adds the text of a check with its title, owner and group, once, and later checks find it", async () => {
      const text = prose(905, 120);
      const scope = { title: "A draft", owner: "eve", group: "drafts", templates: [prose(906, 60)] };
      const checkId = await engine.client.submit(`${text} ${prose(906, 60)}`, scope);
      await engine.client.ended(checkId);
      const first = await add(checkId, "?collection=drafts");
      expect([first.status, first.body.is_new]).to.deep.equal([201, true]);
      await engine.client.fingerprinted(first.body.document_id);
      const stored = DocumentWithText.parse(
        await (await engine.client.request(first.body.document_url)).json(),
      );
      expect(stored).to.include({ title: "A draft", owner: "eve", group: "drafts", collection: "drafts" });
      expect(stored.extracted_text.trim()).to.equal(text);
      const again = await add(checkId);
      expect([again.status, again.body]).to.deep.equal([200, { ...first.body, is_new: false }]);
      const sources = async (more: Record<string, unknown>) =>
        (await engine.client.checked(text, more)).sources;
      expect((await sources({})).map(({ title }) => title)).to.deep.equal(["A draft"]);
      expect(await sources({ owner: "eve", leave_out: "owner" })).to.deep.equal([]);
    });

    it("knows the file of a check: an upload of it adds no second document", async () => {
      const file = { name: "Essay of Eve.txt", content: prose(907, 100) };
      const response = await engine.client.upload("/v1/checks/upload", file);
      const { check_id: checkId } = Submitted.parse(await response.json());
      await engine.client.ended(checkId);
      const { body } = await add(checkId);
      const uploaded = await engine.client.upload("/v1/corpus/documents", file);
      expect(uploaded.status).to.equal(200);
      const document = await engine.client.fingerprinted(body.document_id);
      expect(document.filename).to.equal(file.name);
      expect(await uploaded.json()).to.include({ document_id: body.document_id });
    });

    it("takes no text that comes from templates as a whole, nor the file's bytes for a part of its text", async () => {
      const handedOut = prose(908, 60);
      const checkId = await engine.client.submit(handedOut, { templates: [handedOut] });
      await engine.client.ended(checkId);
      const path = `/v1/checks/${checkId}/document`;
      await expectProblem(await engine.client.request(path, { method: "POST" }), 422, "no-extractable-text");
      const form = new FormData();
      const content = `${prose(909, 100)} ${handedOut}`;
      form.set("file", new Blob([content]), "partly.txt");
      form.append("templates", new Blob([handedOut]), "assignment.txt");
      const sent = await engine.client.request("/v1/checks/upload", { method: "POST", body: form });
      const { check_id: partly } = Submitted.parse(await sent.json());
      await engine.client.ended(partly);
      await add(partly);
      const whole = await engine.client.upload("/v1/corpus/documents", { name: "partly.txt", content });
      expect(whole.status).to.equal(201);
    });

    it("is 404 for an unknown check", async () => {
      const path = "/v1/checks/01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf/document";
      await expectProblem(await engine.client.request(path, { method: "POST" }), 404, "check-not-found");
    });
  });
});

describe("a check that waits", () => {
  const engine = useEngine({ roles: ["engine"] });

  it("is not added to the corpus: it would find itself", async () => {
    const checkId = await engine.client.submit("A text.");
    const response = await engine.client.request(`/v1/checks/${checkId}/document`, { method: "POST" });
    await expectProblem(response, 409, "check-not-complete");
  });
});

function without(names: readonly string[], ...left: readonly string[]): string[] {
  return names.filter((name) => !left.includes(name));
}

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { v7 as uuidv7 } from "uuid";
import { DocumentList, DocumentMetadata, DocumentWithText } from "../../src/corpus/api/schema.ts";
import type { WireDocument } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

const DOCUMENTS = "/v1/corpus/documents";

/** The key of the lock at which a trigger of these tests holds a document that is about to become matchable. */
const LOCK = 4_712;

/** At the pace of polling, two every other second, so many documents would take a minute. */
const BURST = 60;
const BURST_MAX_MS = 30_000;

describe("corpus documents over HTTP", () => {
  const engine = useEngine();
  const uploaded: WireDocument[] = [];

  before(async () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      const response = await engine.client.upload(DOCUMENTS, {
        name: `${seed}.txt`,
        content: prose(seed, 20),
      });
      uploaded.push(DocumentMetadata.parse(await response.json()));
    }
  });

  async function list(query = ""): Promise<ReturnType<typeof DocumentList.parse>> {
    const response = await engine.client.request(`${DOCUMENTS}${query}`);
    expect(response.status).to.equal(200);
    return DocumentList.parse(await response.json());
  }

  describe("specification 4.1 and 8, decisions, Engine: corpus: GET /v1/corpus/documents", () => {
    it("lists 20 documents, newest first, with total, limit and offset as the list of checks has them", async () => {
      const { items, ...envelope } = await list();
      expect(envelope).to.deep.equal({ total: 25, limit: 20, offset: 0 });
      expect(items.map(({ document_id }) => document_id)).to.deep.equal(
        uploaded
          .map(({ document_id }) => document_id)
          .toReversed()
          .slice(0, 20),
      );
    });

    it("returns the rows selected by limit and offset", async () => {
      const { items, ...envelope } = await list("?limit=3&offset=23");
      expect(envelope).to.deep.equal({ total: 25, limit: 3, offset: 23 });
      expect(items.map(({ filename }) => filename)).to.deep.equal(["2.txt", "1.txt"]);
      expect((await list("?limit=100&offset=1000")).items).to.deep.equal([]);
    });

    it("has metadata only: no text", async () => {
      expect(await (await engine.client.request(`${DOCUMENTS}?limit=1`)).text()).to.not.include(
        "extracted_text",
      );
    });

    for (const query of [
      "limit=0",
      "limit=101",
      "limit=ten",
      "limit=",
      "offset=-1",
      "offset=1.5",
      "limit=1&limit=2",
    ]) {
      it(`${query} is 422 and names the parameter`, async () => {
        const [field = ""] = query.split("=");
        await expectProblem(await engine.client.request(`${DOCUMENTS}?${query}`), 422, "invalid-input", [
          field,
        ]);
      });
    }
  });

  it("decisions, Both interfaces: ignores query parameters that it does not know", async () => {
    expect((await list("?colour=red&limit=2")).items).to.have.lengthOf(2);
  });

  describe("specification 2.3 and 4.1: GET /v1/corpus/documents/{id}", () => {
    it("gives the metadata and the full extracted text", async () => {
      const [first] = uploaded;
      const { document_id } = await engine.client.fingerprinted(first?.document_id ?? "");
      const response = await engine.client.request(`${DOCUMENTS}/${document_id.toUpperCase()}`);
      const { extracted_text, ...metadata } = DocumentWithText.parse(await response.json());
      expect(extracted_text).to.equal(prose(1, 20));
      const { items } = await list("?limit=100");
      expect(metadata).to.deep.equal(items.find((one) => one.document_id === document_id));
    });

    it("is 404 for an unknown and for a malformed identifier, as is DELETE", async () => {
      for (const id of [uuidv7(), "1", "not-a-uuid", "%20", `${uploaded[0]?.document_id}0`]) {
        for (const method of ["GET", "DELETE"]) {
          await expectProblem(
            await engine.client.request(`${DOCUMENTS}/${id}`, { method }),
            404,
            "document-not-found",
          );
        }
      }
    });
  });

  describe("specification 2.3 and 4.1: DELETE /v1/corpus/documents/{id}", () => {
    it("is 204 without a body; then the document is found nowhere, and a second DELETE is 404", async () => {
      const { document_id } = await engine.client.addDocument("gone.txt", prose(40, 300));
      const response = await engine.client.request(`${DOCUMENTS}/${document_id}`, { method: "DELETE" });
      expect(response.status).to.equal(204);
      expect(await response.text()).to.equal("");
      for (const method of ["GET", "DELETE"]) {
        await expectProblem(
          await engine.client.request(`${DOCUMENTS}/${document_id}`, { method }),
          404,
          "document-not-found",
        );
      }
      expect((await list("?limit=100")).items.map((one) => one.document_id)).to.not.include(document_id);
      expect((await list()).total).to.equal(25);
    });

    it("removes the document's text and its chunks", async () => {
      const { document_id } = await engine.client.addDocument("chunks.txt", prose(41, 700));
      expect(await storedChunks(document_id)).to.be.greaterThan(2);
      await engine.client.request(`${DOCUMENTS}/${document_id}`, { method: "DELETE" });
      expect(
        await engine.database.query("select 1 as one from text_sections where document_id = $1", [
          document_id,
        ]),
      ).to.deep.equal([]);
      while ((await storedChunks(document_id)) > 0) await sleep(50);
    });

    it("of a document that is still pending keeps it from ever becoming matchable", async () => {
      const text = prose(42, 60);
      let deletion: Promise<Response> | undefined;
      const documentId = await whileFingerprintingIsHeld(text, async (documentId) => {
        deletion = engine.client.request(`${DOCUMENTS}/${documentId}`, { method: "DELETE" });
      });
      expect((await deletion)?.status).to.equal(204);
      while ((await storedChunks(documentId)) > 0) await sleep(50);
      expect((await engine.client.checked(text)).sources).to.deep.equal([]);
    });
  });

  describe("specification 3: fingerprint_status", () => {
    it("is pending until the document is matchable, fingerprinted from then on", async () => {
      const text = prose(51, 450);
      let checkId = "";
      const documentId = await whileFingerprintingIsHeld(text, async (documentId) => {
        const pending = DocumentMetadata.parse(
          await (await engine.client.request(`${DOCUMENTS}/${documentId}`)).json(),
        );
        expect(pending).to.deep.include({
          fingerprint_status: "pending",
          semantic_status: "pending",
          chunk_count: 0,
          fingerprinted_at: null,
        });
        checkId = await engine.client.submit(text);
      });
      const document = await engine.client.fingerprinted(documentId);
      expect(document.chunk_count).to.be.greaterThan(1);
      expect(document.fingerprinted_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(document.fingerprinted_at ?? "")).to.be.at.least(Date.parse(document.created_at));
      // The check was submitted after the upload was accepted, so it has waited for it.
      await engine.client.ended(checkId);
      expect((await engine.client.report(checkId)).overall_similarity_pct).to.equal(100);
    });

    it("a burst of documents is fingerprinted as fast as the workers can, not at the pace of polling", async () => {
      const answers = await Promise.all(
        Array.from({ length: BURST }, (_, index) =>
          engine.client.upload(DOCUMENTS, { name: `${index}.txt`, content: prose(60 + index, 30) }),
        ),
      );
      const documents = await Promise.all(
        answers.map(async (one) => DocumentMetadata.parse(await one.json())),
      );
      const startedAt = performance.now();
      await Promise.all(documents.map(({ document_id }) => engine.client.fingerprinted(document_id)));
      expect(performance.now() - startedAt).to.be.lessThan(BURST_MAX_MS);
    });
  });

  async function storedChunks(documentId: string): Promise<number> {
    const { body } = await engine.opensearch.count({
      index: `${engine.options.opensearchIndexPrefix}chunks-read`,
      q: `document_id:${documentId}`,
    });
    return body.count;
  }

  /** Uploads a text, and does something when its chunks are written and all but the last step to being matchable is done. */
  async function whileFingerprintingIsHeld(
    text: string,
    act: (documentId: string) => Promise<void>,
  ): Promise<string> {
    await engine.database.query(
      `create or replace function wait_at_lock() returns trigger language plpgsql as
         $$ begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$`,
    );
    await engine.database.query(
      `create or replace trigger wait_for_lock before insert on document_chunks for each statement execute function wait_at_lock()`,
    );
    const documentId = await engine.database.transaction(async (lock) => {
      await lock.query("select pg_advisory_xact_lock($1)", [LOCK]);
      const response = await engine.client.upload(DOCUMENTS, { name: "held.txt", content: text });
      const { document_id } = DocumentMetadata.parse(await response.json());
      while ((await storedChunks(document_id)) === 0) await sleep(20);
      await act(document_id);
      return document_id;
    });
    await engine.database.query("drop trigger wait_for_lock on document_chunks");
    return documentId;
  }
});

import { createHash } from "node:crypto";
import { expect } from "chai";
import { DocumentMetadata, DocumentWithText } from "../../src/corpus/api/schema.ts";
import { line, makeDocx, makePdf, makeZip, paragraph } from "../extract/made-documents.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

const UPLOAD = "/v1/corpus/documents";
const PASSWORD_PDF = makePdf({
  pages: [line("secret")],
  trailer: `/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${"00".repeat(32)}>/U<${"00".repeat(32)}>>>/ID[<00><00>]`,
});

describe("POST /v1/corpus/documents", () => {
  // Without a worker nothing is fingerprinted, so that what an upload answers can be looked at in peace.
  const engine = useEngine({ roles: ["engine"] });

  async function uploaded(name: string, content: string | Uint8Array, fields: Record<string, string> = {}) {
    const response = await engine.client.upload(UPLOAD, { name, content }, fields);
    return { status: response.status, document: DocumentMetadata.parse(await response.json()) };
  }

  async function textOf(documentId: string): Promise<string> {
    return DocumentWithText.parse(await (await engine.client.request(`${UPLOAD}/${documentId}`)).json())
      .extracted_text;
  }

  describe("specification 3 and 4.1: an upload", () => {
    it("of new content is 201 with the document's metadata, pending", async () => {
      const text = `😀 ${prose(1, 40)}\r\n`;
      const { status, document } = await uploaded("Über uns.txt", text, {
        title: "About us",
        language: "DE",
        source_url: "https://example.org/über?x=1#top",
      });
      expect(status).to.equal(201);
      expect(document.document_id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
      expect(document.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(document).to.deep.equal({
        document_id: document.document_id,
        filename: "Über uns.txt",
        title: "About us",
        media_type: "text/plain",
        language: "de",
        language_origin: "stated",
        source_url: "https://example.org/über?x=1#top",
        size_bytes: Buffer.byteLength(text),
        sha256: createHash("sha256").update(text).digest("hex"),
        char_count: [...text].length,
        word_count: 40,
        chunk_count: 0,
        fingerprint_status: "pending",
        semantic_status: "pending",
        created_at: document.created_at,
        fingerprinted_at: null,
      });
    });

    it("without a title has the one that its file states, otherwise the file's name", async () => {
      const properties = "<dc:title>Machines and Towns</dc:title><dc:creator>Marlene Ostwald</dc:creator>";
      const file = (text: string) => makeDocx({ body: paragraph(text), properties });
      const stated = await uploaded("a1.docx", file(prose(2, 40)));
      expect(stated.document).to.include({ title: "Machines and Towns", author: "Marlene Ostwald" });
      const named = await uploaded("a2.docx", file(prose(3, 40)), { title: "Own" });
      expect(named.document).to.include({ title: "Own", author: "Marlene Ostwald" });
      const { document } = await uploaded("a3.docx", makeDocx({ body: paragraph(prose(4, 40)) }));
      expect(document.title).to.equal("a3");
      expect(document).not.to.have.property("author");
    });

    it("that is byte-identical to a stored one is 200 with the existing document", async () => {
      const text = prose(2, 20);
      const first = await uploaded("first.txt", text, { title: "First" });
      const second = await uploaded("second.md", text, { title: "Second", language: "fr" });
      expect(second.status).to.equal(200);
      expect(second.document).to.deep.equal(first.document);
      expect((await uploaded("third.txt", `${text} `)).status).to.equal(201);
    });

    it("of the bytes of a deleted document is 201 again, with a new identifier", async () => {
      const text = prose(3, 20);
      const first = await uploaded("a.txt", text);
      await engine.client.request(`${UPLOAD}/${first.document.document_id}`, { method: "DELETE" });
      const again = await uploaded("a.txt", text);
      expect(again.status).to.equal(201);
      expect(again.document.document_id).to.not.equal(first.document.document_id);
    });
  });

  describe("decisions, Engine: corpus", () => {
    it("fifty uploads of the same bytes at the same moment give one document: one 201, the others 200", async () => {
      const text = prose(4, 200);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => uploaded(`${index}.txt`, text)),
      );
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([...Array(49).fill(200), 201]);
      expect(new Set(answers.map(({ document }) => document.document_id)).size).to.equal(1);
      const list = await (await engine.client.request(`${UPLOAD}?limit=100`)).text();
      expect(list.split(createHash("sha256").update(text).digest("hex"))).to.have.lengthOf(2);
    });

    it("media_type is that of the content: PDF, DOCX, plain text or Markdown", async () => {
      const pdf = makePdf({ pages: [line("Words in a PDF.")] });
      const docx = makeDocx({ body: paragraph("Words in a DOCX.") });
      const types = new Map([
        ["a.pdf", await uploaded("a.pdf", pdf)],
        ["b.docx", await uploaded("b.docx", docx)],
        ["c.txt", await uploaded("c.txt", "# Words in a text.")],
        ["d.md", await uploaded("d.md", "# Words in *Markdown*.")],
      ]);
      expect([...types.values()].map(({ document }) => document.media_type)).to.deep.equal([
        "application/pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "text/plain",
        "text/markdown",
      ]);
      expect((await textOf(types.get("a.pdf")?.document.document_id ?? "")).trim()).to.equal(
        "Words in a PDF.",
      );
      expect((await textOf(types.get("b.docx")?.document.document_id ?? "")).trim()).to.equal(
        "Words in a DOCX.",
      );
      expect(await textOf(types.get("d.md")?.document.document_id ?? "")).to.equal("# Words in *Markdown*.");
    });

    it("the type is decided by content: a PDF that is called .txt is read as a PDF", async () => {
      const { document } = await uploaded("really.txt", makePdf({ pages: [line("Words of another PDF.")] }));
      expect(document).to.deep.include({
        media_type: "application/pdf",
        filename: "really.txt",
        word_count: 4,
      });
    });

    it("text is UTF-8, UTF-16 with a byte-order mark, or else windows-1252, and keeps its line ends", async () => {
      const text = "Größe – “so”\r\n\r\nund Ende\n";
      const encodings = [
        Buffer.from(text),
        Buffer.from(`\uFEFF${text}`, "utf16le"),
        Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
        Buffer.from([...text].map((one) => ({ "–": 0x96, "“": 0x93, "”": 0x94 })[one] ?? one.charCodeAt(0))),
      ];
      for (const bytes of encodings) {
        const { document } = await uploaded("encoded.txt", bytes);
        expect(await textOf(document.document_id)).to.equal(text);
      }
    });

    it("title, language and source_url are optional: they default to the file name, en and null", async () => {
      const { document } = await uploaded("report.final.txt", prose(5, 10));
      expect(document).to.deep.include({ title: "report.final", language: "en", source_url: null });
      const blank = await uploaded("blank.txt", prose(6, 10), { title: "", language: "", source_url: "" });
      expect(blank.document).to.deep.include({ title: "blank", language: "en", source_url: null });
    });

    it("source_url is http or https", async () => {
      for (const [seed, url] of ["http://example.org/a", "https://example.org/b"].entries()) {
        const { status, document } = await uploaded("url.txt", prose(900 + seed, 10), { source_url: url });
        expect([status, document.source_url]).to.deep.equal([201, url]);
      }
    });

    it("unknown parts are ignored", async () => {
      expect((await uploaded("more.txt", prose(7, 10), { colour: "blue" })).status).to.equal(201);
    });

    for (const [field, value] of [
      ["title", "x".repeat(201)],
      ["language", "xx"],
      ["language", "eng"],
      ["source_url", "ftp://example.org/a"],
      ["source_url", "javascript:alert(1)"],
      ["source_url", "example.org"],
      ["source_url", "https://example.org/a\nhttps://b.example"],
      ["source_url", "https://example.org/\u202egpj.exe"],
    ] as const) {
      it(`422 names the part ${field} when it is ${value.slice(0, 20)}`, async () => {
        const response = await engine.client.upload(
          UPLOAD,
          { name: "a.txt", content: prose(8, 10) },
          { [field]: value },
        );
        await expectProblem(response, 422, "invalid-input", [field]);
      });
    }

    it("422 for a missing file part and for two of them names the part file", async () => {
      const none = new FormData();
      none.set("title", "No file");
      await expectProblem(
        await engine.client.request(UPLOAD, { method: "POST", body: none }),
        422,
        "invalid-input",
        ["file"],
      );
      const two = new FormData();
      for (const text of ["one", "two"]) two.append("file", new Blob([text]), `${text}.txt`);
      await expectProblem(
        await engine.client.request(UPLOAD, { method: "POST", body: two }),
        422,
        "invalid-input",
        ["file"],
      );
    });

    it("422 for nothing but white space, an empty file and a PDF without a text layer", async () => {
      for (const content of [" \r\n\t\u00A0", "", makePdf({ pages: ["0 0 m 9 9 l S"] })]) {
        await expectProblem(
          await engine.client.upload(UPLOAD, { name: "a.txt", content }),
          422,
          "no-extractable-text",
        );
      }
    });

    it("422 for a password-protected and for a broken file, with the reason", async () => {
      const locked = await engine.client.upload(UPLOAD, { name: "a.pdf", content: PASSWORD_PDF });
      expect((await expectProblem(locked, 422, "unreadable-file")).detail).to.match(/password/i);
      const whole = makePdf({ pages: [line("Words.")] });
      const broken = await engine.client.upload(UPLOAD, { name: "a.pdf", content: whole.subarray(0, 150) });
      expect((await expectProblem(broken, 422, "unreadable-file")).detail).to.match(
        /damaged|broken|incomplete/i,
      );
    });

    it("415 for a ZIP that is not a DOCX, an image and a legacy Office file", async () => {
      const files = [
        makeZip({ "a.txt": "text" }),
        Buffer.from("\x89PNG\r\n\x1a\n....", "latin1"),
        Buffer.from("{\\rtf1 text}"),
      ];
      for (const content of files) {
        await expectProblem(
          await engine.client.upload(UPLOAD, { name: "a.txt", content }),
          415,
          "unsupported-file-type",
        );
      }
    });

    it("415 for a body that is not a multipart form, 400 for a broken form", async () => {
      await expectProblem(
        await engine.client.json("POST", UPLOAD, { file: "text" }),
        415,
        "unsupported-media-type",
      );
      const broken = await engine.client.request(UPLOAD, {
        method: "POST",
        headers: { "Content-Type": "multipart/form-data; boundary=x" },
        body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ncut off',
      });
      await expectProblem(broken, 400, "malformed-body");
    });

    it("405 with Allow for a method that the path does not have", async () => {
      const response = await engine.client.request(UPLOAD, { method: "DELETE" });
      await expectProblem(response, 405, "method-not-allowed");
      expect(response.headers.get("Allow")).to.include("GET").and.to.include("POST");
    });
  });
});

describe("POST /v1/corpus/documents, of the same bytes many times while they are fingerprinted", () => {
  const engine = useEngine();

  it("indexes the chunks of one document once, and keeps one job", async () => {
    const text = prose(40, 2_000);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        engine.client.upload(UPLOAD, { name: `${index}.txt`, content: text }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([...Array(49).fill(200), 201]);
    const documents = await Promise.all(
      answers.map(async (answer) => DocumentMetadata.parse(await answer.json()).document_id),
    );
    expect(new Set(documents).size).to.equal(1);
    const { chunk_count } = await engine.client.fingerprinted(documents[0] ?? "");
    const index = `${engine.options.opensearchIndexPrefix}chunks-read`;
    await engine.opensearch.indices.refresh({ index });
    expect(chunk_count).to.be.greaterThan(5);
    expect((await engine.opensearch.count({ index })).body.count).to.equal(chunk_count);
    // The one job goes when it is done.
    const jobs = "select id from similarity_jobs.job where name = 'fingerprint-document' and id <> $1";
    expect(await engine.database.query(jobs, [documents[0]])).to.deep.equal([]);
  });
});

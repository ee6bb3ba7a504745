import { expect } from "chai";
import { AddedToCorpus, CheckList, Submitted } from "../../../src/checks/api/schema.ts";
import { line, makeDocx, makePdf, makeZip, paragraph } from "../../extract/made-documents.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const MEBIBYTE = 1024 * 1024;
const PDF_HEAD = "%PDF-1.4\n";

describe("POST /v1/checks/upload", () => {
  const engine = useEngine();

  const upload = (name: string, content: string | Uint8Array, fields: Record<string, string> = {}) =>
    engine.client.upload("/v1/checks/upload", { name, content }, fields);

  async function checkIdOf(response: Response): Promise<string> {
    expect(response.status).to.equal(202);
    return Submitted.parse(await response.json()).check_id;
  }

  /** The text that was read from a file, as its report has it. */
  async function textOf(name: string, content: string | Uint8Array): Promise<string> {
    const checkId = await checkIdOf(await upload(name, content));
    await engine.client.ended(checkId);
    return (await engine.client.report(checkId)).query_text;
  }

  describe("specification 4.1 and 8: a PDF, DOCX or TXT file", () => {
    it("is answered as a text is, and its text is checked", async () => {
      const text = prose(201, 40);
      const document = await engine.client.addDocument("source.txt", `${prose(202, 30)} ${text}`);
      for (const [name, content] of [
        ["essay.txt", text],
        ["essay.docx", makeDocx({ body: paragraph(text) })],
        ["essay.pdf", makePdf({ pages: linesOf(text).map(line) })],
      ] as const) {
        const response = await upload(name, content);
        const checkId = await checkIdOf(response);
        expect(checkId).to.match(/^[0-9a-f-]{14}7/);
        await engine.client.ended(checkId);
        const report = await engine.client.report(checkId);
        expect(report.sources[0]?.source_document_id, name).to.equal(document.document_id);
        expect(report.overall_similarity_pct, name).to.be.above(95);
      }
    });
  });

  it("keeps the title and the author that a file states beside its name, which stays the title", async () => {
    const properties =
      "<dc:title>Machines &amp; Towns of 1911</dc:title><dc:creator>Marlene Ostwald</dc:creator>";
    const content = makeDocx({ body: paragraph(prose(203, 60)), properties });
    const checkId = await checkIdOf(await upload("ostwald.docx", content));
    const check = await engine.client.ended(checkId);
    const stated = { document_title: "Machines & Towns of 1911", document_author: "Marlene Ostwald" };
    expect(check).to.include({ title: "ostwald.docx", display_title: "ostwald.docx", ...stated });
    expect(await engine.client.report(checkId)).to.include({ title: "ostwald.docx", ...stated });
    const html = await (await engine.client.request(`/v1/checks/${checkId}/report.html`)).text();
    expect(html).to.include("Title in the file: <bdi>Machines &amp; Towns of 1911</bdi>");
    const found = await engine.client.request("/v1/checks?title=towns%20of");
    expect(CheckList.parse(await found.json()).items[0]).to.include({ check_id: checkId, ...stated });
    const plain = await checkIdOf(await upload("plain.txt", prose(204, 60)));
    expect(await engine.client.ended(plain)).not.to.have.any.keys("document_title", "document_author");
    const added = await engine.client.request(`/v1/checks/${checkId}/document`, { method: "POST" });
    const { document_url: path } = AddedToCorpus.parse(await added.json());
    const document = await (await engine.client.request(path)).json();
    expect(document).to.include({ title: stated.document_title, author: stated.document_author });
  });

  describe("specification 7 and 8: refusals", () => {
    it("is 415 for a file type that is not supported, whatever it is called", async () => {
      const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
      for (const name of ["image.png", "image.txt", "image.pdf"]) {
        await expectProblem(await upload(name, png), 415, "unsupported-file-type");
      }
    });

    it("is 422 for a PDF without a text layer, as a scan is", async () => {
      const scan = makePdf({ pages: ["0 0 100 100 re f"] });
      const { detail } = await expectProblem(await upload("scan.pdf", scan), 422, "no-extractable-text");
      expect(detail).to.match(/scan/);
    });

    it("is 413 over 10 MiB, and not at 10 MiB", async () => {
      const exact = "x".repeat(10 * MEBIBYTE);
      await expectProblem(await upload("large.txt", `${exact}x`), 413, "body-too-large");
      await expectProblem(await upload("large.txt", exact), 422, "text-too-long");
    });

    it("is 422 for more than 500,000 extracted characters, and takes 500,000", async () => {
      const exact = "é ".repeat(250_000);
      await expectProblem(await upload("long.txt", `${exact}x`), 422, "text-too-long");
      const checkId = await checkIdOf(await upload("long.txt", exact));
      expect((await engine.client.check(checkId)).char_count).to.equal(500_000);
    });
  });

  describe("decisions, Engine: checks: the parts of the form", () => {
    it("takes language and title beside the file; language in any case", async () => {
      const checkId = await checkIdOf(
        await upload("a.txt", "Ein Text.", { language: "DE", title: "Mein Text" }),
      );
      expect(await engine.client.check(checkId)).to.include({ language: "de", title: "Mein Text" });
    });

    it("takes the file's name for the title, cut to 200 characters, and en for the language", async () => {
      const name = `${"ö😀".repeat(120)}.txt`;
      for (const fields of [{}, { language: "", title: "" }]) {
        const checkId = await checkIdOf(await upload(name, "A text.", fields));
        const check = await engine.client.check(checkId);
        expect(check).to.include({ language: "en", title: [...name].slice(0, 200).join("") });
      }
      const short = await checkIdOf(await upload("Übung 1.txt", "A text."));
      expect((await engine.client.check(short)).title).to.equal("Übung 1.txt");
    });

    it("is 422 for a language that is none and for a title that is too long", async () => {
      const fields = { language: "xx", title: "x".repeat(201) };
      await expectProblem(await upload("a.txt", "A text.", fields), 422, "invalid-input", [
        "language",
        "title",
      ]);
    });

    it("is 422 on file without a file part, and with two", async () => {
      const form = new FormData();
      form.set("title", "No file");
      await expectProblem(await post(form), 422, "invalid-input", ["file"]);
      form.append("file", new Blob(["one"]), "one.txt");
      form.append("file", new Blob(["two"]), "two.txt");
      await expectProblem(await post(form), 422, "invalid-input", ["file"]);
    });

    it("ignores parts that it does not know", async () => {
      expect((await upload("a.txt", "A text.", { colour: "red", check_id: "mine" })).status).to.equal(202);
    });

    it("is 400 when the form is malformed, and 415 when it is none", async () => {
      const cut = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nA te';
      const send = (type: string, body: string) =>
        engine.client.request("/v1/checks/upload", {
          method: "POST",
          headers: { "Content-Type": type },
          body,
        });
      await expectProblem(await send("multipart/form-data; boundary=b", cut), 400, "malformed-body");
      await expectProblem(await send("multipart/form-data", cut), 400, "malformed-body");
      await expectProblem(await send("application/json", "{}"), 415, "unsupported-media-type");
      await expectProblem(await send("text/plain", "A text."), 415, "unsupported-media-type");
    });
  });

  describe("decisions, Engine: checks: the type is decided by content", () => {
    it("reads a PDF that is called .txt as a PDF, and a DOCX that is called .pdf as a DOCX", async () => {
      expect(await textOf("essay.txt", makePdf({ pages: [line("Read me as a PDF.")] }))).to.match(
        /^\s*Read me as a PDF\.\s*$/,
      );
      expect(await textOf("essay.pdf", makeDocx({ body: paragraph("Read me as Word.") }))).to.match(
        /^\s*Read me as Word\.\s*$/,
      );
    });

    it("goes by the content too where the declared type is another one", async () => {
      const pdf = makePdf({ pages: [line("Declared as plain text.")] });
      for (const [content, type, text] of [
        [Uint8Array.from(pdf), "text/plain", "Declared as plain text."],
        ["Declared as a PDF.", "application/pdf", "Declared as a PDF."],
        ["Declared as an image.", "image/png", "Declared as an image."],
      ] as const) {
        const form = new FormData();
        form.set("file", new Blob([content], { type }), "essay.txt");
        const checkId = await checkIdOf(await post(form));
        await engine.client.ended(checkId);
        expect((await engine.client.report(checkId)).query_text.trim(), type).to.equal(text);
      }
    });

    it("is 415 for a ZIP that is not a DOCX", async () => {
      const zip = makeZip({ "a.txt": "Just some text." });
      for (const name of ["a.zip", "a.docx"]) {
        await expectProblem(await upload(name, zip), 415, "unsupported-file-type");
      }
    });

    it("reads TXT as UTF-8, as UTF-16 with a byte-order mark, or else as windows-1252", async () => {
      const text = "Ça “coûte” 5 €\n";
      const utf16le = Buffer.from(`\ufeff${text}`, "utf16le");
      expect(await textOf("utf-8.txt", text)).to.equal(text);
      expect(await textOf("utf-16le.txt", utf16le)).to.equal(text);
      expect(await textOf("utf-16be.txt", Buffer.from(utf16le).swap16())).to.equal(text);
      const windows1252 = Buffer.from("\xc7a \x93co\xfbte\x94 5 \x80\n", "latin1");
      expect(await textOf("windows.txt", windows1252)).to.equal(text);
    });

    it("keeps the text as it is: line ends and blanks stay, only a byte-order mark goes", async () => {
      const text = " \tFirst\r\nsecond\rthird\n\n  fourth  \r\n";
      expect(await textOf("ends.txt", `\ufeff${text}`)).to.equal(text);
    });

    it("replaces U+0000 by U+FFFD", async () => {
      expect(await textOf("nul.txt", "before\0after")).to.equal("before\ufffdafter");
    });
  });

  describe("decisions, Engine: checks: files that can't be read", () => {
    it("is 422 for a password-protected file and says so", async () => {
      const encrypted = makePdf({
        pages: [line("Secret.")],
        trailer: `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -44/O<${"41".repeat(32)}>/U<${"42".repeat(32)}>>>`,
      });
      const { detail } = await expectProblem(await upload("locked.pdf", encrypted), 422, "unreadable-file");
      expect(detail).to.match(/password/i);
    });

    it("is 422 for a broken file and says so", async () => {
      const docx = makeDocx({ body: paragraph("Whole.") });
      for (const [name, content] of [
        ["broken.pdf", `${PDF_HEAD}and then nothing of the kind`],
        ["broken.docx", docx.subarray(0, docx.length - 30)],
      ] as const) {
        const { detail } = await expectProblem(await upload(name, content), 422, "unreadable-file");
        expect(detail).to.match(/damaged|broken|cut off|incomplete|not be read|can't be read/i);
      }
    });

    it("is 422 for a file that is empty or has nothing but white space", async () => {
      for (const content of ["", " \r\n\t\u00a0\n", "\ufeff"]) {
        await expectProblem(await upload("blank.txt", content), 422, "no-extractable-text");
      }
      const blank = makeDocx({ body: paragraph("   ") });
      await expectProblem(await upload("blank.docx", blank), 422, "no-extractable-text");
    });
  });

  function post(form: FormData): Promise<Response> {
    return engine.client.request("/v1/checks/upload", { method: "POST", body: form });
  }
});

/** Short enough for the width of a page, beyond which a PDF has no text. */
function linesOf(text: string): string[] {
  return text.match(/.{1,60}(?: |$)/g) ?? [];
}

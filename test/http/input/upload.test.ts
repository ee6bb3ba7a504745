import { expect } from "chai";
import fc from "fast-check";
import { z } from "zod";
import { FIELD_BYTES_MAX, FilePart, FORM_PARTS_MAX, uploadFilename } from "../../../src/http/input/upload.ts";
import { routerOf, routesFor } from "../../../src/http/routing/route.ts";
import { cpuTimeMs } from "../../support/cpu-time.ts";
import { abandon, type Fixture, rawExchange, serve } from "../http-fixture.ts";

const FILE_BYTES_MAX = 100_000;
const BOUNDARY = "-----------------------------7358";

type Part = { readonly head: string; readonly body: string | Uint8Array };

const filePart = (body: string | Uint8Array, filename = "a.txt", name = "file"): Part => ({
  head: `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: text/plain`,
  body,
});
const textPart = (name: string, body: string | Uint8Array, type?: string): Part => ({
  head: `Content-Disposition: form-data; name="${name}"${type === undefined ? "" : `\r\nContent-Type: ${type}`}`,
  body,
});

function form(...parts: readonly Part[]): Buffer<ArrayBuffer> {
  const pieces = parts.flatMap(({ head, body }) => [`--${BOUNDARY}\r\n${head}\r\n\r\n`, body, "\r\n"]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)));
}

describe("an upload", () => {
  let server: Fixture;

  before(async () => {
    const schema = z.object({
      file: FilePart,
      language: z.string().optional(),
      title: z.string().optional(),
    });
    const body = { contentType: "multipart/form-data", schema, examples: {} } as const;
    const described = { operationId: "upload", summary: "", description: "", tags: [], errors: [] };
    const upload = routesFor<undefined>()(
      { ...described, method: "post", path: "/upload", request: { body }, responses: {} },
      ({ ctx, body: { file, ...fields } }) => {
        const { filename, declaredType, bytes } = file;
        ctx.body = { filename, declaredType, bytes: Buffer.from(bytes).toString("latin1"), fields };
      },
    );
    server = await serve([routerOf([upload], undefined, { fileBytesMax: FILE_BYTES_MAX })]);
  });
  after(() => server.stop());

  async function send(
    body: Buffer<ArrayBuffer> | FormData,
    type = `multipart/form-data; boundary=${BOUNDARY}`,
  ) {
    const headers = body instanceof FormData ? {} : { "Content-Type": type };
    const response = await fetch(`${server.address}/upload`, { method: "POST", headers, body });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  async function faults(...parts: readonly Part[]): Promise<unknown[]> {
    const { status, body } = await send(form(...parts));
    return [status, ...(body.errors ?? []).map((error: { field: string }) => error.field)];
  }

  it("returns the bytes, the name in UTF-8, the declared type and the requested text parts", async () => {
    const data = new FormData();
    data.set("language", "ru");
    data.set("title", 'Тест "50%"');
    data.set("unknown", "ignored");
    data.set(
      "file",
      new File([new Uint8Array([0, 255, 13, 10, 45, 45])], "отчёт 文.pdf", { type: "application/pdf" }),
    );
    expect(await send(data)).to.deep.equal({
      status: 200,
      body: {
        filename: "отчёт 文.pdf",
        declaredType: "application/pdf",
        bytes: "\0\xff\r\n--",
        fields: { language: "ru", title: 'Тест "50%"' },
      },
    });
  });

  it("accepts a text part that declares its charset, as .NET clients send it", async () => {
    const { body } = await send(form(textPart("title", "é", "text/plain; charset=utf-8"), filePart("x")));
    expect(body.fields).to.deep.equal({ title: "é" });
  });

  it("accepts an empty file and one of exactly the limit", async () => {
    expect((await send(form(filePart("")))).body.bytes).to.equal("");
    expect((await send(form(filePart("x".repeat(FILE_BYTES_MAX))))).status).to.equal(200);
  });

  it("ignores files under other names, whatever their size", async () => {
    const { status, body } = await send(
      form(filePart("y".repeat(FILE_BYTES_MAX + 1), "b", "attachment"), filePart("x")),
    );
    expect([status, body.bytes]).to.deep.equal([200, "x"]);
    expect((await send(form(textPart("tags[]", "x"), textPart("a[b]", "x"), filePart("x")))).status).to.equal(
      200,
    );
  });

  it("is 415 when it is not a multipart form", async () => {
    for (const type of ["application/json", "multipart/mixed; boundary=x", "text/plain"]) {
      expect((await send(form(filePart("x")), type)).status, type).to.equal(415);
    }
  });

  it("is 400 when it is malformed: no boundary, cut off, a broken head, nothing at all", async () => {
    const whole = form(filePart("some text"), textPart("title", "T"));
    for (const end of [0, 1, 40, 130, 150, whole.length - 60, whole.length - 5]) {
      const { status, body } = await send(whole.subarray(0, end));
      expect([status, body.type], `cut at ${end}`).to.deep.equal([400, "/problems/malformed-body"]);
    }
    expect((await send(whole, "multipart/form-data")).status).to.equal(400);
    expect((await send(whole, "multipart/form-data; boundary=other")).status).to.equal(400);
    const brokenHead = Buffer.from(`--${BOUNDARY}\r\nContent Disposition\r\n\r\nx\r\n--${BOUNDARY}--\r\n`);
    expect((await send(brokenHead)).status).to.equal(400);
  });

  it("is 422 on `file` without one, with two, or with text in its place", async () => {
    expect(await faults(textPart("title", "T"))).to.deep.equal([422, "file"]);
    expect(await faults(filePart("x"), filePart("y"))).to.deep.equal([422, "file"]);
    expect(await faults(textPart("file", "text"))).to.deep.equal([422, "file"]);
    expect(await faults(filePart("", ""))).to.deep.equal([422, "file"]);
  });

  it("is 422 on a text part that is repeated, too long, or no UTF-8", async () => {
    const cases: Part[][] = [
      [textPart("title", "a"), textPart("title", "b")],
      [textPart("title[a]", "a")],
      [textPart("title", "x".repeat(FIELD_BYTES_MAX + 1))],
      [textPart("title", new Uint8Array([0xff]))],
      [textPart("title", new Uint8Array([0x3d, 0xd8]), "text/plain; charset=utf-16le")],
      [textPart("title", "a", "text/plain; charset=klingon")],
    ];
    for (const parts of cases)
      expect(await faults(...parts, filePart("x")), parts[0]?.head).to.deep.equal([422, "title"]);
  });

  it("is 413 with a file over the limit or too many parts, with a declared length and without one", async () => {
    expect(await faults(filePart("x".repeat(FILE_BYTES_MAX + 1)))).to.deep.equal([413]);
    expect(await faults(filePart("x".repeat(20 * FILE_BYTES_MAX)))).to.deep.equal([413]);
    const parts = Array.from({ length: FORM_PARTS_MAX }, (_, at) => textPart(`f${at}`, "x"));
    expect(await faults(...parts, filePart("x"))).to.deep.equal([413]);
    const body = form(filePart("x".repeat(5 * FILE_BYTES_MAX)));
    const head = `POST /upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\n\r\n`;
    const answer = await rawExchange(
      server.port,
      head,
      `${body.length.toString(16)}\r\n`,
      body,
      "\r\n0\r\n\r\n",
    );
    expect(answer).to.match(/^HTTP\/1.1 413 /);
  });

  it("does not iterate over the holes of an array that the name of a part requests", async () => {
    const started = cpuTimeMs();
    const { status } = await send(form(textPart("a[4294967294]", "x"), textPart("a[b]", "x"), filePart("x")));
    expect(status).to.equal(400);
    expect(cpuTimeMs() - started).to.be.below(10_000);
  });

  it("leaves nothing behind when the client disconnects within it, and serves the next", async () => {
    const head = `POST /upload HTTP/1.1\r\nHost: x\r\nX-Request-Id: gone-1\r\nContent-Length: 90000\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\n\r\n`;
    await abandon(server.port, head, form(filePart("x".repeat(5000))).subarray(0, 4000));
    await server.logged((line) => line.requestId === "gone-1" && line.msg === "client disconnected");
    await server.logged((line) => line.requestId === "gone-1" && line.status === 499);
    expect((await send(form(filePart("next")))).body.bytes).to.equal("next");
  });
});

describe("uploadFilename", () => {
  it("drops folders of either kind, control characters and direction overrides", () => {
    const cases = new Map([
      ["C:\\Users\\me\\Übung.docx", "Übung.docx"],
      ["../../etc/passwd", "passwd"],
      ["a\0b\r\nc\x7f.txt", "abc.txt"],
      ["report\u202efdp.exe", "reportfdp.exe"],
      ["folder/", "upload"],
      ["..", "upload"],
      [" \t", "upload"],
      ["می\u200cخواهم.txt", "می\u200cخواهم.txt"],
    ]);
    for (const [declared, name] of cases) expect(uploadFilename(declared), declared).to.equal(name);
  });

  it("cuts to 255 characters without splitting one", () => {
    expect([...uploadFilename("😀".repeat(300))]).to.have.length(255);
  });

  it("always returns a valid name, and the same for its own result", () => {
    const law = fc.property(fc.string({ unit: "binary", maxLength: 400 }), (declared) => {
      const name = uploadFilename(declared);
      expect(name).to.match(/^[^/\\\p{Cc}]+$/u);
      expect(name.isWellFormed()).to.equal(true);
      expect(uploadFilename(name)).to.equal(name);
    });
    fc.assert(law, { seed: 11, numRuns: 200 });
  });
});

import { brotliCompressSync, gzipSync } from "node:zlib";
import { Router } from "@koa/router";
import { expect } from "chai";
import {
  DEPTH_MAX,
  JSON_BODY_BYTES_MAX,
  jsonFault,
  readJsonBody,
  VALUES_MAX,
} from "../../../src/http/input/json-body.ts";
import { cpuTimeMs } from "../../support/cpu-time.ts";
import { abandon, type Fixture, rawExchange, serve } from "../http-fixture.ts";

describe("a JSON body", () => {
  let server: Fixture;

  before(async () => {
    const router = new Router();
    router.post("/json", async (ctx) => {
      ctx.body = await readJsonBody(ctx);
    });
    server = await serve([router]);
  });
  after(() => server.stop());

  async function post(
    body: string | Uint8Array<ArrayBuffer> | undefined,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(`${server.address}/json`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  it("is returned unchanged, whatever its member order, escapes and byte-order mark", async () => {
    expect(await post('{"b":"é\\u0000\\ud83d\\ude00","a":[1,null]}')).to.deep.equal({
      status: 200,
      body: { b: "é\0😀", a: [1, null] },
    });
    expect(await post('\ufeff{"a":1}')).to.deep.equal({ status: 200, body: { a: 1 } });
    expect(
      (await post('{"a":1}', { "Content-Type": "application/merge-patch+json; charset=UTF-8" })).status,
    ).to.equal(200);
  });

  it("is 415 with another content type or charset", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=latin1",
      "",
      "x",
    ]) {
      const { status, body } = await post('{"a":1}', { "Content-Type": type });
      expect([status, body.type], type).to.deep.equal([415, "/problems/unsupported-media-type"]);
    }
  });

  it("is 400 when it is missing, empty or not valid JSON", async () => {
    for (const body of [undefined, "", "  ", "{", '{"a":1', "{'a':1}", "\ufeff", '{"a":01}']) {
      const answer = await post(body);
      expect([answer.status, answer.body.type], body).to.deep.equal([400, "/problems/malformed-body"]);
    }
  });

  it("is 422 when it is valid JSON but not an object", async () => {
    for (const json of ["[1]", "[]", "null", '"text"', "3", "true", " [{}] "]) {
      const { status, body } = await post(json);
      expect([status, body.type], json).to.deep.equal([422, "/problems/invalid-input"]);
      expect(body.errors, json).to.deep.equal([{ field: "body", message: "must be a JSON object" }]);
    }
  });

  it("does not quote the body in its error", async () => {
    const { body } = await post('{"query_text":"the secret words",}');
    expect(JSON.stringify(body)).not.to.contain("secret");
    expect(body.detail).to.match(/line 1 column \d+/);
  });

  it("is 400 when it is not valid UTF-8", async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf0, 0x9f, 0x98]]) {
      const { status, body } = await post(
        Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]),
      );
      expect([status, body.type]).to.deep.equal([400, "/problems/malformed-body"]);
    }
    expect((await post(Buffer.from('{"a":1}', "utf16le"))).status).to.equal(400);
  });

  it("is 422 with half a surrogate pair in a string or a name, and names the member", async () => {
    const fields = async (body: string) => {
      const answer = await post(body);
      expect(answer.status).to.equal(422);
      return answer.body.errors.map((error: { field: string }) => error.field);
    };
    expect(await fields('{"query_text":"a\\ud83d"}')).to.deep.equal(["query_text"]);
    expect(await fields('{"a":{"b":["x","\\ude00\\ud83d"]}}')).to.deep.equal(["a.b.1"]);
    expect(await fields('{"a":{"k\\ud800":1}}')).to.deep.equal(["a.k\ufffd"]);
  });

  it("is 413 over 8 MiB, with a declared length and without one", async () => {
    const text = `{"a":"${"x".repeat(JSON_BODY_BYTES_MAX - 8)}"}`;
    expect((await post(text)).status).to.equal(200);
    const larger = await post(`${text} `);
    expect([larger.status, larger.body.type]).to.deep.equal([413, "/problems/body-too-large"]);
    const chunks = [
      '2\r\n{"\r\n',
      ...Array.from({ length: 9 }, () => `100000\r\n${"y".repeat(0x100000)}\r\n`),
      "0\r\n\r\n",
    ];
    const head =
      "POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
    expect(await rawExchange(server.port, head, ...chunks)).to.match(/^HTTP\/1.1 413 /);
  });

  it("is inflated, and is 413 when it is small but inflates to more than 8 MiB", async () => {
    const body = Buffer.from('{"a":"zipped"}');
    expect((await post(gzipSync(body), { "Content-Encoding": "gzip" })).body).to.deep.equal({ a: "zipped" });
    expect((await post(brotliCompressSync(body), { "Content-Encoding": "br" })).body).to.deep.equal({
      a: "zipped",
    });
    for (const name of ["GZIP", "x-gzip", "X-GZip"]) {
      expect((await post(gzipSync(body), { "Content-Encoding": name })).body, name).to.deep.equal({
        a: "zipped",
      });
    }
    expect((await post(body, { "Content-Encoding": "Identity" })).status).to.equal(200);
    const bomb = gzipSync(Buffer.from(`{"a":"${"x".repeat(4 * JSON_BODY_BYTES_MAX)}"}`));
    expect((await post(bomb, { "Content-Encoding": "gzip" })).status).to.equal(413);
  });

  it("is 400 when its compression is broken or cut off, 415 when it is unknown", async () => {
    const zipped = gzipSync('{"a":1}');
    expect((await post("no gzip", { "Content-Encoding": "gzip" })).status).to.equal(400);
    expect((await post(zipped.subarray(0, 15), { "Content-Encoding": "gzip" })).status).to.equal(400);
    expect((await post("x", { "Content-Encoding": "compress" })).status).to.equal(415);
  });

  it("is 422 when it nests too deep or has too many values, without being parsed", async () => {
    const deep = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    const started = cpuTimeMs();
    expect((await post(deep)).status).to.equal(422);
    expect((await post(`{"a":[${"0,".repeat(1_000_000)}0]}`)).status).to.equal(422);
    expect(cpuTimeMs() - started).to.be.below(10_000);
  });

  it("ends the wait when the client disconnects within a body, compressed or not", async () => {
    for (const encoding of ["identity", "gzip"]) {
      const id = `left-${encoding}`;
      const head = `POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n`;
      const start = gzipSync('{"a":1}').subarray(0, 12);
      await abandon(
        server.port,
        `${head}Content-Encoding: ${encoding}\r\nX-Request-Id: ${id}\r\n\r\n`,
        start,
      );
      await server.logged((line) => line.requestId === id && line.msg === "client disconnected");
      await server.logged((line) => line.requestId === id && line.status === 499);
    }
  });
});

describe("jsonFault", () => {
  const fault = (json: string) => jsonFault(Buffer.from(json));

  it("counts only outside of strings", () => {
    expect(fault(`{"a":"${"[{,".repeat(VALUES_MAX)}\\\\\\""}`)).to.equal(undefined);
    expect(fault(`{"a\\"":"${"\\\\".repeat(1000)}",${"[".repeat(DEPTH_MAX)}`)).to.contain("nest");
    expect(fault('"unclosed [[[[')).to.equal(undefined);
  });

  it("accepts its limits and refuses one more", () => {
    expect(fault("[".repeat(DEPTH_MAX) + "]".repeat(DEPTH_MAX))).to.equal(undefined);
    expect(fault("[".repeat(DEPTH_MAX + 1))).to.contain(`${DEPTH_MAX}`);
    expect(fault(`[${"0,".repeat(VALUES_MAX - 1)}0]`)).to.equal(undefined);
    expect(fault(`[${"0,".repeat(VALUES_MAX)}0]`)).to.contain("10,000");
  });
});

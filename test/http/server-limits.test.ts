import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { Router } from "@koa/router";
import { expect } from "chai";
import { readJsonBody } from "../../src/http/input/json-body.ts";
import { readForm } from "../../src/http/input/upload.ts";
import { ProblemSchema } from "../../src/http/routing/problem.ts";
import { HEAD_BYTES_MAX, HEADERS_MAX } from "../../src/http/server.ts";
import { type Fixture, rawExchange, serve } from "./http-fixture.ts";

/** Short enough to be waited for, and long beside the machine's own delays. */
const LIMITS = {
  headMs: 1_200,
  requestMs: 5_000,
  bodyPauseMs: 2_000,
  bodiesBytesMax: 1_000_000,
  checkIntervalMs: 50,
} as const;

const HEAD_END = "\r\n\r\n";

describe("the limits of a connection", () => {
  let server: Fixture;
  /** With the usual limits. */
  let usual: Fixture;
  /** How the connections of `/nothing` are closed. */
  const closings = new Set<() => void>();

  before(async () => {
    const router = new Router();
    router.get("/quick", (ctx) => {
      ctx.body = { headers: Object.keys(ctx.headers).length };
    });
    router.post("/json", async (ctx) => {
      ctx.body = await readJsonBody(ctx);
    });
    router.post("/nothing", (ctx) => {
      closings.add(ctx.req.socket.destroySoon);
      ctx.status = 204;
    });
    router.post("/upload", async (ctx) => {
      const { files } = await readForm(ctx, { files: ["file"], fileBytesMax: 10_000_000, fields: [] });
      ctx.body = { bytes: files.file?.bytes.length };
    });
    server = await serve([router], {}, LIMITS);
    usual = await serve([router]);
  });
  after(() => Promise.all([server.stop(), usual.stop()]));
  afterEach(async () => {
    expect((await fetch(`${server.address}/quick`)).status, "the next request").to.equal(200);
  });

  /** Status and code of a raw answer, which must be a problem and end its connection. */
  function problemOf(answer: string): [status: number, code: string] {
    expect(answer, "an answer").to.match(/^HTTP\/1\.1 \d{3} /);
    const [head = "", body = ""] = answer.split(HEAD_END);
    expect(head).to.match(/\r\nContent-Type: application\/problem\+json/i);
    expect(head).to.match(/\r\nConnection: close/i);
    const problem = ProblemSchema.parse(JSON.parse(body));
    expect(head).to.include(` ${problem.status} `);
    return [problem.status, problem.type.replace("/problems/", "")];
  }

  it("answers a head over 16 KiB with 431, in one header or in the request line", async () => {
    const long = "x".repeat(HEAD_BYTES_MAX);
    for (const head of [
      `GET /quick HTTP/1.1\r\nHost: x\r\nX-Long: ${long}`,
      `GET /quick?${long} HTTP/1.1\r\nHost: x`,
    ]) {
      expect(problemOf(await rawExchange(server.port, head, HEAD_END))).to.deep.equal([
        431,
        "headers-too-large",
      ]);
    }
  });

  it("reads the maximum number of headers, and answers one more with 431", async () => {
    const request = (headers: number) =>
      `GET /quick HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${Array.from({ length: headers - 2 }, (_, i) => `h${i}: v\r\n`).join("")}\r\n`;
    expect(await rawExchange(server.port, request(HEADERS_MAX))).to.include(`{"headers":${HEADERS_MAX}}`);
    for (const headers of [HEADERS_MAX + 1, 4 * HEADERS_MAX]) {
      expect(problemOf(await rawExchange(server.port, request(headers)))).to.deep.equal([
        431,
        "headers-too-large",
      ]);
    }
  });

  it("answers anything but HTTP with 400", async () => {
    for (const bytes of [
      `SSH-2.0-OpenSSH_9.6${HEAD_END}`,
      `GET /quick HTTP/9.9\r\nHost: x${HEAD_END}`,
      `GET /quick HTTP/1.1\r\nHost: x\r\nA\0B: c${HEAD_END}`,
      `POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked${HEAD_END}`,
      `POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: -1${HEAD_END}`,
    ]) {
      const answer = await rawExchange(server.port, bytes);
      expect(answer, JSON.stringify(bytes)).to.match(/^HTTP\/1\.1 400 /);
    }
    const upgrade = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]);
    expect(problemOf(await rawExchange(server.port, upgrade))).to.deep.equal([400, "malformed-request"]);
  });

  it("answers a slow or endless head with 408", async () => {
    expect(problemOf(await drip("GET /quick HTTP/1.1\r\nHost: x\r\nX-Slow: ", "a", 50))).to.deep.equal([
      408,
      "request-timeout",
    ]);
    expect(problemOf(await rawExchange(server.port, "GET / HTTP/1.1\r\n"))).to.deep.equal([
      408,
      "request-timeout",
    ]);
  });

  it("answers a stalled body with 408, for JSON, a form and an endless form", async () => {
    for (const request of [
      `${jsonHead(1_000)}{"a":`,
      formHead(100_000) + FILE_START,
      `${formHead(undefined)}a0\r\n${FILE_START.padEnd(0xa0, "x")}\r\n`,
    ]) {
      expect(problemOf(await rawExchange(server.port, request))).to.deep.equal([408, "request-timeout"]);
    }
  });

  it("answers a slow body with 408 in the end", async () => {
    expect(problemOf(await drip(jsonHead(100_000), " ", 100))).to.deep.equal([408, "request-timeout"]);
  });

  it("answers a body over its limit at once and ends the connection, however the body goes on", async () => {
    const zeros = gzipSync(Buffer.alloc(32_000_000));
    const json = "POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    const parts = Array.from({ length: 25 }, (_, index) => FILE_START.replace('"file"', `"${index}"`));
    for (const [title, status, ...request] of [
      ["declared", 413, jsonHead(100_000_000_000)],
      ["declared beyond 32 bits, and begun", 413, jsonHead(999_999_999_999), "{"],
      ["a form, declared beyond 32 bits", 413, formHead(999_999_999_999), "-"],
      ["declared and begun", 413, jsonHead(100_000_000_000), "x".repeat(1_000_000)],
      [
        "in chunks",
        413,
        `${json}Transfer-Encoding: chunked${HEAD_END}`,
        chunkOf(Buffer.alloc(9_000_000, "x")),
      ],
      ["compressed", 413, `${json}Content-Encoding: gzip\r\nContent-Length: 900000${HEAD_END}`, zeros],
      [
        "compressed, in chunks",
        413,
        `${json}Content-Encoding: gzip\r\nTransfer-Encoding: chunked${HEAD_END}`,
        chunkOf(zeros),
      ],
      ["a form, declared", 413, formHead(100_000_000_000)],
      ["a file", 413, formHead(10_200_000), FILE_START, "x".repeat(10_100_000)],
      [
        "a file in chunks",
        413,
        formHead(undefined),
        chunkOf(Buffer.from(FILE_START + "x".repeat(10_100_000))),
      ],
      ["parts", 413, formHead(100_000), parts.join("\r\n")],
      ["a broken form", 400, formHead(100_000), '--B\r\nContent-Disposition: form-data; name="a"\0\r\n\r\n'],
      ["of another type", 415, jsonHead(1_000_000_000).replace("json\r\n", "pdf\r\n"), "x".repeat(100_000)],
    ] as const) {
      expect(problemOf(await rawExchange(usual.port, ...request))[0], title).to.equal(status);
    }
  });

  it("lets a client that goes on sending read the answer", async () => {
    const [head, piece] = [jsonHead(100_000_000_000), "x".repeat(1_000_000)];
    expect(problemOf(await drip(head, piece, 0, usual))).to.deep.equal([413, "body-too-large"]);
  });

  it("keeps the connection after an answer without the body when the body has arrived", async () => {
    const refused = `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`;
    const answers = await rawExchange(
      server.port,
      refused,
      "GET /quick HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    expect(answers.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(["HTTP/1.1 404", "HTTP/1.1 200"]);
  });

  it("prepares the end of a connection once, however many bodies arrive on it", async () => {
    const post = (last: string) => `POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n${last}\r\nb`;
    const answers = await rawExchange(usual.port, post("").repeat(2_999), post("Connection: close\r\n"));
    expect(answers.match(/HTTP\/1\.1 204/g)).to.have.length(3_000);
    expect(closings.size).to.equal(1);
  });

  it("refuses the oldest slow bodies when all bodies exceed their limit; a quick one arrives meanwhile", async () => {
    // What came in one piece with the head, 64 KiB, does not count: two of these fit.
    const kept = Math.floor(LIMITS.bodiesBytesMax / 2);
    const slow = Array.from({ length: 6 }, () =>
      drip(formHead(9_000_000) + FILE_START + "x".repeat(kept), "x", 100),
    );
    const form = new FormData();
    form.set("file", new Blob(["quick"]), "a.txt");
    const quick = await fetch(`${server.address}/upload`, { method: "POST", body: form });
    expect([quick.status, await quick.json()]).to.deep.equal([200, { bytes: 5 }]);
    const answers = await Promise.all(slow);
    const busy = answers.filter((answer) => answer.startsWith("HTTP/1.1 503 "));
    expect(busy).to.have.length.within(3, 5);
    for (const answer of busy) {
      expect(problemOf(answer)).to.deep.equal([503, "service-busy"]);
      expect(answer).to.match(/\r\nRetry-After: \d+\r\n/i);
    }
    for (const answer of answers.filter((one) => !busy.includes(one))) {
      expect(problemOf(answer)).to.deep.equal([408, "request-timeout"]);
    }
  });

  function jsonHead(length: number): string {
    return `POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}${HEAD_END}`;
  }

  /** Sends a beginning, and then a piece again and again, until the server ends the connection. */
  async function drip(start: string, piece: string, everyMs: number, to = server): Promise<string> {
    const socket = connect(to.port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (chunk) => {
      answer += chunk;
    });
    const over = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => {});
    socket.write(start);
    let open = true;
    over.then(() => {
      open = false;
    });
    while (open) {
      await Promise.race([sleep(everyMs), over]);
      if (open && socket.writable) socket.write(piece);
    }
    return answer;
  }
}).timeout(120_000);

function chunkOf(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

const FILE_START = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';

function formHead(length: number | undefined): string {
  const framing = length === undefined ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  return `POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=B\r\n${framing}${HEAD_END}`;
}

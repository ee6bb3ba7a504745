import { IncomingMessage, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { Readable } from "node:stream";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { Router } from "@koa/router";
import { expect } from "chai";
import { type AnswerLimits, PendingAnswers } from "../../src/http/pending-answers.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { type Fixture, serve } from "./http-fixture.ts";

const MEBIBYTE = 1024 * 1024;

const LIMITS = { bytesMax: 4 * MEBIBYTE, waitMs: 4_000, stallMs: 300 } as const;

/** Of 64 KiB: more than the buffers of a socket on both sides hold together. */
const PIECES = 400;

describe("the memory of answers", () => {
  let server: Fixture;
  let patient: Fixture;
  /** Expects its clients to read faster than the test of slow ones does. */
  let hurried: Fixture;
  let begun = 0;
  /** How often `/small` was asked for. */
  let asked = 0;
  /** `/made` ends its answer then. */
  let made = Promise.withResolvers<void>();

  function serveLarge(limits: Partial<AnswerLimits>): Promise<Fixture> {
    const pendingAnswers = new PendingAnswers(limits);
    const router = new Router();
    const piece = Buffer.alloc(64 * 1024, "x");
    router.get("/stream", async (ctx) => {
      await pendingAnswers.reserve(ctx.res, MEBIBYTE);
      begun += 1;
      ctx.body = Readable.from(Array.from({ length: PIECES }, () => piece));
    });
    router.get("/small", async (ctx) => {
      asked += 1;
      await pendingAnswers.reserve(ctx.res, 2 * MEBIBYTE);
      pendingAnswers.resize(ctx.res, 10);
      ctx.body = "0123456789";
    });
    router.get("/made", async (ctx) => {
      await pendingAnswers.reserve(ctx.res, 4 * MEBIBYTE);
      begun += 1;
      await made.promise;
      ctx.body = "made";
    });
    router.get("/unasked", (ctx) => {
      begun += 1;
      ctx.body = "y".repeat(32 * MEBIBYTE);
    });
    return serve([router], { pendingAnswers });
  }

  before(async () => {
    server = await serveLarge(LIMITS);
    patient = await serveLarge({ ...LIMITS, waitMs: 100_000, stallMs: 100_000 });
    hurried = await serveLarge({ ...LIMITS, waitMs: 20_000, stallMs: 1_000, rateMin: 64 * MEBIBYTE });
  });
  after(() => Promise.all([server.stop(), patient.stop(), hurried.stop()]));
  beforeEach(() => {
    begun = 0;
    asked = 0;
    made = Promise.withResolvers<void>();
  });

  const get = (path: string) => fetch(`${server.address}${path}`);

  it("is bounded: answers beyond it wait, and begin when those before have ended", async () => {
    const all = Array.from({ length: 8 }, async () => {
      const answer = await fetch(`${patient.address}/stream`);
      return (await answer.arrayBuffer()).byteLength;
    });
    await until(() => begun >= 4);
    expect(begun).to.be.within(4, 7);
    expect(new Set(await Promise.all(all))).to.deep.equal(new Set([PIECES * 64 * 1024]));
  });

  it("is taken from the clients that don't read, when others wait", async () => {
    const sockets = Array.from({ length: 4 }, () => unread("/stream"));
    await until(() => begun === 4);
    const read = await get("/stream");
    expect((await read.arrayBuffer()).byteLength).to.equal(PIECES * 64 * 1024);
    await server.logged(({ route, cutOff }) => route === "/stream" && cutOff === true);
    for (const socket of sockets) socket.destroy();
  });

  it("is taken from the clients that read slowly without a pause, when others wait", async () => {
    const sockets = Array.from({ length: 4 }, () => unread("/stream", hurried));
    const reading = setInterval(() => sockets.map((socket) => socket.read()), 25);
    await until(() => begun === 4);
    expect((await fetch(`${hurried.address}/small`)).status).to.equal(200);
    clearInterval(reading);
    for (const socket of sockets) socket.destroy();
  });

  it("is kept by an unread answer as long as nobody else needs it", async () => {
    const socket = unread("/stream");
    await until(() => begun === 1);
    for (let turn = 0; turn < 20; turn += 1)
      expect(await (await get("/small")).text()).to.equal("0123456789");
    const cut = server.lines.filter(({ route, cutOff }) => route === "/stream" && cutOff === true).length;
    await sleep(2 * LIMITS.stallMs);
    expect(server.lines.filter(({ route, cutOff }) => route === "/stream" && cutOff === true)).to.have.length(
      cut,
    );
    socket.destroy();
  });

  it("that is not free in time is a 503 with Retry-After, as an answer that is being made is not cut", async () => {
    const answer = get("/made");
    await until(() => begun === 1);
    const busy = await get("/small");
    expect(Number(busy.headers.get("retry-after"))).to.be.above(0);
    await expectProblem(busy, 503, "service-busy");
    made.resolve();
    expect(await (await answer).text()).to.equal("made");
    expect((await get("/small")).status, "after it").to.equal(200);
  });

  it("is no longer waited for by a client that has left", async () => {
    const answer = get("/made");
    await until(() => begun === 1);
    const left = new AbortController();
    const leaving = fetch(`${server.address}/small`, { signal: left.signal }).catch(() => "left");
    await until(() => asked === 1);
    left.abort();
    expect(await leaving).to.equal("left");
    await server.logged(({ route, status }) => route === "/small" && status === 499);
    made.resolve();
    await (await answer).text();
    expect((await get("/small")).status).to.equal(200);
  });

  it("of answers that were not announced counts as well: the slowest are cut", async () => {
    const sockets = Array.from({ length: 3 }, () => unread("/unasked"));
    await server.logged(({ route, cutOff }) => route === "/unasked" && cutOff === true);
    expect(begun).to.be.above(0);
    for (const socket of sockets) socket.destroy();
  });

  async function until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await sleep(5);
  }

  /** A connection that asks, and never reads. */
  function unread(path: string, from = server): Socket {
    const socket = connect(from.port, "127.0.0.1").on("error", () => {});
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  }
}).timeout(120_000);

describe("the order of answers that wait for memory", () => {
  const LIMITS = { bytesMax: 4, waitMs: 600_000 } as const;
  const realNow = performance.now;
  afterEach(() => {
    performance.now = realNow;
  });

  /** More than half of the time that an answer may wait passes. */
  const letTimePass = () => {
    performance.now = () => realNow.call(performance) + 0.6 * LIMITS.waitMs;
  };

  /** Watched answers, and those of them that have memory, in the order in which they got it. */
  function answers() {
    const pending = new PendingAnswers(LIMITS);
    const begun: string[] = [];
    const open = new Map<string, ServerResponse>();
    return {
      begun,
      async ask(name: string, bytes: number) {
        const response = new ServerResponse(new IncomingMessage(new Socket()));
        open.set(name, response);
        pending.watch(response);
        pending.reserve(response, bytes).then(
          () => begun.push(name),
          () => {},
        );
        await setImmediate();
      },
      async end(...names: string[]) {
        for (const name of names) open.get(name)?.emit("close");
        await setImmediate();
      },
    };
  }

  it("lets small ones pass a large one in the first half of its time, and keeps memory free for it after that", async () => {
    const { begun, ask, end } = answers();
    await ask("first", 2);
    await ask("large", 4);
    await ask("small", 1);
    expect(begun).to.deep.equal(["first", "small"]);
    letTimePass();
    await ask("late", 1);
    expect(begun).to.deep.equal(["first", "small"]);
    await end("first", "small");
    expect(begun).to.deep.equal(["first", "small", "large"]);
    await end("large", "late");
  });

  it("begins the next at once when the client before it leaves", async () => {
    const { begun, ask, end } = answers();
    await ask("first", 2);
    await ask("leaving", 4);
    letTimePass();
    await ask("next", 2);
    expect(begun).to.deep.equal(["first"]);
    await end("leaving");
    expect(begun).to.deep.equal(["first", "next"]);
    await end("first", "next");
  });
});

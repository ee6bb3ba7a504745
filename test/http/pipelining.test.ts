import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Router } from "@koa/router";
import { expect } from "chai";
import { PendingAnswers } from "../../src/http/pending-answers.ts";
import { type Fixture, rawExchange, serve } from "./http-fixture.ts";

const REQUEST = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";

/** More than the buffers of a socket on both sides hold together. */
const LARGE_BYTES = 32 * 1024 * 1024;

describe("pipelined requests", () => {
  let server: Fixture;
  let begun = 0;
  let running = 0;
  let runningMax = 0;
  const slowBegun: string[] = [];

  before(async () => {
    const router = new Router();
    const large = Buffer.alloc(LARGE_BYTES, "x");
    router.get("/large", (ctx) => {
      begun += 1;
      ctx.body = large;
    });
    router.get("/slow/:number", async (ctx) => {
      slowBegun.push(String(ctx.params.number));
      running += 1;
      runningMax = Math.max(runningMax, running);
      await sleep(1);
      running -= 1;
      ctx.body = `answer ${ctx.params.number};`;
    });
    router.post("/length", async (ctx) => {
      let bytes = 0;
      for await (const chunk of ctx.req) bytes += chunk.length;
      ctx.body = `length ${bytes};`;
    });
    // The limit for the memory of answers would cut these large ones as well.
    server = await serve([router], { pendingAnswers: new PendingAnswers({ bytesMax: 2 ** 31 }) });
  });
  after(() => server.stop());
  beforeEach(() => {
    begun = 0;
    slowBegun.length = 0;
  });

  it("are answered in their order, one at a time", async () => {
    const requests = Array.from({ length: 2_000 }, (_, number) => {
      const last = number === 1_999 ? "Connection: close\r\n" : "";
      return `GET /slow/${number} HTTP/1.1\r\nHost: x\r\n${last}\r\n`;
    });
    const answers = await rawExchange(server.port, requests.join(""));
    const numbers = [...answers.matchAll(/answer (\d+);/g)].map(([, number]) => Number(number));
    expect(numbers).to.deep.equal(requests.map((_, number) => number));
    expect(runningMax).to.equal(1);
  });

  it("are not begun before the client has read the answer before them", async () => {
    const socket = unread(REQUEST.repeat(500));
    while (begun === 0) await sleep(5);
    expect((await fetch(`${server.address}/slow/1`)).status, "another client").to.equal(200);
    expect(begun).to.equal(1);
    socket.destroy();
  });

  it("that their client abandons are never begun", async () => {
    const socket = unread(REQUEST.repeat(500));
    while (begun === 0) await sleep(5);
    socket.destroy();
    await server.logged(({ msg, route }) => route === "/large" && msg === "request ended early");
    expect((await fetch(`${server.address}/slow/1`)).status).to.equal(200);
    expect(begun).to.equal(1);
  });

  it("may have bodies, which are read in turn", async () => {
    const post = (length: number, last = "") =>
      `POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${last}\r\n${"b".repeat(length)}`;
    const answers = await rawExchange(
      server.port,
      `${post(200_000)}${post(7)}${REQUEST.replace("large", "slow/3")}${post(300_000, "Connection: close\r\n")}`,
    );
    const told = [...answers.matchAll(/(?:length|answer) \d+;/g)].map(([text]) => text);
    expect(told).to.deep.equal(["length 200000;", "length 7;", "answer 3;", "length 300000;"]);
  });

  it("that are no HTTP end the connection after the running answer, and none that waits is begun", async () => {
    const requests = ["/slow/4", "/slow/5", "/slow/6"].map((path) => REQUEST.replace("/large", path));
    const answers = await rawExchange(server.port, `${requests.join("")}no HTTP\r\n\r\n`);
    expect(answers)
      .to.match(/^HTTP\/1\.1 200 /)
      .and.to.match(/\r\nConnection: close\r\n/);
    expect(answers).to.match(/answer 4;$/);
    expect(slowBegun).to.deep.equal(["4"]);
  });

  it("beyond 10,000 that wait end the connection with most of them, and not the one that sent the last", async () => {
    const patient = unread(REQUEST);
    while (begun === 0) await sleep(5);
    const sockets = Array.from({ length: 20 }, () => unread(REQUEST.repeat(1_500)));
    await Promise.race(sockets.map(closed));
    patient.write(REQUEST.repeat(1_200));
    let bytesRead = 0;
    for await (const piece of patient) {
      bytesRead += piece.length;
      if (bytesRead > 2 * LARGE_BYTES) break;
    }
    expect(bytesRead).to.be.above(2 * LARGE_BYTES);
    expect((await fetch(`${server.address}/slow/1`)).status).to.equal(200);
    for (const socket of sockets) socket.destroy();
  });

  /** A connection that sends, and never reads. */
  function unread(requests: string): Socket {
    const socket = connect(server.port, "127.0.0.1").on("error", () => {});
    socket.pause();
    socket.write(requests);
    return socket;
  }

  function closed(socket: Socket): Promise<void> {
    return new Promise((resolve) => {
      // A paused socket does not tell that it was closed.
      const timer = setInterval(() => socket.write("\r\n"), 50);
      socket.once("close", () => {
        clearInterval(timer);
        resolve();
      });
    });
  }
}).timeout(120_000);

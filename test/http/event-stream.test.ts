import { connect } from "node:net";
import { Router } from "@koa/router";
import { expect } from "chai";
import { type EventStream, openEventStream, UNREAD_BYTES_MAX } from "../../src/http/event-stream.ts";
import { type Fixture, serve } from "./http-fixture.ts";

describe("an event stream", () => {
  let server: Fixture;
  let opened: EventStream[] = [];

  beforeEach(async () => {
    opened = [];
    const router = new Router();
    router.get("/events", (ctx) => {
      opened.push(openEventStream(ctx));
    });
    server = await serve([router]);
  });
  afterEach(() => server.stop());

  async function subscribe(): Promise<{ readonly response: Response; readonly stream: EventStream }> {
    const response = await fetch(`${server.address}/events`);
    const stream = opened.at(-1);
    if (stream === undefined) throw new Error("the route did not run");
    return { response, stream };
  }

  const whenClosed = (stream: EventStream): Promise<void> =>
    new Promise((resolve) => {
      if (stream.closed.aborted) resolve();
      else stream.closed.addEventListener("abort", () => resolve(), { once: true });
    });

  it("sends its head at once and each event as one line of JSON, and ends when it is closed", async () => {
    const { response, stream } = await subscribe();
    expect(response.status).to.equal(200);
    expect(response.headers.get("content-type")).to.match(/^text\/event-stream/);
    expect(response.headers.get("cache-control")).to.equal("no-store");
    expect(response.headers.get("x-accel-buffering")).to.equal("no");
    expect(response.headers.has("x-request-id")).to.equal(true);
    stream.send({ stage: "chunking", text: "a\nb" });
    stream.comment("two\nlines");
    stream.send({ done: true }, "complete");
    stream.close();
    stream.send("too late");
    stream.close();
    expect(await response.text()).to.equal(
      'data: {"stage":"chunking","text":"a\\nb"}\n\n: two lines\n\nevent: complete\ndata: {"done":true}\n\n',
    );
    expect(stream.closed.aborted).to.equal(true);
  });

  it("delivers an event while the stream is open", async () => {
    const { response, stream } = await subscribe();
    const reader = response.body?.getReader();
    stream.send(1);
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).to.equal("data: 1\n\n");
    stream.close();
    await reader?.cancel();
  });

  it("is closed when the client disconnects", async () => {
    const { response, stream } = await subscribe();
    await response.body?.cancel();
    await whenClosed(stream);
  });

  it("is closed when the server stops, after everything sent before", async () => {
    const { response, stream } = await subscribe();
    stream.send("before");
    const stopped = server.close(5000);
    expect(await response.text()).to.equal('data: "before"\n\n');
    expect(stream.closed.aborted).to.equal(true);
    await stopped;
  });

  it("disconnects a reader that is too far behind", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.pause();
    socket.on("error", () => {});
    socket.write("GET /events HTTP/1.1\r\nHost: x\r\n\r\n");
    while (opened.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const stream = opened[0];
    let sent = 0;
    while (stream !== undefined && !stream.closed.aborted && sent < 1000) {
      stream.send("x".repeat(UNREAD_BYTES_MAX / 2));
      sent += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(stream?.closed.aborted).to.equal(true);
    socket.destroy();
  });

  it("answers HEAD with only its head", async () => {
    const response = await fetch(`${server.address}/events`, { method: "HEAD" });
    expect(response.headers.get("content-type")).to.match(/^text\/event-stream/);
    expect(opened[0]?.closed.aborted).to.equal(true);
  });
});

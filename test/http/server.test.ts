import { connect } from "node:net";
import { Router } from "@koa/router";
import { expect } from "chai";
import Koa from "koa";
import { listen } from "../../src/http/server.ts";
import { serve } from "./http-fixture.ts";

describe("listen", () => {
  /** A route that answers when it is told to, and whether it has begun. */
  function heldRouter() {
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const router = new Router();
    router.get("/held", async (ctx) => {
      begun.resolve();
      await released.promise;
      ctx.body = "done";
    });
    router.get("/quick", (ctx) => {
      ctx.body = "quick";
    });
    return { router, begun: begun.promise, release: released.resolve };
  }

  it("listens on a free port for 0, and returns its address", async () => {
    const server = await serve([]);
    expect(server.port).to.be.above(0);
    expect(server.address).to.equal(`http://127.0.0.1:${server.port}`);
    await server.stop();
  });

  it("names the setting when the port is in use", async () => {
    const first = await serve([]);
    const message = await listen(new Koa(), {
      host: "127.0.0.1",
      port: first.port,
      portSetting: "ENGINE_PORT",
    }).then(
      () => "no error",
      (error: Error) => error.message,
    );
    expect(message).to.contain(`Port ${first.port}`).and.to.contain("in use").and.to.contain("ENGINE_PORT");
    await first.stop();
  });

  it("names HOST when the address does not belong to this machine", async () => {
    const refused = await listen(new Koa(), { host: "192.0.2.1", port: 0, portSetting: "ENGINE_PORT" }).then(
      () => "no error",
      (error: Error) => error.message,
    );
    expect(refused).to.contain("HOST").and.to.contain("192.0.2.1");
  });

  it("lets a running request finish, refuses new ones, and then closes", async () => {
    const { router, begun, release } = heldRouter();
    const server = await serve([router]);
    const running = fetch(`${server.address}/held`);
    await begun;
    // Without the end of its request, it would close after ten minutes only.
    const closed = server.close(600_000);
    const refused = await fetch(`${server.address}/quick`).then(
      () => "answered",
      () => "refused",
    );
    expect(refused).to.equal("refused");
    release();
    const response = await running;
    expect([await response.text(), response.headers.get("connection")]).to.deep.equal(["done", "close"]);
    await closed;
  });

  it("serves on when it is told to stop, and ends each connection with its next answer", async () => {
    const stopping = new AbortController();
    const app = new Koa().use((ctx) => {
      ctx.body = "served";
    });
    const where = { host: "127.0.0.1", port: 0, portSetting: "ENGINE_PORT" };
    const server = await listen(app, { ...where, stopping: stopping.signal });
    const connection = async () => (await fetch(server.address)).headers.get("connection");
    expect(await connection()).to.equal("keep-alive");
    stopping.abort();
    expect([await connection(), await connection()]).to.deep.equal(["close", "close"]);
    await server.close(0);
  });

  it("does not wait for idle connections", async () => {
    const server = await serve([heldRouter().router]);
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    await server.close(600_000);
    socket.destroy();
  });

  it("closes remaining connections after the grace period; a second close waits for the first", async () => {
    const { router, begun, release } = heldRouter();
    const server = await serve([router]);
    const running = fetch(`${server.address}/held`).then(
      () => "answered",
      () => "cut",
    );
    await begun;
    const started = performance.now();
    await Promise.all([server.close(100), server.close(600_000)]);
    expect(performance.now() - started).to.be.at.least(90);
    expect(await running).to.equal("cut");
    release();
  });
});

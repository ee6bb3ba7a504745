import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { Router } from "@koa/router";
import { expect } from "chai";
import { pino } from "pino";
import { problemRoutes } from "../../src/http/problem-pages.ts";
import { routerOf } from "../../src/http/routing/route.ts";
import { DomainError } from "../../src/platform/domain-error.ts";
import { type Fixture, rawExchange, serve } from "./http-fixture.ts";

describe("the shared application", () => {
  let server: Fixture;
  const url = (path: string): string => `${server.address}${path}`;

  before(async () => {
    const router = new Router();
    router.get("/things/stats", (ctx) => {
      ctx.body = { total: 1 };
    });
    router.get("/things/:id", (ctx) => {
      ctx.body = { id: ctx.params.id };
    });
    router.patch("/things/:id", (ctx) => {
      ctx.body = { patched: ctx.params.id };
    });
    router.post("/things", (ctx) => {
      ctx.status = 204;
    });
    router.get("/fails", (ctx) => {
      ctx.set({ ETag: '"half-made"', "Content-Disposition": "attachment" });
      throw new Error("the secret cause", { cause: new Error("deeper") });
    });
    router.get("/down", () => {
      throw new DomainError("store_unavailable", "PostgreSQL does not answer.", {
        cause: new Error("refused"),
      });
    });
    router.get("/invalid", () => {
      const fields = [{ field: "limit", message: "must be at most 100" }];
      throw new DomainError("invalid_input", "limit must be at most 100.", { fields });
    });
    router.get("/forgets", () => {});
    router.get("/breaks-off", (ctx) => {
      ctx.respond = false;
      ctx.res.writeHead(200, { "Content-Length": "1000" });
      ctx.res.write("half");
      throw new Error("too late");
    });
    router.get("/stops/:code", (ctx) => {
      const { code = "" } = ctx.params;
      ctx.body = Readable.from(
        (async function* () {
          yield "half";
          // Until the first half has been sent.
          while (!ctx.headerSent) await setImmediate();
          throw new DomainError(code === "deleted" ? "document_not_found" : "store_unavailable", code);
        })(),
      );
    });
    server = await serve([routerOf(problemRoutes, undefined), router]);
  });
  after(() => server.stop());

  it("returns a valid X-Request-Id of the client, and otherwise a new one", async () => {
    const kept = await fetch(url("/things/1"), { headers: { "X-Request-Id": "trace-1:a.b_C" } });
    expect(kept.headers.get("x-request-id")).to.equal("trace-1:a.b_C");
    for (const id of ["a b", "x".repeat(129), "", "é"]) {
      const made = await fetch(url("/things/1"), { headers: { "X-Request-Id": id } });
      expect(made.headers.get("x-request-id")).to.match(/^[0-9a-f-]{36}$/);
    }
  });

  it("sets the identifier and the security headers on errors too", async () => {
    for (const path of ["/things/1", "/nowhere", "/fails"]) {
      const { headers } = await fetch(url(path));
      expect(headers.get("x-request-id"), path).to.be.a("string");
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
      expect(headers.get("content-security-policy")).to.contain("default-src 'none'");
      expect(headers.get("content-security-policy")).to.contain("frame-ancestors 'none'");
      expect(headers.get("referrer-policy")).to.equal("no-referrer");
      expect(headers.has("x-powered-by")).to.equal(false);
    }
  });

  it("logs one line for each request with the route's pattern, and no path or query text", async () => {
    const id = "log-line-1";
    await fetch(url("/things/secret-path?token=secret-query"), { headers: { "X-Request-Id": id } });
    const line = await server.logged((one) => one.requestId === id);
    expect(line).to.include({ method: "GET", route: "/things/:id", status: 200, msg: "request answered" });
    expect(line.ms).to.be.a("number");
    expect(JSON.stringify(server.lines)).not.to.contain("secret-path").and.not.to.contain("secret-query");
  });

  it("counts durations by method, pattern and status, with one name for all unknown paths", async () => {
    await fetch(url("/things/7"));
    await fetch(url("/unknown/7"), { headers: { "X-Request-Id": "count-1" } });
    await server.logged((one) => one.requestId === "count-1");
    const text = await server.registry.metrics();
    expect(text).to.match(
      /http_request_duration_seconds_count\{listener="test",method="GET",route="\/things\/:id",status="200"\}/,
    );
    expect(text).to.contain('route="unmatched",status="404"');
    expect(text).not.to.contain("/unknown");
  });

  it("answers an unknown path with 404 as a problem", async () => {
    const response = await fetch(url("/nowhere"));
    expect(response.status).to.equal(404);
    expect(response.headers.get("content-type")).to.equal("application/problem+json");
    expect(await response.json()).to.include({
      type: "/problems/not-found",
      title: "Not found",
      status: 404,
    });
  });

  it("answers a wrong method with 405 and Allow, under parameterised paths too", async () => {
    const response = await fetch(url("/things/1"), { method: "DELETE" });
    expect(response.status).to.equal(405);
    expect(response.headers.get("allow")).to.equal("GET, HEAD, PATCH, OPTIONS");
    expect(await response.json()).to.include({ type: "/problems/method-not-allowed", status: 405 });
    const get = await fetch(url("/things"));
    expect([get.status, get.headers.get("allow")]).to.deep.equal([405, "POST, OPTIONS"]);
    const trace = await rawExchange(
      server.port,
      "TRACE /things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    expect(trace).to.match(/^HTTP\/1.1 405 /);
  });

  it("answers OPTIONS with the methods of the path, and HEAD as GET without a body", async () => {
    const options = await fetch(url("/things/1"), { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).to.deep.equal([204, "GET, HEAD, PATCH, OPTIONS"]);
    const head = await fetch(url("/things/1"), { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).to.deep.equal([200, "10"]);
    expect(await head.text()).to.equal("");
    expect((await fetch(url("/nowhere"), { method: "OPTIONS" })).status).to.equal(404);
  });

  it("answers malformed percent-encoding and malformed targets with 404, never 500", async () => {
    for (const target of [
      "/things/%",
      "/things/%zz",
      "/things/%c3%28",
      "/%ff",
      "*",
      "http://[::1/things",
      "//",
      "/things/../%",
    ]) {
      const answer = await rawExchange(
        server.port,
        `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(answer, target).to.match(/^HTTP\/1.1 40[04] /);
      if (answer.startsWith("HTTP/1.1 404")) expect(answer).to.contain("application/problem+json");
    }
  });

  it("hides an unknown error's cause from the client and logs it under the request's identifier", async () => {
    const response = await fetch(url("/fails"), { headers: { "X-Request-Id": "fails-1" } });
    const text = await response.text();
    expect(response.status).to.equal(500);
    expect(response.headers.get("content-type")).to.equal("application/problem+json");
    expect(response.headers.has("etag") || response.headers.has("content-disposition")).to.equal(false);
    expect(JSON.parse(text)).to.include({ type: "/problems/internal", request_id: "fails-1" });
    expect(text).not.to.contain("secret").and.not.to.contain(".ts");
    const line = await server.logged((one) => one.msg === "request failed" && one.requestId === "fails-1");
    expect(JSON.stringify(line.err)).to.contain("the secret cause").and.to.contain("deeper");
  });

  it("answers 503 with Retry-After when a store is down, and logs why", async () => {
    const response = await fetch(url("/down"), { headers: { "X-Request-Id": "down-1" } });
    expect([response.status, response.headers.get("retry-after")]).to.deep.equal([503, "5"]);
    expect(await response.json()).to.include({ type: "/problems/store-unavailable" });
    const line = await server.logged((one) => one.msg === "request not served");
    expect(JSON.stringify(line.err)).to.contain("refused");
  });

  it("names the invalid fields", async () => {
    const response = await fetch(url("/invalid"));
    expect(await response.json()).to.deep.equal({
      type: "/problems/invalid-input",
      title: "Invalid input",
      status: 422,
      detail: "limit must be at most 100.",
      errors: [{ field: "limit", message: "must be at most 100" }],
    });
  });

  it("answers with a problem if a route gives no answer", async () => {
    const response = await fetch(url("/forgets"));
    expect(response.headers.get("content-type")).to.equal("application/problem+json");
  });

  it("closes the connection when a route fails midway through its response", async () => {
    const answer = await rawExchange(server.port, "GET /breaks-off HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(answer.endsWith("half")).to.equal(true);
    await server.logged((one) => one.msg === "response failed midway");
    await server.logged((one) => one.msg === "request ended early");
  });

  it("logs a failing store during an answer as an error, and the deletion of the answer's document not", async () => {
    for (const [code, level] of [
      ["deleted", "debug"],
      ["store lost", "error"],
    ] as const) {
      const answer = await rawExchange(
        server.port,
        `GET /stops/${encodeURIComponent(code)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      );
      expect(answer).to.contain("half");
      const line = await server.logged(
        ({ msg, err }) => msg === "connection failed" && JSON.stringify(err).includes(code),
      );
      expect(line.level, code).to.equal(pino.levels.values[level]);
    }
  });

  it("explains each problem type at its own address, as a page and as JSON", async () => {
    const json = await fetch(url("/problems/check-not-complete"));
    expect(await json.json()).to.include({ type: "/problems/check-not-complete", status: 409 });
    const html = await fetch(url("/problems/check-not-complete"), {
      headers: { Accept: "text/html,*/*;q=0.8" },
    });
    expect(html.headers.get("content-type")).to.contain("text/html");
    expect(await html.text()).to.contain("<h1>Check not complete</h1>");
    expect((await fetch(url("/problems/nonsense"))).status).to.equal(404);
  });
});

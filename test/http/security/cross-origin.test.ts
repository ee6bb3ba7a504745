import { Router } from "@koa/router";
import { expect } from "chai";
import { ProblemSchema } from "../../../src/http/routing/problem.ts";
import { trustedProxies } from "../../../src/http/security/client-address.ts";
import { refuseCrossSite } from "../../../src/http/security/cross-origin.ts";
import { hostRule } from "../../../src/http/security/host-rule.ts";
import { SECURITY_HEADERS } from "../../../src/http/security/security-headers.ts";
import { type Fixture, rawExchange, serve } from "../http-fixture.ts";

describe("cross-origin access to the engine", () => {
  let server: Fixture;
  let proxied: Fixture;
  let changes = 0;

  before(async () => {
    const router = new Router();
    router.get("/health", (ctx) => {
      ctx.body = { status: "ok" };
    });
    router.get("/things", (ctx) => {
      ctx.body = { changes };
    });
    for (const method of ["post", "patch", "delete"] as const) {
      router[method]("/things", (ctx) => {
        changes += 1;
        ctx.status = 204;
      });
    }
    const isOwnHost = hostRule("127.0.0.1", ["checks.example.org"]);
    server = await serve([router], { isOwnHost, beforeRoutes: [refuseCrossSite(() => false)] });
    const isTrusted = trustedProxies([{ address: "127.0.0.1", family: "ipv4", prefix: undefined }]);
    proxied = await serve([router], { isOwnHost, beforeRoutes: [refuseCrossSite(isTrusted)] });
  });
  after(() => Promise.all([server.stop(), proxied.stop()]));

  /** Sends the headers as they are, which `fetch` would not. */
  async function send(method: string, headers: Readonly<Record<string, string>>, { port } = server) {
    const all = { Host: `127.0.0.1:${port}`, Connection: "close", ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return parseAnswer(await rawExchange(port, `${method} /things HTTP/1.1\r\n${lines.join("")}\r\n`));
  }

  it("is refused for changes that a browser sends for a page of another origin", async () => {
    const before = changes;
    const foreign: readonly Readonly<Record<string, string>>[] = [
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site", Origin: "http://localhost:3000" },
      { "Sec-Fetch-Site": "cross-site", Origin: `http://127.0.0.1:${server.port}` },
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: `http://127.0.0.1:${server.port + 1}` },
      { Origin: "http://127.0.0.1" },
      { Origin: "file://" },
    ];
    for (const headers of foreign) {
      for (const method of ["POST", "PATCH", "DELETE"]) {
        const { status, problem } = await send(method, headers);
        expect([status, problem?.type], JSON.stringify(headers)).to.deep.equal([
          403,
          "/problems/cross-site-request",
        ]);
        expect(problem?.detail).to.match(/another origin/);
      }
    }
    expect(changes).to.equal(before);
  });

  it("is allowed for programs, for the service's own pages and for addresses that a person opens", async () => {
    const own: readonly Readonly<Record<string, string>>[] = [
      {},
      { "Sec-Fetch-Site": "same-origin", Origin: `http://127.0.0.1:${server.port}` },
      { "Sec-Fetch-Site": "none" },
      { Origin: `http://127.0.0.1:${server.port}` },
      { Host: "CHECKS.example.org", Origin: "http://checks.example.org" },
    ];
    for (const headers of own) {
      for (const method of ["POST", "PATCH", "DELETE"]) {
        expect((await send(method, headers)).status, JSON.stringify(headers)).to.equal(204);
      }
    }
  });

  it("is allowed for reading from a page of another origin, which does not see the answer", async () => {
    const { status, headers } = await send("GET", {
      "Sec-Fetch-Site": "cross-site",
      Origin: "https://evil.example",
    });
    expect(status).to.equal(200);
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).to.deep.equal([]);
    expect(headers.get("cross-origin-resource-policy")).to.equal("same-origin");
    const preflight = await send("OPTIONS", {
      Origin: "https://evil.example",
      "Access-Control-Request-Method": "DELETE",
    });
    expect([...preflight.headers.keys()].join()).not.to.include("access-control-");
  });

  it("depends on the origin that a trusted proxy states", async () => {
    const headers = { Origin: "https://similar.example.org", "X-Forwarded-Host": "similar.example.org" };
    expect((await send("POST", headers, proxied)).status).to.equal(204);
    expect((await send("POST", headers, server)).status).to.equal(403);
    const appended = { ...headers, "X-Forwarded-Host": "evil.example, similar.example.org" };
    expect((await send("POST", appended, proxied)).status).to.equal(204);
    const evil = { ...appended, Origin: "https://evil.example" };
    expect((await send("POST", evil, proxied)).status).to.equal(403);
  });

  it("is refused under other host names, except for the probes", async () => {
    for (const host of ["evil.example", `evil.example:${server.port}`, "localhost.evil.example", "printer"]) {
      const { status, problem } = await send("GET", { Host: host });
      expect([status, problem?.type], host).to.deep.equal([421, "/problems/host-not-allowed"]);
      expect(problem?.detail).to.include("ALLOWED_HOSTS");
    }
    for (const host of ["localhost", "[::1]:1", "10.0.0.7:80", "checks.example.org"]) {
      expect((await send("GET", { Host: host })).status, host).to.equal(200);
    }
    const probe = "GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    expect(await rawExchange(server.port, probe)).to.match(/^HTTP\/1.1 200 /);
  });

  it("depends on the Host header, not on the target or a proxy's header", async () => {
    const absolute = `GET http://localhost/things HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    expect(await rawExchange(server.port, absolute)).to.match(/^HTTP\/1.1 421 /);
    for (const [target, host, status] of [
      [`http://127.0.0.1:${server.port}/things`, `127.0.0.1:${server.port}`, 200],
      ["http://LOCALHOST/things", "localhost", 200],
      ["http://evil.example/things", "localhost", 400],
      ["http://localhost:1/things", "localhost", 400],
      ["http://[/things", "localhost", 400],
    ] as const) {
      const request = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(parseAnswer(await rawExchange(server.port, request)).status, target).to.equal(status);
    }
    const headers = { Host: "evil.example", "X-Forwarded-Host": "localhost" };
    expect((await send("GET", headers, proxied)).status).to.equal(421);
  });

  it("is refused with a problem and every security header, whatever was sent", async () => {
    const answered: readonly (readonly [request: string, status: number])[] = [
      ["GET /things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 200],
      ["GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404],
      ["PUT /things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 405],
      ["GET /things HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
      ["GET /things HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
      ["GET /things HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\nConnection: close\r\n\r\n", 400],
      ["GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
      ["GET /things HTTP/1.0\r\n\r\n", 200],
      ["POST /things HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nConnection: close\r\n\r\n", 204],
      ["nonsense\r\n\r\n", 400],
      ["GET /things HTTP/1.1\r\nHost: localhost\r\nBad Header: 1\r\n\r\n", 400],
      ["POST /things HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400],
      [`GET /things HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ];
    for (const [request, status] of answered) {
      const answer = parseAnswer(await rawExchange(server.port, request));
      const title = request.slice(0, 60);
      expect(answer.status, title).to.equal(status);
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
        expect(answer.headers.get(name), `${name} of ${title}`).to.equal(value);
      }
      expect(answer.headers.get("x-request-id"), title).to.match(/^\S+$/);
      expect(answer.headers.has("server") || answer.headers.has("x-powered-by"), title).to.equal(false);
      if (status >= 400) expect(answer.problem?.status, title).to.equal(status);
    }
  });
});

function parseAnswer(text: string) {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(":")),
      line.slice(line.indexOf(":") + 1),
    ]),
  );
  const isProblem = headers.get("content-type")?.startsWith("application/problem+json") ?? false;
  const problem = isProblem ? ProblemSchema.parse(JSON.parse(body)) : undefined;
  return { status: Number(first.split(" ")[1]), headers, problem };
}

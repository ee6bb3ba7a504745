import { expect } from "chai";
import { readProxyRange } from "../../../src/platform/config.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useStatistics } from "../../support/use-statistics.ts";

/** The specification's limit, section 8. */
const LIMIT = 120;

const proxy = readProxyRange("127.0.0.0/8");

describe("decisions, Statistics: 120 requests per minute per client, shared by all replicas", () => {
  const statistics = useStatistics({
    statisticsRateLimit: LIMIT,
    trustedProxies: proxy === undefined ? [] : [proxy],
  });

  function as(client: string): RequestInit {
    return { headers: { "X-Forwarded-For": client } };
  }

  it("lets 120 requests pass over two replicas together and answers the 121st with 429 and Retry-After", async () => {
    const second = await statistics.addReplica({
      statisticsRateLimit: LIMIT,
      trustedProxies: proxy === undefined ? [] : [proxy],
    });
    const client = as("203.0.113.1");
    const ask = (turn: number) =>
      turn % 2 === 0 ? statistics.request("/v1/", client) : fetch(`${second.address}/v1/`, client);
    const statuses: number[] = [];
    for (let turn = 0; turn < LIMIT; turn += 1) {
      const response = await ask(turn);
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    for (const turn of [LIMIT, LIMIT + 1]) {
      const refused = await ask(turn);
      expect(Number(refused.headers.get("retry-after"))).to.be.within(1, 60);
      expect(refused.headers.get("ratelimit")).to.match(/^"default";r=0;t=\d+$/);
      expect(refused.headers.get("access-control-allow-origin")).to.equal("*");
      await expectProblem(refused, 429, "rate-limited");
    }
    const headers = {
      ...client.headers,
      Origin: "https://page.example",
      "Access-Control-Request-Method": "GET",
    };
    const preflight = await statistics.request("/v1/countries", { method: "OPTIONS", headers });
    expect(preflight.headers.get("access-control-allow-origin")).to.equal("*");
    expect(preflight.headers.get("access-control-expose-headers")).to.include("Retry-After");
    await expectProblem(preflight, 429, "rate-limited");
    expect((await statistics.request("/v1/", as("203.0.113.2"))).status, "another client").to.equal(200);
  });

  it("says on each answer below /v1 where the client stands, errors and 304 included", async () => {
    const client = "203.0.113.3";
    const etag = (await statistics.request("/v1/", as(client))).headers.get("etag") ?? "";
    const asked: [path: string, init: RequestInit, status: number][] = [
      ["/v1/", { headers: { "X-Forwarded-For": client, "If-None-Match": etag } }, 304],
      ["/v1/countries?window=banana", as(client), 422],
      ["/v1/nothing", as(client), 404],
      ["/v1/countries", { ...as(client), method: "POST" }, 405],
      ["/v1/countries", { ...as(client), method: "HEAD" }, 200],
    ];
    for (const [index, [path, init, status]] of asked.entries()) {
      const response = await statistics.request(path, init);
      expect(response.status, path).to.equal(status);
      expect(response.headers.get("ratelimit-policy"), path).to.equal('"default";q=120;w=60');
      expect(response.headers.get("ratelimit"), path).to.match(
        new RegExp(`^"default";r=${LIMIT - 2 - index};t=\\d+$`),
      );
    }
  });

  it("limits a path in whatever case it is written, as the router takes it", async () => {
    for (const path of ["/V1/", "/V1/countries", "/v1/Countries"]) {
      const response = await statistics.request(path, as("203.0.113.7"));
      expect(response.headers.get("ratelimit"), path).to.match(/^"default";r=11\d;t=\d+$/);
    }
  });

  it("limits neither the probes nor the pages", async () => {
    for (const path of ["/health", "/ready", "/metrics", "/openapi.json"]) {
      expect((await statistics.request(path, as("203.0.113.4"))).headers.get("ratelimit"), path).to.equal(
        null,
      );
    }
  });

  it("does not believe the header of a client that is no proxy", async () => {
    const open = await statistics.addReplica({ statisticsRateLimit: 1, trustedProxies: [] });
    const first = await fetch(`${open.address}/v1/`, as("203.0.113.5"));
    const second = await fetch(`${open.address}/v1/`, as("203.0.113.6"));
    expect([first.status, second.status]).to.deep.equal([200, 429]);
  });
});

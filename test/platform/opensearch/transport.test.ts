import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { expect } from "chai";
import { DomainError } from "../../../src/platform/domain-error.ts";
import {
  askOpenSearch,
  connectOpenSearch,
  type OpenSearch,
} from "../../../src/platform/opensearch/opensearch.ts";

const JSON_TYPE = { "content-type": "application/json; charset=UTF-8" } as const;
const WHOLE = JSON.stringify({ cluster_name: "similarity", status: "green" });
const HALF = WHOLE.slice(0, WHOLE.length / 2);

describe("an incomplete or foreign answer", () => {
  let respond: (response: ServerResponse) => void;
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    request.resume();
    respond(response);
  });
  let client: OpenSearch;

  before(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    client = connectOpenSearch([`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`]);
  });
  beforeEach(() => {
    asked = 0;
  });
  after(async () => {
    await client.close();
    server.close();
    server.closeAllConnections();
  });

  async function outcome(options: { readonly requestTimeout: number; readonly maxRetries: number }) {
    return askOpenSearch(() => client.cluster.health({}, options)).then(
      ({ body }) => body.status,
      (error: unknown) => (error instanceof DomainError ? error.code : error),
    );
  }

  it("ends the request at its time limit when it stalls on an open connection", async () => {
    respond = (response) => {
      response.writeHead(200, { ...JSON_TYPE, "content-length": WHOLE.length });
      response.write(HALF);
    };
    expect(await outcome({ requestTimeout: 50, maxRetries: 1 })).to.equal("store_unavailable");
    respond = (response) => response.writeHead(200, JSON_TYPE).end(WHOLE);
    expect(await outcome({ requestTimeout: 5_000, maxRetries: 0 })).to.equal("green");
  });

  for (const [name, send] of [
    [
      "a page with status 200",
      (one) => one.writeHead(200, { "content-type": "text/html" }).end("<h1>Sorry</h1>"),
    ],
    ["nothing with status 200", (one) => one.writeHead(200).end()],
    ["JSON that breaks off", (one) => one.writeHead(200, JSON_TYPE).end(HALF)],
    [
      "a page with status 502",
      (one) => one.writeHead(502, { "content-type": "text/html" }).end("<h1>Sorry</h1>"),
    ],
    [
      "a page with status 408",
      (one) => one.writeHead(408, { "content-type": "text/html" }).end("<h1>Sorry</h1>"),
    ],
    [
      "a connection that ends in its middle",
      (one) => {
        one.writeHead(200, { ...JSON_TYPE, "content-length": WHOLE.length });
        one.write(HALF, () => one.destroy());
      },
    ],
  ] as const satisfies readonly (readonly [string, (response: ServerResponse) => unknown])[]) {
    it(`counts as an unavailable store: ${name}`, async () => {
      respond = send;
      expect(await outcome({ requestTimeout: 5_000, maxRetries: 0 })).to.equal("store_unavailable");
      expect(asked).to.equal(1);
    });
  }

  for (const type of [
    "node_closed_exception",
    "already_closed_exception",
    "cluster_block_exception",
    "index_shard_not_started_exception",
    "illegal_index_shard_state_exception",
  ]) {
    it(`counts as an unavailable store: ${type}, whatever its status`, async () => {
      const error = { type, reason: "index [chunks] blocked" };
      respond = (response) =>
        response
          .writeHead(403, JSON_TYPE)
          .end(JSON.stringify({ error: { ...error, root_cause: [error] }, status: 403 }));
      expect(await outcome({ requestTimeout: 5_000, maxRetries: 0 })).to.equal("store_unavailable");
    });
  }

  it("counts as an unavailable store: a shard that recovers after a start", async () => {
    const cause = { type: "illegal_index_shard_state_exception", reason: "CurrentState[RECOVERING]" };
    const error = {
      type: "exception",
      reason: "java.util.concurrent.ExecutionException",
      root_cause: [cause],
    };
    respond = (response) => response.writeHead(500, JSON_TYPE).end(JSON.stringify({ error, status: 500 }));
    expect(await outcome({ requestTimeout: 5_000, maxRetries: 0 })).to.equal("store_unavailable");
  });

  it("names the reason of a write block", async () => {
    const error = { type: "cluster_block_exception", reason: "disk usage exceeded flood-stage watermark" };
    respond = (response) => response.writeHead(429, JSON_TYPE).end(JSON.stringify({ error, status: 429 }));
    const fault = await askOpenSearch(() => client.cluster.health({}, { maxRetries: 0 })).catch(
      (one: unknown) => one,
    );
    expect(fault).to.have.property("message").that.includes("flood-stage watermark").and.includes("by hand");
  });
});

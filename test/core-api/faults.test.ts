import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { expect } from "chai";
import Koa from "koa";
import { pino } from "pino";
import { answerFaults } from "../../src/core-api/api/authenticate.ts";
import { coreApiPages } from "../../src/core-api/api/pages.ts";
import type { AppState } from "../../src/http/routing/route-table.ts";
import { DomainError } from "../../src/platform/domain-error.ts";
import { readJson } from "./use-core-api.ts";

describe("faults of the core api", () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  let server: Server;
  let base = "";
  before(async () => {
    const app = new Koa<AppState>();
    app.use(answerFaults(log));
    app.use(async (ctx, next) => {
      if (ctx.path === "/broken") throw new TypeError("a secret of the code");
      await next();
    });
    const down = () => Promise.reject(new DomainError("store_unavailable", "PostgreSQL does not answer."));
    const viewer = { createLink: down, open: down, resume: down, view: down, pdf: down, change: down };
    const eula = { text: "", version: "v1", isRequired: false, validFrom: new Date(0) };
    const publicUrl = "http://127.0.0.1";
    app.use(coreApiPages({ viewer, eula, publicUrl, reportPolicy: "" }).routes());
    server = createServer(app.callback());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  });
  after(() => server?.close());

  it("an unexpected error is answered as {status, message} and logged, and its cause stays here", async () => {
    const response = await fetch(`${base}/broken`);
    expect(response.status).to.equal(500);
    const body = await readJson(response);
    expect(body).to.deep.equal({ status: 500, message: "An unexpected error occurred in the service." });
    expect(lines.join("")).to.include("a secret of the code");
  });

  it("a report that can't be shown for the moment is a page", async () => {
    const response = await fetch(`${base}/viewer/link`);
    expect(response.status).to.equal(503);
    expect(response.headers.get("content-type")).to.match(/^text\/html/);
    expect(await response.text()).to.include("PostgreSQL does not answer.");
  });
});

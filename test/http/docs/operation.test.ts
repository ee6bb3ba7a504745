import { readFile } from "node:fs/promises";
import { Router } from "@koa/router";
import { expect } from "chai";
import { Registry } from "prom-client";
import { ASSETS_PATH, docsRouter, docsRoutes } from "../../../src/http/docs/docs.ts";
import { openApiDocument } from "../../../src/http/docs/openapi.ts";
import { metricsRoutes, probeRoutes, type Readiness } from "../../../src/http/probes.ts";
import { problemRoutes } from "../../../src/http/problem-pages.ts";
import { operationsOf, routerOf } from "../../../src/http/routing/route.ts";
import { documentationGaps } from "../../support/documentation-gaps.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { type Fixture, rawExchange, serve } from "../http-fixture.ts";

const operations = operationsOf([...probeRoutes, ...metricsRoutes, ...problemRoutes, ...docsRoutes]);
const document = openApiDocument({
  title: "Test",
  version: "1.0.0",
  description: "A test.",
  tags: [],
  operations,
});

describe("the probes, the metrics and the documentation", () => {
  let server: Fixture;
  let readiness = async (): Promise<Readiness> => ({ ready: true, checks: { postgresql: "ok" } });
  const registry = new Registry();
  const documented = [
    routerOf(probeRoutes, () => readiness()),
    routerOf(metricsRoutes, registry),
    routerOf(problemRoutes, undefined),
    docsRouter(document, { path: "/", label: "Start" }),
  ];
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.address}${path}`, { headers });
  /** By hand, because fetch adds a Cache-Control that forbids the 304. */
  const askAgain = (path: string, etag: string | null) =>
    rawExchange(
      server.port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: ${etag}\r\n\r\n`,
    );

  before(async () => {
    server = await serve(documented);
  });
  after(() => server.stop());

  it("answers /health without calling a store", async () => {
    readiness = () => Promise.reject(new Error("the store is down"));
    const response = await get("/health");
    expect([response.status, await response.json()]).to.deep.equal([200, { status: "ok" }]);
  });

  it("answers /ready with 200, or with 503 and Retry-After, also when the probe fails", async () => {
    readiness = async () => ({ ready: true, checks: { postgresql: "ok" } });
    expect(await (await get("/ready")).json()).to.deep.equal({ ready: true, checks: { postgresql: "ok" } });
    readiness = async () => ({ ready: false, checks: { postgresql: "no answer" } });
    const down = await get("/ready");
    expect([down.status, down.headers.get("retry-after")]).to.deep.equal([503, "5"]);
    expect(await down.json()).to.deep.equal({ ready: false, checks: { postgresql: "no answer" } });
    readiness = () => Promise.reject(new Error("broken probe"));
    expect((await get("/ready")).status).to.equal(503);
  });

  it("answers /metrics as Prometheus text", async () => {
    const response = await get("/metrics");
    expect(response.headers.get("content-type")).to.equal(registry.contentType);
    expect(response.status).to.equal(200);
  });

  it("serves /openapi.json with an ETag and 304 on a match", async () => {
    const response = await get("/openapi.json");
    expect(response.headers.get("content-type")).to.match(/^application\/json/);
    expect(await response.json()).to.include({ openapi: "3.1.0" });
    expect(await askAgain("/openapi.json", response.headers.get("etag"))).to.match(/^HTTP\/1.1 304 /);
  });

  for (const path of ["/docs", "/redoc"]) {
    it(`serves ${path} with files of this instance only, which browsers may cache`, async () => {
      const response = await get(path);
      const html = await response.text();
      expect(response.status).to.equal(200);
      expect(response.headers.get("content-type")).to.match(/^text\/html/);
      expect(html).to.contain("/openapi.json");
      // Swagger UI's page draws its icons with SVG, whose namespaces are names and not addresses.
      expect(html.replaceAll(/xmlns(:\w+)?="[^"]*"/g, "")).not.to.match(/https?:\/\/|"\/\//);
      const urls = [...html.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g)].map(
        ([, url = ""]) => url,
      );
      expect(urls.length).to.be.above(1);
      for (const url of urls) {
        expect(new URL(url, server.address).origin).to.equal(server.address);
        const asset = await get(url);
        expect(asset.status, url).to.equal(200);
        expect(asset.headers.get("cache-control")).to.contain("immutable");
        expect((await asset.arrayBuffer()).byteLength).to.equal(Number(asset.headers.get("content-length")));
        expect(await askAgain(url, asset.headers.get("etag"))).to.match(/^HTTP\/1.1 304 /);
      }
    });

    it(`allows scripts on ${path} only from its own origin or by hash, never unsafe-inline`, async () => {
      const response = await get(path);
      const policy = response.headers.get("content-security-policy") ?? "";
      const scripts = policy.split("; ").find((rule) => rule.startsWith("script-src")) ?? "";
      const inline = [...(await response.text()).matchAll(/<script>/g)].length;
      expect(scripts).to.contain("'self'").and.not.to.contain("unsafe");
      expect(scripts.split("sha256-")).to.have.length(inline + 1);
      expect(policy).to.contain("connect-src 'self'").and.to.contain("frame-ancestors 'none'");
    });
  }

  it("has the licences of Swagger UI and Redoc, and of all that is in their files, beside them", async () => {
    const licence = (name: string) =>
      readFile(new URL(`../../../dist/pages/licences/${name}`, import.meta.url), "utf8");
    expect(await licence("swagger-ui-dist/LICENSE")).to.contain("Apache License");
    expect(await licence("swagger-ui-dist/NOTICE")).to.contain("swagger-ui");
    expect(await licence("swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt")).to.contain("@license");
    expect(await licence("redoc/LICENSE")).to.contain("The MIT License");
    expect(await licence("redoc/redoc.standalone.js.LICENSE.txt"))
      .to.contain("Stickyfill")
      .and.to.contain("React");
  });

  it("answers 503 with the command that builds the pages where they are not built", async () => {
    const unbuilt = await serve([
      docsRouter(document, { path: "/", label: "Start" }, new URL("no-such-folder/", import.meta.url)),
    ]);
    try {
      for (const path of ["/docs", "/redoc"]) {
        const { detail } = await expectProblem(
          await fetch(`${unbuilt.address}${path}`),
          503,
          "pages-not-built",
        );
        expect(detail).to.contain("npm run build:pages");
      }
      expect((await fetch(`${unbuilt.address}/openapi.json`)).status).to.equal(200);
    } finally {
      await unbuilt.stop();
    }
  });

  it("serves no other files of the packages", async () => {
    for (const file of [
      "package.json",
      "..%2f..%2fpackage.json",
      "swagger-ui-dist-0-index.html",
      "..%2fmanifest.json",
    ]) {
      expect((await get(`/docs/assets/${file}`)).status, file).to.equal(404);
    }
  });

  it("describes every route except the files of the pages, and nothing else", () => {
    expect(documentationGaps(documented, operations)).to.deep.equal({
      undocumented: [`GET ${ASSETS_PATH}`],
      unrouted: [],
    });
    const forgotten = new Router();
    forgotten.get("/forgotten", () => {});
    expect(documentationGaps([forgotten], operationsOf(metricsRoutes))).to.deep.equal({
      undocumented: ["GET /forgotten"],
      unrouted: ["GET /metrics"],
    });
  });
});

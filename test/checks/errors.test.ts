import { expect } from "chai";
import { JSON_BODY_BYTES_MAX } from "../../src/http/input/json-body.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";

const JSON_ENDPOINTS = [
  ["POST", "/v1/checks"],
  ["PATCH", "/v1/checks/01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf"],
] as const;

describe("decisions, Both interfaces: errors of the checks endpoints", () => {
  const engine = useEngine({ roles: ["engine"] });

  const send = (
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    type = "application/json",
  ) => engine.client.request(path, { method, headers: { "Content-Type": type }, body });

  for (const [method, path] of JSON_ENDPOINTS) {
    describe(`${method} ${path}`, () => {
      it("is 400 with a body that is not JSON, is empty or is not valid UTF-8", async () => {
        for (const body of ["{", "no JSON", '{"query_text":"a"', ""]) {
          await expectProblem(await send(method, path, body), 400, "malformed-body");
        }
        const latin1 = Buffer.from('{"query_text":"caf\xe9","title":"caf\xe9"}', "latin1");
        await expectProblem(await send(method, path, Uint8Array.from(latin1)), 400, "malformed-body");
      });

      it("is 422 with JSON that is no object", async () => {
        for (const body of ["null", '"text"', "[]"])
          await expectProblem(await send(method, path, body), 422, "invalid-input", ["body"]);
      });

      it("is 415 with another content type", async () => {
        for (const type of ["text/plain", "application/xml", "multipart/form-data; boundary=x"]) {
          await expectProblem(await send(method, path, "{}", type), 415, "unsupported-media-type");
        }
      });

      it("is 413 with a body of more than 8 MiB", async () => {
        expect(JSON_BODY_BYTES_MAX).to.equal(8 * 1024 * 1024);
        const body = JSON.stringify({ query_text: "x", title: "x", filler: "x".repeat(JSON_BODY_BYTES_MAX) });
        await expectProblem(await send(method, path, body), 413, "body-too-large");
      });

      it("is 422 with a lone surrogate in a string", async () => {
        const body = '{"query_text":"a\\ud83d","title":"t"}';
        await expectProblem(await send(method, path, body), 422, "invalid-input", ["query_text"]);
      });
    });
  }

  it("takes a body of 8 MiB all of whose members fit", async () => {
    const frame = JSON.stringify({ query_text: "x", filler: "" });
    const body = JSON.stringify({ query_text: "x", filler: "x".repeat(JSON_BODY_BYTES_MAX - frame.length) });
    expect(body).to.have.lengthOf(JSON_BODY_BYTES_MAX);
    expect((await send("POST", "/v1/checks", body)).status).to.equal(202);
  });

  it("takes 500,000 characters outside the basic plane, each written as two escapes", async () => {
    const body = `{"query_text":"${"\\ud83d\\ude00".repeat(500_000)}"}`;
    expect((await send("POST", "/v1/checks", body)).status).to.equal(202);
  });

  it("is 404 for an unknown path, in any method", async () => {
    for (const path of ["/v1", "/v1/", "/v2/checks", "/v1/check", "/v1/checks/a/b", "/v1/checks/a/reports"]) {
      await expectProblem(await engine.client.request(path), 404, "not-found");
      await expectProblem(await engine.client.request(path, { method: "DELETE" }), 404, "not-found");
    }
  });

  it("is 405 with Allow for a wrong method, also where a path looks like an identifier", async () => {
    const id = "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf";
    for (const [method, path, allow] of [
      ["PUT", "/v1/checks", "GET, HEAD, POST, OPTIONS"],
      ["DELETE", "/v1/checks", "GET, HEAD, POST, OPTIONS"],
      ["GET", "/v1/checks/upload", "POST, OPTIONS"],
      ["DELETE", "/v1/checks/upload", "POST, OPTIONS"],
      ["POST", "/v1/checks/stats", "GET, HEAD, OPTIONS"],
      ["PATCH", "/v1/checks/stats", "GET, HEAD, OPTIONS"],
      ["POST", `/v1/checks/${id}`, "GET, HEAD, PATCH, DELETE, OPTIONS"],
      ["DELETE", `/v1/checks/${id}/report`, "GET, HEAD, OPTIONS"],
      ["POST", `/v1/checks/${id}/progress`, "GET, HEAD, OPTIONS"],
      ["POST", "/health", "GET, HEAD, OPTIONS"],
    ] as const) {
      const response = await engine.client.request(path, { method });
      expect(response.headers.get("allow"), `${method} ${path}`).to.equal(allow);
      await expectProblem(response, 405, "method-not-allowed");
    }
  });

  it("every response carries X-Request-Id: the client's own when it is a sane one, else a new one", async () => {
    const paths = [
      "/v1/checks",
      "/v1/checks/stats",
      "/v1/checks/unknown",
      "/nowhere",
      "/v1/checks?limit=0",
      "/v1/checks/upload",
      "/v1/corpus/documents",
      "/v1/corpus/documents/unknown",
      "/health",
      "/ready",
      "/metrics",
      "/openapi.json",
      "/docs",
      "/redoc",
    ];
    for (const path of paths) {
      const own = await engine.client.request(path, { headers: { "X-Request-Id": "trace-1:2.3_4" } });
      expect(own.headers.get("x-request-id"), path).to.equal("trace-1:2.3_4");
      for (const insane of ["with blanks", "<script>", "x".repeat(300)]) {
        const made = await engine.client.request(path, { headers: { "X-Request-Id": insane } });
        expect(made.headers.get("x-request-id"), path).to.match(/^[0-9a-f-]{36}$/);
      }
    }
  });

  it("the type of a problem is a relative reference that explains it", async () => {
    const { type } = await expectProblem(
      await engine.client.request("/v1/checks/unknown"),
      404,
      "check-not-found",
    );
    const explanation = await engine.client.request(type);
    expect(explanation.status).to.equal(200);
    expect(await explanation.json()).to.include({ type, status: 404 });
  });

  it("specification 5: no header, token or credential is part of the interface", async () => {
    for (const headers of [{}, { Authorization: "Bearer anything" }, { Authorization: "Basic !!" }]) {
      const response = await engine.client.request("/v1/checks", { headers });
      expect(response.status).to.equal(200);
      expect(response.headers.get("www-authenticate")).to.equal(null);
    }
  });

  it("specification 9: paths are versioned by the prefix /v1", async () => {
    expect((await engine.client.request("/v1/checks")).status).to.equal(200);
    await expectProblem(await engine.client.request("/checks/a/report"), 404, "not-found");
    const page = await engine.client.request("/checks");
    expect(page.headers.get("Content-Type"), "without it there is a page for people").to.match(/^text\/html/);
  });
});

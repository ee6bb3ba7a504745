import { expect } from "chai";
import { pino } from "pino";
import { Registry } from "prom-client";
import { ProgressEnd, ProgressEvent } from "../../src/checks/api/schema.ts";
import { DocumentStore } from "../../src/corpus/documents/document-store.ts";
import { FILES_PATH, readBuiltPages } from "../../src/http/built-files.ts";
import { ASSETS_PATH } from "../../src/http/docs/docs.ts";
import { PendingAnswers } from "../../src/http/pending-answers.ts";
import { ProblemSchema } from "../../src/http/routing/problem.ts";
import { Database } from "../../src/platform/postgres/database.ts";
import { engineApi, engineOperations, engineRouters } from "../../src/service/engine-api.ts";
import { PAGES } from "../../src/web/pages.ts";
import { documentationGaps } from "../support/documentation-gaps.ts";
import { useEngine } from "../support/use-engine.ts";
import { keepsOpenApiLaws } from "./openapi-laws.ts";

/** Every endpoint of specification 4.1 and of the decisions, with each status that it can answer with. */
const ANSWERS: Readonly<Record<string, readonly number[]>> = {
  "post /v1/checks": [202, 400, 408, 409, 413, 415, 422, 500, 503],
  "post /v1/checks/upload": [202, 400, 408, 409, 413, 415, 422, 500, 503],
  "get /v1/checks": [200, 422, 500, 503],
  "get /v1/checks.csv": [200, 422, 500, 503],
  "get /v1/checks/stats": [200, 500, 503],
  "get /v1/checks/{check_id}": [200, 404, 500, 503],
  "get /v1/checks/{check_id}/progress": [200, 404, 500, 503],
  "get /v1/checks/{check_id}/report.pdf": [200, 404, 409, 422, 500, 501, 503],
  "put /v1/checks/{check_id}/notes/{passage}": [200, 400, 404, 408, 409, 413, 415, 422, 500, 503],
  "delete /v1/checks/{check_id}/notes/{passage}": [204, 404, 409, 500, 503],
  "get /v1/checks/{check_id}/report": [200, 404, 409, 422, 500, 503],
  "get /v1/checks/{check_id}/original": [200, 404, 500, 503],
  "get /v1/checks/{check_id}/original.html": [200, 404, 422, 500, 503],
  "get /v1/checks/{check_id}/ocr-pages": [200, 404, 500, 503],
  "get /v1/checks/{check_id}/passages.csv": [200, 404, 409, 422, 500, 503],
  "get /v1/checks/{check_id}/report.html": [200, 404, 409, 422, 500, 503],
  "get /v1/checks/{check_id}/sources/{source_document_id}/text": [200, 404, 409, 422, 500, 503],
  "patch /v1/checks/{check_id}": [200, 400, 404, 408, 409, 413, 415, 422, 500, 503],
  "post /v1/checks/{check_id}/document": [200, 201, 404, 409, 422, 500, 503],
  "delete /v1/checks/{check_id}": [204, 404, 500, 503],
  "post /v1/corpus/documents": [200, 201, 400, 408, 413, 415, 422, 500, 503],
  "post /v1/comparisons": [200, 400, 408, 413, 415, 422, 500, 503],
  "post /v1/comparisons/upload": [200, 400, 408, 413, 415, 422, 500, 503],
  "post /v1/comparisons.pdf": [200, 400, 408, 413, 415, 422, 500, 501, 503],
  "post /v1/comparisons/links": [201, 400, 408, 413, 415, 422, 500, 503],
  "get /v1/comparisons/{comparison_id}": [200, 403, 404, 422, 500, 503],
  "get /v1/comparisons/{comparison_id}/comparison.pdf": [200, 403, 404, 422, 500, 501, 503],
  "delete /v1/comparisons/{comparison_id}": [204, 404, 500, 503],
  "get /v1/corpus/documents.csv": [200, 422, 500, 503],
  "get /v1/corpus/documents": [200, 422, 500, 503],
  "get /v1/corpus/collections": [200, 500, 503],
  "get /v1/corpus/coverage": [200, 500, 503],
  "get /v1/corpus/documents/{document_id}": [200, 404, 500, 503],
  "patch /v1/corpus/documents/{document_id}": [200, 400, 404, 408, 409, 413, 415, 422, 500, 503],
  "delete /v1/corpus/documents/{document_id}": [204, 404, 500, 503],
  "post /v1/batches": [202, 400, 408, 409, 413, 415, 422, 500, 503],
  "get /v1/batches": [200, 422, 500, 503],
  "get /v1/batches/{batch_id}": [200, 404, 422, 500, 503],
  "post /v1/batches/{batch_id}/members": [202, 400, 404, 408, 409, 413, 415, 422, 500, 503],
  "get /v1/batches/{batch_id}/progress": [200, 404, 500, 503],
  "get /v1/batches/{batch_id}/report": [200, 404, 422, 500, 503],
  "get /v1/batches/{batch_id}/graph": [200, 404, 422, 500, 503],
  "get /v1/batches/{batch_id}/pairs/{a}/{b}": [200, 404, 422, 500, 503],
  "get /v1/batches/{batch_id}/pairs.csv": [200, 404, 422, 500, 503],
  "get /v1/batches/{batch_id}/members.csv": [200, 404, 422, 500, 503],
  "patch /v1/batches/{batch_id}": [200, 400, 404, 408, 413, 415, 422, 500, 503],
  "delete /v1/batches/{batch_id}": [204, 404, 500, 503],
  "get /health": [200, 500],
  "get /ready": [200, 500, 503],
  "get /metrics": [200, 500],
  "get /openapi.json": [200, 500],
  "get /docs": [200, 500, 503],
  "get /redoc": [200, 500, 503],
  "get /problems/{code}": [200, 404, 500],
};

/**
 * Adds the statuses of the middleware: for changes from a page of another origin, for foreign host names and for too large
 * a head.
 */
function withCommonStatuses(name: string, statuses: readonly number[]): number[] {
  const crossSite = name.startsWith("get ") ? [] : [403];
  const foreignHost = ["get /health", "get /ready"].includes(name) ? [] : [421];
  return [...statuses, ...crossSite, ...foreignHost, 431].toSorted((a, b) => a - b);
}

describe("decisions, Both interfaces: OpenAPI 3.1 from the schemas that validate", () => {
  const document = JSON.parse(JSON.stringify(engineApi()));
  const described = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method, path, operation: document.paths[path][method] })),
  );

  keepsOpenApiLaws(engineApi(), engineOperations);

  it("describes every route of the engine except the files of its pages, and nothing else", () => {
    expect(documentationGaps(engineRouters(idleParts()), engineOperations)).to.deep.equal({
      undocumented: [
        `GET ${ASSETS_PATH}`,
        ...PAGES.map(({ path }) => `GET ${path}`),
        `GET ${FILES_PATH}:file`,
        `GET ${FILES_PATH}:library/:folder/:file`,
      ],
      unrouted: [],
    });
  });

  it("has each endpoint of specification 4.1 with all its answers, errors included", () => {
    const answers = described.map(({ method, path, operation }) => [
      `${method} ${path}`,
      Object.keys(operation.responses).map(Number),
    ]);
    const expected = Object.entries(ANSWERS).map(([name, statuses]) => [
      name,
      withCommonStatuses(name, statuses),
    ]);
    expect(Object.fromEntries(answers)).to.deep.equal(Object.fromEntries(expected));
  });

  it("gives each body and each parameter of a path an example, and describes each parameter", () => {
    for (const { method, path, operation } of described) {
      for (const parameter of operation.parameters ?? []) {
        expect(parameter.description, `${method} ${path} ${parameter.name}`).to.have.length.above(10);
        if (parameter.in === "path") expect(parameter.schema.examples, path).to.have.length.above(0);
      }
      const bodies = [operation.requestBody, ...Object.values<object>(operation.responses)].filter(Boolean);
      for (const { content = {} } of bodies) {
        for (const [type, { examples }] of Object.entries<{ examples: object }>(content)) {
          expect(Object.keys(examples), `${method} ${path} ${type}`).to.have.length.above(0);
        }
      }
    }
  });

  it("has only examples of problems that fit their schema", () => {
    const problems = described.flatMap(({ operation }) =>
      Object.values<{ content?: Record<string, { examples: object }> }>(operation.responses).flatMap(
        ({ content }) => Object.values(content?.["application/problem+json"]?.examples ?? {}),
      ),
    );
    expect(problems).to.have.length.above(50);
    for (const { value } of problems) expect(ProblemSchema.parse(value)).to.deep.equal(value);
  });

  it("has progress events whose JSON fits their schemas", () => {
    const stream = document.paths["/v1/checks/{check_id}/progress"].get.responses["200"].content;
    const events = Object.values<{ value: { event?: string; data: string } }>(
      stream["text/event-stream"].examples,
    );
    expect(events).to.have.length.above(4);
    for (const { value } of events) {
      const schema = value.event === undefined ? ProgressEvent : ProgressEnd;
      expect(schema.parse(JSON.parse(value.data))).to.deep.equal(JSON.parse(value.data));
    }
  });

  it("documents report filters as booleans and lists", () => {
    const { parameters } = document.paths["/v1/checks/{check_id}/report"].get;
    const schemas = new Map(
      parameters.map(({ name, schema }: { name: string; schema: object }) => [name, schema]),
    );
    expect(schemas.get("exclude_quotes")).to.include({ type: "boolean" }).and.not.to.have.property("enum");
    expect(schemas.get("match_types")).to.include({ type: "array" });
  });
});

describe("specification 4.1 and 9: the documentation that the instance serves", () => {
  const engine = useEngine({ roles: ["engine"] });

  it("serves the document of the running instance at /openapi.json", async () => {
    const response = await engine.client.request("/openapi.json");
    expect(response.headers.get("content-type")).to.match(/^application\/json/);
    expect(await response.json()).to.deep.equal(JSON.parse(JSON.stringify(engineApi())));
  });

  it("supports exactly the documented methods at each documented path", async () => {
    const methods = Map.groupBy(Object.keys(ANSWERS), (endpoint) => endpoint.split(" ")[1] ?? "");
    for (const [path, endpoints] of methods) {
      const response = await engine.client.request(path.replaceAll(/[{}]/g, ""), { method: "OPTIONS" });
      const documented = endpoints.map((endpoint) => endpoint.split(" ")[0]?.toUpperCase());
      const withHead = documented.includes("GET") ? [...documented, "HEAD"] : documented;
      const allowed = response.headers.get("allow")?.split(", ");
      expect(allowed, path).to.have.members([...withHead, "OPTIONS"]);
    }
  });

  for (const path of ["/docs", "/redoc"]) {
    it(`serves ${path} with its own files; neither the page nor its policy names another host`, async () => {
      const response = await engine.client.request(path);
      expect(response.status).to.equal(200);
      expect(response.headers.get("content-type")).to.match(/^text\/html/);
      const page = (await response.text()).replaceAll(/xmlns(:\w+)?="[^"]*"/g, "");
      expect(page).to.contain("/openapi.json");
      expect(page).not.to.match(/https?:\/\/|["'(]\/\//);
      const policy = response.headers.get("content-security-policy");
      expect(policy)
        .to.contain("default-src 'none'")
        .and.not.to.match(/https?:|\*/);
      const files = [...page.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g)];
      expect(files).to.have.length.above(1);
      for (const [, file = ""] of files) {
        expect((await engine.client.request(file)).status, file).to.equal(200);
      }
    });
  }
});

/** Parts that are there to be routed to, not to be called; a database connects only when it is asked something. */
function idleParts(): Parameters<typeof engineRouters>[0] {
  const idle = () => Promise.reject(new Error("not to be called"));
  const pendingAnswers = new PendingAnswers();
  return {
    pages: readBuiltPages(),
    checks: {
      submitCheck: idle,
      submitUpload: idle,
      followCheck: idle,
      manageChecks: { list: idle, export: idle, stats: idle, find: idle, rename: idle, delete: idle },
      readOriginal: { find: idle, content: idle, ocrPages: idle, html: idle },
      addToCorpus: idle,
      reviewCheck: idle,
      pendingAnswers,
    },
    reports: {
      readReport: idle,
      readSourceText: idle,
      passageNotes: { write: idle, remove: idle },
      comparePassages: idle,
      makePdf: idle,
      pendingAnswers,
    },
    comparisons: {
      compareUploads: idle,
      links: { linkDays: 7, assertOn: () => {}, keep: idle, read: idle, delete: idle },
      makePdf: idle,
      pendingAnswers,
    },
    corpus: {
      database: new Database("postgres://localhost/none", pino({ level: "silent" })),
      documents: new DocumentStore(),
      readCoverage: idle,
      readCollections: idle,
      readDocument: idle,
      uploadDocument: idle,
      correctLanguage: idle,
      deleteDocument: idle,
      uploadBytesMax: 1,
      pendingAnswers,
    },
    batches: {
      submitBatch: idle,
      addMembers: idle,
      withUnpacked: idle,
      followBatch: idle,
      manageBatches: { list: idle, find: idle, rename: idle, delete: idle },
      readBatchReport: { report: idle, graph: idle, pairs: idle, members: idle, pair: idle },
    },
    readiness: idle,
    registry: new Registry(),
  };
}

import { expect } from "chai";
import { z } from "zod";
import { useEngine } from "../support/use-engine.ts";

const ReadinessAnswer = z.strictObject({ ready: z.boolean(), checks: z.record(z.string(), z.string()) });

describe("decisions, Running it: what a start prepares, and its probes", () => {
  const engine = useEngine({ roles: ["engine"] });

  async function readiness() {
    const response = await engine.client.request("/ready");
    return { status: response.status, ...ReadinessAnswer.parse(await response.json()) };
  }

  const READY = { status: 200, ready: true, checks: { postgres: "ok", opensearch: "ok" } };

  it("applies the migrations and the index templates, under the prefix of this installation", async () => {
    const migrations = await engine.database.query<{ name: string }>("select name from schema_migrations");
    expect(migrations.map(({ name }) => name)).to.include("0001_baseline");
    const prefix = engine.options.opensearchIndexPrefix;
    const { indices, cluster } = engine.opensearch;
    expect((await indices.existsIndexTemplate({ name: `${prefix}chunks` })).body).to.equal(true);
    expect((await cluster.existsComponentTemplate({ name: `${prefix}chunk-analysis` })).body).to.equal(true);
    for (const alias of ["chunks-read", "chunks-write"]) {
      expect((await indices.existsAlias({ name: `${prefix}${alias}` })).body, alias).to.equal(true);
    }
  });

  it("GET /health is the JSON object with the status ok (specification 4.1)", async () => {
    const response = await engine.client.request("/health");
    expect(response.headers.get("content-type")).to.match(/^application\/json/);
    expect([response.status, await response.json()]).to.deep.equal([200, { status: "ok" }]);
  });

  it("GET /ready is 200 when the stores answer and the schema is current", async () => {
    expect(await readiness()).to.deep.equal(READY);
  });

  it("GET /ready is 503 while a migration of this release is missing; /health stays ok", async () => {
    const rename = (from: string, to: string) =>
      engine.database.query("update schema_migrations set name = $2 where name = $1", [from, to]);
    await rename("0001_baseline", "0000_older");
    try {
      const { status, ready, checks } = await readiness();
      expect([status, ready, checks.opensearch]).to.deep.equal([503, false, "ok"]);
      expect(checks.postgres).to.match(/schema/);
      expect((await engine.client.request("/health")).status).to.equal(200);
    } finally {
      await rename("0000_older", "0001_baseline");
    }
    expect(await readiness()).to.deep.equal(READY);
  });

  it("GET /ready is 503 while the chunk index is missing", async () => {
    const name = `${engine.options.opensearchIndexPrefix}chunks-read`;
    const { body } = await engine.opensearch.indices.getAlias({ name });
    const [index = ""] = Object.keys(body);
    await engine.opensearch.indices.deleteAlias({ index, name });
    try {
      const { status, checks } = await readiness();
      expect([status, checks.postgres]).to.deep.equal([503, "ok"]);
      expect(checks.opensearch).to.match(/index/);
    } finally {
      await engine.opensearch.indices.putAlias({ index, name });
    }
    expect(await readiness()).to.deep.equal(READY);
  });

  it("GET /metrics is Prometheus text, each metric with its help and its type", async () => {
    await readiness();
    const response = await engine.client.request("/metrics");
    expect(response.status).to.equal(200);
    expect(response.headers.get("content-type")).to.match(/^text\/plain; version=/);
    const lines = (await response.text()).trimEnd().split("\n");
    const names = lines.flatMap((line) => /^# TYPE (\S+) \w+$/.exec(line)?.[1] ?? []);
    expect(names).to.include("http_request_duration_seconds");
    for (const name of names)
      expect(
        lines.some((line) => line.startsWith(`# HELP ${name} `)),
        name,
      ).to.equal(true);
    for (const line of lines) {
      expect(line).to.match(
        /^(# (HELP|TYPE) .+|[a-zA-Z_:][\w:]*(\{.*\})? (-?[\d.]+(e[+-]?\d+)?|NaN|[+-]Inf)|)$/,
      );
    }
  });
});

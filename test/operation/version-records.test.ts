import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { countAnswers, sumOf } from "../../tools/versions/answers.ts";
import { readPermissions } from "../../tools/versions/permissions.ts";

describe("the records of a run on a version of OpenSearch", () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "version-records-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  function file(lines: readonly string[]): string {
    const path = join(folder, "record.txt");
    writeFileSync(path, `${lines.join("\n")}\n`);
    return path;
  }

  it("count rejected requests and lost connections, but not questions whether something exists", () => {
    const { answers, faults } = countAnswers(
      file([
        "200 POST /similarity-chunks-read/_msearch",
        "404 HEAD /similarity-check-metrics",
        "404 DELETE /similarity-check-metrics/_doc/1",
        "404 POST /similarity-chunks-read/_search",
        "429 POST /similarity-chunks-write/_bulk",
        "429 POST /similarity-chunks-write/_bulk",
        "0 GET /",
      ]),
    );
    expect(answers).to.equal(7);
    expect(Object.fromEntries(faults)).to.deep.equal({
      "404 POST /similarity-chunks-read/_search": 1,
      "429 POST /similarity-chunks-write/_bulk": 2,
      "0 GET /": 1,
    });
    expect(sumOf(faults)).to.equal(4);
  });

  it("are empty if nothing was asked", () => {
    const { answers, faults } = countAnswers(join(folder, "missing.txt"));
    expect([answers, faults.size]).to.deep.equal([0, 0]);
  });

  it("tell which permissions a command used, and which it lacked", () => {
    const entry = (user: string, category: string, privilege: string, second: number) =>
      `[x][INFO ][audit] {"audit_cluster_name":"c",${JSON.stringify({
        audit_category: `${category}_PRIVILEGES`,
        audit_request_effective_user: user,
        audit_request_privilege: privilege,
        "@timestamp": new Date(second * 1_000).toISOString(),
      }).slice(1)}`;
    const log = file([
      "a line of another logger",
      entry("service", "GRANTED", "cluster:monitor/main", 11),
      entry("service", "GRANTED", "indices:data/read/search", 25),
      entry("verify", "GRANTED", "indices:data/read/mget", 26),
      entry("verify", "MISSING", "indices:data/read/scroll", 27),
    ]);
    const steps = [
      { step: "start", fromMs: 10_000 },
      { step: "check", fromMs: 20_000 },
    ];
    const { used, missing } = readPermissions(log, { steps, userOfService: "service" });
    expect([...used].map(([who, permissions]) => [who, ...permissions])).to.deep.equal([
      ["service: start", "cluster:monitor/main"],
      ["service: check", "indices:data/read/search"],
      ["verify", "indices:data/read/mget"],
    ]);
    expect([...missing]).to.deep.equal(["verify: indices:data/read/scroll"]);
  });
});

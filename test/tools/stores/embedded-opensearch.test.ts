import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import {
  adaptJvmOptions,
  embeddedOpenSearch,
  recordVersion,
} from "../../../tools/stores/embedded-opensearch.ts";

describe("OpenSearch's JVM options", () => {
  it("are those of the distribution, with the given heap and without files beside the program", () => {
    const shipped = [
      "## heap",
      "-Xms1g",
      "-Xmx1g",
      "11-:-XX:+UseG1GC",
      "-Djava.io.tmpdir=$" + "{OPENSEARCH_TMPDIR}",
      "-XX:+HeapDumpOnOutOfMemoryError",
      "-XX:HeapDumpPath=data",
      "-XX:ErrorFile=logs/hs_err_pid%p.log",
      "9-:-Xlog:gc*,gc+age=trace,safepoint:file=logs/gc.log:utctime,pid,tags:filecount=32,filesize=64m",
      "21-:-javaagent:agent/opensearch-agent.jar",
    ].join("\n");
    expect(adaptJvmOptions(shipped, "512m").split("\n")).to.deep.equal([
      "## heap",
      "11-:-XX:+UseG1GC",
      "-Djava.io.tmpdir=$" + "{OPENSEARCH_TMPDIR}",
      "21-:-javaagent:agent/opensearch-agent.jar",
      "-Xms512m",
      "-Xmx512m",
      "-XX:-AlwaysPreTouch",
      "",
    ]);
  });
});

describe("the data of the embedded OpenSearch", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "similarity-version-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("go on to a later version, and an earlier one refuses them in a sentence and leaves them as they are", () => {
    const store = embeddedOpenSearch({ root: folder, account: undefined }, ".");
    for (const version of ["3.8.0", "3.8.0", "3.10.1"]) recordVersion(store, version);
    expect(() => recordVersion(store, "3.9.0")).to.throw(
      /written by OpenSearch 3\.10\.1 of a newer release, and this release starts OpenSearch 3\.9\.0.*Start the newer release, or restore a backup/,
    );
    expect(readFileSync(join(folder, "version"), "utf8")).to.equal("3.10.1\n");
    recordVersion(store, "3.10.1");
  });
});

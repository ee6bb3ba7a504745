import { expect } from "chai";
import { adaptJvmOptions } from "../../../tools/stores/embedded-opensearch.ts";

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

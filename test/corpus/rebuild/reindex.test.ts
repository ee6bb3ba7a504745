import { expect } from "chai";
import { DomainError } from "../../../src/core/domain-error.ts";
import { reindex } from "../../../src/corpus/rebuild/reindex.ts";
import { connectOpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { refused, startAnswering } from "../../platform/opensearch/answering-server.ts";

const TASK = "node:7";

describe("a copy by _reindex that the security plugin refuses", () => {
  it("names the missing permission, even when the task started and its own requests were refused", async () => {
    const search = refused("indices:data/read/scroll");
    const write = refused("indices:data/write/bulk[s]");
    const failure = { index: "to", id: "1", cause: write, status: 403 };
    for (const [ended, action] of [
      [{ error: search }, "indices:data/read/scroll"],
      [{ response: { failures: [failure] } }, "indices:data/write/bulk[s]"],
    ] as const) {
      const error = await endOf(ended);
      expect(error).to.be.instanceOf(DomainError);
      expect(error)
        .to.have.property("message")
        .that.includes(`no permissions for [${action}]`)
        .and.includes("index-templates/security-role.json");
    }
  });

  it("is distinguished from one that failed, which is reported in OpenSearch's words", async () => {
    const error = await endOf({ response: { canceled: "by user request" } });
    expect(error).not.to.be.instanceOf(DomainError);
    expect(error).to.have.property("message").that.includes("by user request");
  });
});

/** What a copy throws whose task ends so. */
async function endOf(ended: Readonly<Record<string, unknown>>): Promise<unknown> {
  const server = await startAnswering(({ url }) => {
    if (url?.startsWith("/_reindex") === true) return { status: 200, body: { task: TASK } };
    if (url?.startsWith("/_tasks/") === true) return { status: 200, body: { completed: true, ...ended } };
    return { status: 200, body: { tasks: [] } };
  });
  const client = connectOpenSearch([server.url]);
  try {
    return await reindex(client, {
      from: "from",
      to: "to",
      onProgress: () => undefined,
      say: () => undefined,
    }).then(
      () => undefined,
      (error: unknown) => error,
    );
  } finally {
    await client.close();
    await server.close();
  }
}

import { expect } from "chai";
import { DomainError } from "../../../src/platform/domain-error.ts";
import {
  askOpenSearch,
  connectOpenSearch,
  type OpenSearch,
} from "../../../src/platform/opensearch/opensearch.ts";
import { type Answer, type AnsweringServer, refused, startAnswering } from "./answering-server.ts";

describe("a refusal of OpenSearch", () => {
  let answer: Answer;
  let server: AnsweringServer;
  let client: OpenSearch;

  before(async () => {
    server = await startAnswering(() => answer);
    client = connectOpenSearch([server.url]);
  });
  after(async () => {
    await client.close();
    await server.close();
  });

  async function failureOf(call: () => Promise<unknown>): Promise<unknown> {
    return askOpenSearch(call).then(
      () => expect.fail("it was let in"),
      (error: unknown) => error,
    );
  }

  it("by its roles names the missing permission and the file of the role, whatever the status", async () => {
    const action = "indices:data/write/delete/byquery";
    const partly = {
      error: { type: "search_phase_execution_exception", root_cause: [refused(action)] },
      status: 500,
    };
    for (const given of [
      { status: 403, body: { error: refused(action), status: 403 } },
      { status: 500, body: partly },
    ]) {
      answer = given;
      const error = await failureOf(() => client.info());
      expect(error).to.be.instanceOf(DomainError).with.property("code", "store_unavailable");
      expect(error).to.have.property("message").that.includes(`no permissions for [${action}]`);
      expect(error).to.have.property("message").that.includes("index-templates/security-role.json");
    }
  });

  it("without a reason, for an existence check, counts as one by its roles", async () => {
    answer = { status: 403 };
    const error = await failureOf(() => client.indices.exists({ index: "x" }));
    expect(error).to.be.instanceOf(DomainError).with.property("message").that.includes("security-role.json");
  });

  it("for another reason stays unchanged: a blocked index, or a text that mentions a refusal", async () => {
    const blocked = {
      type: "index_create_block_exception",
      reason: "blocked by: [FORBIDDEN/10/cluster create-index blocked (api)];",
    };
    const quoted = { type: "mapper_parsing_exception", reason: `value: '${JSON.stringify(refused("x"))}'` };
    for (const error of [blocked, quoted]) {
      answer = { status: 403, body: { error: { ...error, root_cause: [error] }, status: 403 } };
      expect(await failureOf(() => client.info()))
        .to.have.property("name")
        .that.equals("ResponseError");
    }
  });
});

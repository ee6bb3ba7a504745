import { expect } from "chai";
import { ConfigError } from "../../../src/platform/domain-error.ts";
import { connectOpenSearch, type OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { requireSupportedVersion } from "../../../src/platform/opensearch/supported-version.ts";
import { testStores } from "../../support/stores.ts";
import { type Answer, type AnsweringServer, refused, startAnswering } from "./answering-server.ts";

function opensearch(number: string, lucene = "9.12.1"): Answer {
  return {
    status: 200,
    body: {
      name: "node-1",
      version: { distribution: "opensearch", number, build_type: "tar", lucene_version: lucene },
      tagline: "The OpenSearch Project: https://opensearch.org/",
    },
  };
}

function elasticsearch(number: string, flavour: string): Answer {
  return {
    status: 200,
    body: {
      name: "instance-0",
      version: { number, build_flavor: flavour, build_type: "docker", lucene_version: "9.11.1" },
      tagline: "You Know, for Search",
    },
  };
}

describe("the version of OpenSearch at a start", () => {
  let answer: Answer;
  let server: AnsweringServer;
  let client: OpenSearch;
  let warnings: string[];

  before(async () => {
    server = await startAnswering(() => answer);
    client = connectOpenSearch([server.url]);
  });
  beforeEach(() => {
    warnings = [];
  });
  after(async () => {
    await client.close();
    await server.close();
  });

  function outcome(given: Answer, nodes = [server.url]): Promise<unknown> {
    answer = given;
    const log = { warn: (message: unknown) => void warnings.push(String(message)) };
    return requireSupportedVersion(client, nodes, log).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  async function expectRejected(given: Answer, message: RegExp, nodes?: string[]): Promise<void> {
    const error = await outcome(given, nodes);
    expect(error).to.be.instanceOf(ConfigError).with.property("message").that.matches(message);
  }

  it("may be 2.19 or newer, also if the cluster reports 7.10.2 for clients of Elasticsearch", async () => {
    for (const given of [
      opensearch("2.19.0"),
      opensearch("2.19.3"),
      opensearch("3.0.0", "10.1.0"),
      opensearch("3.8.0-SNAPSHOT", "10.4.0"),
      opensearch("10.0.0", "12.0.0"),
      opensearch("7.10.2", "9.12.2"),
      opensearch("7.10.2", "10.1.0"),
    ])
      expect(await outcome(given), JSON.stringify(given.body)).to.equal(undefined);
    expect(warnings).to.deep.equal([]);
  });

  it("is rejected by its number if it is older", async () => {
    await expectRejected(
      opensearch("2.18.0", "9.12.0"),
      /^There is OpenSearch 2\.18\.0 .* needs OpenSearch 2\.19/,
    );
    await expectRejected(opensearch("1.3.20", "8.10.1"), /^There is OpenSearch 1\.3\.20 /);
    await expectRejected(opensearch("7.10.2", "9.7.0"), /^There is OpenSearch with Lucene 9\.7\.0 /);
  });

  it("is rejected by its name if it is another product", async () => {
    await expectRejected(elasticsearch("8.15.0", "default"), /^There is Elasticsearch 8\.15\.0 /);
    await expectRejected(elasticsearch("7.10.2", "oss"), /^There is Elasticsearch 7\.10\.2 /);
    await expectRejected(elasticsearch("8.11.0", "serverless"), /^There is Elasticsearch Serverless /);
    await expectRejected({ status: 200, body: { status: "ok" } }, /does not say that it is OpenSearch/);
  });

  it("is not asked of a serverless collection, and its answer of 404 at another name is explained", async () => {
    for (const node of [
      "https://abc123.eu-central-1.aoss.amazonaws.com",
      "https://abc123.aoss.eu-central-1.on.aws",
    ])
      await expectRejected(opensearch("2.19.0"), /^OpenSearch Serverless is not supported/, [node]);
    await expectRejected({ status: 404 }, /status 404.*OpenSearch Serverless/);
  });

  it("is not checked, with a warning, if the user may not ask", async () => {
    const action = "cluster:monitor/main";
    expect(await outcome({ status: 403, body: { error: refused(action), status: 403 } })).to.equal(undefined);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include(action);
  });

  it("of the test's own server is supported", async function () {
    this.timeout(300_000);
    const { opensearchNodes } = await testStores();
    const own = connectOpenSearch(opensearchNodes);
    try {
      await requireSupportedVersion(own, opensearchNodes, {
        warn: (message: unknown) => expect.fail(String(message)),
      });
    } finally {
      await own.close();
    }
  });
});

import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { openSearchAccess } from "../../../src/platform/opensearch/access.ts";
import {
  askOpenSearch,
  connectOpenSearch,
  rethrowRefused,
} from "../../../src/platform/opensearch/opensearch.ts";
import type { EngineClient } from "../../support/client.ts";
import { FaultProxy } from "../../support/faults/fault-proxy.ts";
import { childEnvironment } from "../../support/processes/child-environment.ts";
import { ServiceProcess } from "../../support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../../support/stores.ts";
import { prose } from "../../support/work/prose.ts";
import { type AwsKey, requireSignature, signatureFault } from "./sigv4-verifier.ts";

const VERIFY_SCRIPT = fileURLToPath(new URL("../../../scripts/corpus/verify.ts", import.meta.url));

const REGION = "eu-central-1";
const KEY: AwsKey = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};

describe("OpenSearch that asks for AWS signatures", function () {
  this.timeout(240_000);
  let gateway: FaultProxy;
  let keys: readonly AwsKey[];
  const refusals: string[] = [];
  const seen: AwsKey["accessKeyId"][] = [];

  before(async () => {
    const { opensearchNodes } = await testStores();
    gateway = await FaultProxy.open(opensearchNodes[0] ?? "");
    const verify = requireSignature(
      () => ({ region: REGION, service: "es", keys }),
      (reason) => refusals.push(reason),
    );
    gateway.set({
      on: /./,
      act: (exchange) => {
        seen.push(/Credential=([^/]+)/.exec(String(exchange.asked.headers.authorization))?.[1] ?? "none");
        return verify(exchange);
      },
    });
  });
  beforeEach(() => {
    keys = [KEY];
    refusals.length = 0;
    seen.length = 0;
  });
  after(() => gateway?.close());

  async function connectAs({ accessKeyId, secretAccessKey }: AwsKey, region = REGION) {
    const credentials = async () => ({ accessKeyId, secretAccessKey });
    return connectOpenSearch([gateway.url], { sigv4: { region, credentials } });
  }

  /** What a start says. Callers of the API are told neither the account nor the role. */
  async function failureOf(key: AwsKey, region?: string): Promise<string> {
    const client = await connectAs(key, region);
    try {
      const error = await askOpenSearch(() => client.info()).then(
        () => expect.fail("it was let in"),
        (thrown: unknown) => thrown,
      );
      expect(error)
        .to.have.property("message")
        .that.equals("OpenSearch, or a gateway before it, refuses access; the log says why.");
      return messageOf(() => rethrowRefused(error));
    } finally {
      await client.close();
    }
  }

  function messageOf(call: () => never): string {
    try {
      return call();
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  }

  it("takes requests with any path, query and body that the client signs", async () => {
    const client = await connectAs(KEY);
    const index = `${freshPrefix()}signed`;
    try {
      await client.indices.create({ index });
      for (const id of ["1", "a b", "é/ü?&=#", "100%", "(a)*!'~", "試験"]) {
        await client.index({ index, id, routing: "x y", body: { title: `“${id}” — ä` }, refresh: true });
        expect((await client.get({ index, id, routing: "x y" })).body._source.title).to.include(id);
      }
      const { body } = await client.search({
        index: [index, `${index}*`],
        q: "title:*",
        filter_path: "hits.total,hits.hits._id",
        body: { size: 3, query: { match_all: {} } },
      });
      expect(body.hits.total).to.have.property("value", 6);
      expect((await client.indices.exists({ index })).body).to.equal(true);
      expect(refusals).to.deep.equal([]);
    } finally {
      await client.indices.delete({ index });
      await client.close();
    }
  });

  it("refuses a wrong secret, key or region, and the message says what to check", async () => {
    const wrong = { ...KEY, secretAccessKey: "wrong" };
    expect(await failureOf(wrong)).to.match(/signature we calculated does not match.*OPENSEARCH_REGION/);
    expect(await failureOf({ ...KEY, accessKeyId: "OTHER" })).to.include("security token");
    expect(await failureOf(KEY, "us-east-1")).to.include("us-east-1/es");
    expect(refusals).to.have.lengthOf(3);
  });

  it("refuses a request that was changed on its way, or is too old", async () => {
    const signed: Parameters<typeof signatureFault>[0][] = [];
    const recorder = await FaultProxy.open(gateway.url);
    recorder.set({
      on: /./,
      act: ({ asked, body, answer }) => {
        signed.push({ asked, body });
        answer.writeHead(200, { "content-type": "application/json" }).end("{}");
      },
    });
    const credentials = async () => KEY;
    const client = connectOpenSearch([recorder.url], { sigv4: { region: REGION, credentials } });
    await client.search({ index: "any", body: { query: { match_all: {} } } });
    await client.close();
    await recorder.close();
    const [one] = signed;
    if (one === undefined) throw new Error("nothing was recorded");
    const expected = { region: REGION, service: "es", keys: [KEY] };
    expect(signatureFault(one, expected)).to.equal(undefined);
    expect(signatureFault({ ...one, body: Buffer.from(`${one.body} `) }, expected)).to.match(/body/);
    expect(signatureFault(one, expected, Date.now() + 6 * 60_000)).to.equal("Signature expired");
    one.asked.url = `${one.asked.url}&size=1000`;
    expect(signatureFault(one, expected)).to.match(/does not match/);
  });

  describe("with a role that its pod is given", () => {
    let issued: AwsKey[];
    let server: Server;
    let lifetimeMs: number;
    const environmentBefore = { ...process.env };

    before(async () => {
      server = createServer((request, response) => {
        const isAllowed = request.headers.authorization === "pod-token";
        const key = {
          accessKeyId: `ASIA${issued.length}`,
          secretAccessKey: `secret ${issued.length}`,
          sessionToken: `session+${issued.length}/=`,
        };
        issued.push(key);
        // As with AWS, the earlier ones stay valid until they expire: the chain renews beside requests that still use them.
        keys = issued;
        const answer = {
          AccessKeyId: key.accessKeyId,
          SecretAccessKey: key.secretAccessKey,
          Token: key.sessionToken,
          Expiration: new Date(Date.now() + lifetimeMs).toISOString(),
        };
        response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json" });
        response.end(JSON.stringify(isAllowed ? answer : {}));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) delete process.env[name];
      process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI = `http://127.0.0.1:${port}/v1/credentials`;
      process.env.AWS_CONTAINER_AUTHORIZATION_TOKEN = "pod-token";
      process.env.AWS_EC2_METADATA_DISABLED = "true";
    });
    beforeEach(() => {
      issued = [];
      lifetimeMs = 3_600_000;
    });
    after(() => {
      process.env = environmentBefore;
      server.close();
      server.closeAllConnections();
    });

    function connectByRole() {
      return connectOpenSearch([gateway.url], openSearchAccess({ opensearchRegion: REGION }));
    }

    it("asks for credentials once, and signs with them and their session", async () => {
      const client = connectByRole();
      for (let at = 0; at < 3; at += 1) await client.info();
      await client.close();
      expect(issued).to.have.lengthOf(1);
      expect(seen).to.deep.equal(["ASIA0", "ASIA0", "ASIA0"]);
      expect(refusals).to.deep.equal([]);
    });

    it("renews credentials before they expire", async () => {
      // Less than the time-out of a request, so that every request asks whether there are newer ones.
      lifetimeMs = 20_000;
      const client = connectByRole();
      for (let at = 0; at < 4; at += 1) await client.info();
      await client.close();
      expect(issued.length).to.be.at.least(2);
      expect(new Set(seen).size).to.be.at.least(2);
      expect(refusals).to.deep.equal([]);
    });

    it("says that there are no credentials, and works once there are", async () => {
      process.env.AWS_CONTAINER_AUTHORIZATION_TOKEN = "wrong";
      const client = connectByRole();
      const error = await askOpenSearch(() => client.info()).catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: "store_unavailable" });
      expect(messageOf(() => rethrowRefused(error))).to.include("There are no AWS credentials");
      expect(seen).to.deep.equal([]);
      process.env.AWS_CONTAINER_AUTHORIZATION_TOKEN = "pod-token";
      expect((await client.info()).statusCode).to.equal(200);
      await client.close();
    });
  });

  it("serves a whole service and its commands: it takes a document, checks find it, and both stores agree", async () => {
    const environment = {
      DATABASE_URL: await freshDatabase(),
      OPENSEARCH_URL: gateway.url,
      OPENSEARCH_INDEX_PREFIX: freshPrefix(),
      OPENSEARCH_REGION: REGION,
      AWS_ACCESS_KEY_ID: KEY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEY.secretAccessKey,
      AWS_EC2_METADATA_DISABLED: "true",
      SEMANTIC: "off",
      LOG_LEVEL: "debug",
    };
    const service = await ServiceProcess.start(environment);
    try {
      const client: EngineClient = service.client;
      const text = prose(961, 300);
      await client.addDocument("source.txt", text);
      const report = await client.checked(text);
      expect(report.coverage).to.equal("full");
      expect(report.overall_similarity_pct).to.equal(100);
      const env = childEnvironment({ ...environment, LOG_LEVEL: "silent" });
      const { stdout } = await promisify(execFile)(process.execPath, [VERIFY_SCRIPT], { env });
      expect(stdout).to.match(/They agree\.\n$/);
      expect(refusals).to.deep.equal([]);
      expect(service.output.join("\n")).not.to.include(KEY.secretAccessKey);
    } finally {
      await service.end("SIGTERM");
    }
  });
});

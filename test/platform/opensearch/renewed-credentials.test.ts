import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { expect } from "chai";
import { readConfig } from "../../../src/platform/config.ts";
import { ConfigError } from "../../../src/platform/domain-error.ts";
import { openSearchAccess } from "../../../src/platform/opensearch/access.ts";
import { askOpenSearch, connectOpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { EngineClient } from "../../support/client.ts";
import { answerWith, FaultProxy, passOn } from "../../support/faults/fault-proxy.ts";
import { startTestService } from "../../support/service.ts";
import { testStores } from "../../support/stores.ts";
import { prose } from "../../support/work/prose.ts";

const folder = mkdtempSync(join(tmpdir(), "opensearch-credentials-"));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function accessOf(environment: Readonly<Record<string, string>>) {
  const config = readConfig(environment);
  return openSearchAccess({ ...config, opensearchNodes: config.opensearchUrls ?? [] });
}

function refusal(environment: Readonly<Record<string, string>>): string {
  try {
    accessOf(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return expect.fail("taken");
}

async function failureOf(call: () => Promise<unknown>): Promise<string> {
  const error = await askOpenSearch(call).then(
    () => expect.fail("it was let in"),
    (thrown: unknown) => thrown,
  );
  expect(error).to.include({ code: "store_unavailable" });
  return error instanceof Error ? error.message : "";
}

describe("OpenSearch that asks for a bearer token", function () {
  this.timeout(240_000);
  let gateway: FaultProxy;
  let token: string;

  before(async () => {
    const { opensearchNodes } = await testStores();
    gateway = await FaultProxy.open(opensearchNodes[0] ?? "");
    gateway.set({
      on: /./,
      act: (exchange) =>
        exchange.asked.headers.authorization === `Bearer ${token}`
          ? passOn(exchange)
          : answerWith(401, "Unauthorized")(exchange),
    });
  });
  after(() => gateway?.close());

  it("serves a whole service with the token of a file", async () => {
    token = "eyJhbGciOi.setting_-";
    const service = await startTestService({
      opensearchNodes: [gateway.url],
      opensearchTokenFile: file("setting", token),
    });
    try {
      const client = new EngineClient(service.base);
      const text = prose(962, 200);
      await client.addDocument("source.txt", text);
      expect((await client.checked(text)).overall_similarity_pct).to.equal(100);
    } finally {
      await service.stop();
    }
  });

  it("gets the token that the file holds at the moment", async () => {
    const path = file("token", "first\n");
    const access = openSearchAccess({ opensearchTokenFile: path });
    const client = connectOpenSearch([gateway.url], access);
    try {
      token = "first";
      await client.info();
      token = "renewed";
      expect(await failureOf(() => client.info())).to.match(/401.*OPENSEARCH_TOKEN_FILE, the token/);
      writeFileSync(path, "renewed\n");
      await client.info();
      rmSync(path);
      expect(await failureOf(() => client.info())).to.match(/refuses access; the log says why/);
      writeFileSync(path, "renewed");
      await client.info();
    } finally {
      await client.close();
    }
  });

  it("is not asked with settings that contradict each other or lack something", () => {
    const bearer = { OPENSEARCH_TOKEN_FILE: file("one", "hush") };
    const user = { OPENSEARCH_USERNAME: "me", OPENSEARCH_PASSWORD: "secret" };
    const userInUrl = { OPENSEARCH_URL: "https://me:secret@a.example:9200" };
    for (const more of [user, userInUrl, { OPENSEARCH_REGION: "eu-west-1" }]) {
      const message = refusal({ ...bearer, ...more });
      expect(message).to.match(/only one of these: OPENSEARCH_TOKEN_FILE; (a user|OPENSEARCH_REGION)/);
      expect(message).not.to.match(/hush|secret/);
      if (more !== user && more !== userInUrl) continue;
      expect(refusal({ OPENSEARCH_REGION: "eu-west-1", ...more })).to.match(/OPENSEARCH_REGION; a user/);
    }
    expect(refusal({ OPENSEARCH_TOKEN_FILE: join(folder, "none") })).to.match(/ENOENT/);
    expect(refusal({ OPENSEARCH_TOKEN_FILE: file("two", "a b") })).to.match(/one token/);
    expect(accessOf({ AWS_REGION: "eu-west-1" }), "set for another program").to.deep.equal({});
    expect(accessOf({ OPENSEARCH_REGION: "eu-west-1" }).sigv4?.region).to.equal("eu-west-1");
  });
});

describe("OpenSearch that asks for a client certificate", function () {
  this.timeout(240_000);
  let plain: FaultProxy;
  let server: Server;
  let url: string;
  /** The subjects of the certificates by which requests came. */
  const subjects: string[] = [];

  before(async () => {
    for (const authority of ["ca", "stranger"]) makeAuthority(authority);
    makeCertificate("node", "ca", "IP:127.0.0.1");
    for (const name of ["service-1", "service-2"]) makeCertificate(name, "ca");
    makeCertificate("intruder", "stranger");
    const { opensearchNodes } = await testStores();
    plain = await FaultProxy.open(opensearchNodes[0] ?? "");
    const options = { cert: pem("node.pem"), key: pem("node.key"), ca: pem("ca.pem") };
    server = createServer({ ...options, requestCert: true, rejectUnauthorized: true }, (asked, answer) => {
      if (asked.socket instanceof TLSSocket)
        subjects.push(String(asked.socket.getPeerCertificate().subject?.CN));
      void fetch(`${plain.url}${asked.url}`, { headers: { "accept-encoding": "identity" } }).then(
        async (response) => {
          answer.writeHead(response.status, { "content-type": response.headers.get("content-type") ?? "" });
          // The connection ends, so that each request is a handshake.
          answer.end(await response.text());
        },
      );
    });
    server.keepAliveTimeout = 1;
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    url = `https://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  });
  after(async () => {
    server?.close();
    server?.closeAllConnections();
    await plain?.close();
  });

  function settings(name: string, more: Readonly<Record<string, string>> = {}) {
    return {
      OPENSEARCH_URL: url,
      OPENSEARCH_CA: join(folder, "ca.pem"),
      OPENSEARCH_CLIENT_CERT: join(folder, `${name}.pem`),
      OPENSEARCH_CLIENT_KEY: join(folder, `${name}.key`),
      ...more,
    };
  }

  it("lets in the certificate of its authority, and the renewed one from then on", async () => {
    for (const end of ["pem", "key"]) writeFileSync(join(folder, `current.${end}`), pem(`service-1.${end}`));
    const client = connectOpenSearch([url], accessOf(settings("current")));
    try {
      expect((await client.info()).body.version.number).to.match(/^\d/);
      for (const end of ["pem", "key"])
        writeFileSync(join(folder, `current.${end}`), pem(`service-2.${end}`));
      server.closeAllConnections();
      await client.info();
      expect(subjects).to.deep.equal(["service-1", "service-2"]);
      rmSync(join(folder, "current.pem"));
      server.closeAllConnections();
      expect(await failureOf(() => client.info())).to.match(/OPENSEARCH_CLIENT_CERT.*ENOENT/);
      writeFileSync(join(folder, "current.pem"), pem("service-2.pem"));
      await client.info();
    } finally {
      await client.close();
    }
  });

  it("refuses a client without a certificate, and the message names the settings", async () => {
    const { OPENSEARCH_CLIENT_CERT: _, OPENSEARCH_CLIENT_KEY: __, ...without } = settings("none");
    await refusesClient(without, /alert certificate required.*OPENSEARCH_CLIENT_CERT/);
  });

  it("refuses a certificate of another authority", async () => {
    // This server ends the connection without saying why.
    await refusesClient(settings("intruder"), /OpenSearch does not answer/);
  });

  async function refusesClient(given: Readonly<Record<string, string>>, says: RegExp): Promise<void> {
    subjects.length = 0;
    const client = connectOpenSearch([url], accessOf(given));
    try {
      expect(await failureOf(() => client.info())).to.match(says);
      expect(subjects).to.deep.equal([]);
    } finally {
      await client.close();
    }
  }

  it("is not asked with half of the settings, or files that do not fit together", () => {
    const { OPENSEARCH_CLIENT_KEY: _, ...half } = settings("service-1");
    expect(refusal(half)).to.match(/OPENSEARCH_CLIENT_CERT is set and OPENSEARCH_CLIENT_KEY is not/);
    const mixed = { ...settings("service-1"), OPENSEARCH_CLIENT_KEY: join(folder, "service-2.key") };
    expect(refusal(mixed)).to.match(/OPENSEARCH_CLIENT_KEY is not the key of the certificate/);
    const swapped = { ...settings("service-1"), OPENSEARCH_CLIENT_CERT: join(folder, "service-1.key") };
    expect(refusal(swapped)).to.match(/OPENSEARCH_CLIENT_CERT.*not a PEM file with a certificate/);
    const noKey = { ...settings("service-1"), OPENSEARCH_CLIENT_KEY: join(folder, "service-1.pem") };
    expect(refusal(noKey)).to.match(/OPENSEARCH_CLIENT_KEY.*unencrypted private key/);
    const overHttp = { ...settings("service-1"), OPENSEARCH_URL: "http://a.example:9200" };
    expect(refusal(overHttp)).to.match(/must begin with https/);
  });
});

function pem(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

function openssl(...args: string[]): void {
  execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

function makeAuthority(name: string): void {
  const output = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
  openssl("req", "-x509", ...NEW_KEY, "-days", "2", "-subj", `/CN=${name}`, ...output);
}

function makeCertificate(name: string, authority: string, subjectAltName = `DNS:${name}`): void {
  openssl("req", ...NEW_KEY, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
  file("names.cnf", `subjectAltName=${subjectAltName}\n`);
  const signing = ["-CA", `${authority}.pem`, "-CAkey", `${authority}.key`, "-set_serial", "1", "-days", "2"];
  openssl("x509", "-req", "-in", `${name}.csr`, ...signing, "-extfile", "names.cnf", "-out", `${name}.pem`);
}

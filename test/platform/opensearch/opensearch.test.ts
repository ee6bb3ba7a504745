import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { expect } from "chai";
import { ChunkIndex } from "../../../src/corpus/index/chunk-index.ts";
import { readConfig } from "../../../src/platform/config.ts";
import { ConfigError, DomainError } from "../../../src/platform/domain-error.ts";
import { type OpenSearchAccess, openSearchAccess } from "../../../src/platform/opensearch/access.ts";
import {
  askOpenSearch,
  connectOpenSearch,
  type OpenSearch,
} from "../../../src/platform/opensearch/opensearch.ts";
import { freshPrefix, testStores } from "../../support/stores.ts";
import { PASSWORD, SecuredOpenSearch, USERNAME } from "./secured-opensearch.ts";

describe("OpenSearch behind TLS and basic authentication", () => {
  let secured: SecuredOpenSearch;
  let access: Required<Pick<OpenSearchAccess, "username" | "password" | "ca">>;
  const clients: OpenSearch[] = [];

  before(async function () {
    this.timeout(240_000);
    secured = await SecuredOpenSearch.open();
    access = { username: USERNAME, password: PASSWORD, ca: readFileSync(secured.caFile, "utf8") };
  });
  after(async () => {
    for (const client of clients) await client.close();
    await secured.close();
  });

  it("creates, writes and reads the index, given its authority, user and password", async () => {
    const client = connect(secured.url, access);
    const prefix = freshPrefix();
    const index = new ChunkIndex(client, prefix, () => undefined);
    await index.putTemplates();
    await index.createFirst();
    expect(await index.isPresent()).to.equal(true);
    await client.index({
      index: `${prefix}chunks-write`,
      id: "1",
      routing: "1",
      body: { document_id: "1" },
      refresh: true,
    });
    expect(await index.search([["nothing"]], 5, 1_000)).to.deep.equal([{ hits: [], complete: true }]);
    const { body } = await client.count({ index: `${prefix}chunks-read` });
    expect(body.count).to.equal(1);
  });

  it("prefers the user and the password in the URL", async () => {
    const url = new URL(secured.url);
    url.username = USERNAME;
    url.password = encodeURIComponent(PASSWORD);
    for (const given of [{ ca: access.ca }, { ca: access.ca, username: "someone", password: "else" }]) {
      const { body } = await connect(url.href, given).info();
      expect(body.version.number).to.match(/^\d/);
    }
  });

  it("reports a wrong or missing password at the start, after one request", async () => {
    for (const given of [{ ...access, password: "wrong" }, { ca: access.ca }]) {
      const before = secured.requests;
      const message = await refusedStart(secured.url, given);
      expect(message).to.include("OPENSEARCH_PASSWORD").and.to.include("401");
      expect(message).not.to.include("wrong");
      expect(secured.requests - before).to.equal(1);
    }
  });

  it("reports a certificate of an unknown authority at the start", async () => {
    const { ca: _, ...noAuthority } = access;
    for (const given of [noAuthority, { ...access, ca: readFileSync(secured.otherCaFile, "utf8") }]) {
      const before = secured.requests;
      expect(await refusedStart(secured.url, given))
        .to.include("OPENSEARCH_CA")
        .and.to.match(/certificate/);
      expect(secured.requests, "no user or password is sent to a server that is not trusted").to.equal(
        before,
      );
    }
  });

  it("reports a certificate for another name at the start", async () => {
    const elsewhere = await SecuredOpenSearch.open("DNS:opensearch.example");
    try {
      const given = { ...access, ca: readFileSync(elsewhere.caFile, "utf8") };
      const message = await refusedStart(elsewhere.url, given);
      expect(message)
        .to.include("OPENSEARCH_URL")
        .and.to.match(/another name/);
    } finally {
      await elsewhere.close();
    }
  });

  it("reports an address without TLS at the start", async () => {
    const url = (await plainNode()).replace("http:", "https:");
    expect(await refusedStart(url, access)).to.include("http://");
  });

  it("counts as unavailable, with the reason, when it refuses a running service", async () => {
    const client = connect(secured.url, { ...access, password: "changed" });
    const error = await askOpenSearch(() => client.info()).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(DomainError).and.to.include({ code: "store_unavailable" });
    expect(error).to.have.property("message").that.includes("401");
  });

  it("ignores an unneeded authority and user over plain HTTP", async () => {
    for (const given of [undefined, access]) {
      const { body } = await connect(await plainNode(), given).info();
      expect(body.version.number).to.match(/^\d/);
    }
  });

  function connect(url: string, given: OpenSearchAccess | undefined): OpenSearch {
    const client = connectOpenSearch([url], given);
    clients.push(client);
    return client;
  }

  async function refusedStart(url: string, given: OpenSearchAccess): Promise<string> {
    const index = new ChunkIndex(connect(url, given), "similaritytest-refused-", () => undefined);
    try {
      await index.putTemplates();
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return expect.fail("it was let in");
  }
});

async function plainNode(): Promise<string> {
  const { opensearchNodes } = await testStores();
  return opensearchNodes[0] ?? "";
}

describe("the settings of access to OpenSearch", () => {
  const folder = mkdtempSync(join(tmpdir(), "opensearch-access-"));
  after(() => rmSync(folder, { recursive: true }));
  const [first = "", second = ""] = rootCertificates;

  it("are empty by default", () => {
    expect(access({})).to.deep.equal({});
  });

  it("are a user with a password, and the authorities of a PEM file", () => {
    const text = `An intermediate and a root\n${first}\n${second}\n`;
    const file = fileWith("bundle.pem", text);
    expect(
      access({ OPENSEARCH_USERNAME: "me", OPENSEARCH_PASSWORD: "s:%@", OPENSEARCH_CA: file }),
    ).to.deep.equal({ username: "me", password: "s:%@", ca: text });
  });

  it("reject a user without a password, and the reverse", () => {
    expect(refusal({ OPENSEARCH_USERNAME: "me" })).to.match(
      /OPENSEARCH_USERNAME is set.*OPENSEARCH_PASSWORD is not/,
    );
    const message = refusal({ OPENSEARCH_PASSWORD: "secret" });
    expect(message).to.match(/OPENSEARCH_PASSWORD is set.*OPENSEARCH_USERNAME is not/);
    expect(message).not.to.include("secret");
  });

  it("reject a missing file or a folder, naming the file and the setting", () => {
    for (const path of [join(folder, "none.pem"), folder]) {
      expect(refusal({ OPENSEARCH_CA: path }))
        .to.include("OPENSEARCH_CA")
        .and.to.match(/ENOENT|EISDIR/);
    }
  });

  it("reject a file without a certificate or with a damaged one", () => {
    const damaged = first.replace(/^[^-\n]{20}/m, "AAAAAAAAAAAAAAAAAAAA");
    const key = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n";
    for (const [name, text] of Object.entries({
      "empty.pem": "",
      "ca.der": "\u0030\u0082\u0001",
      "key.pem": key,
      "damaged.pem": damaged,
      "half.pem": `${first}\n${damaged}`,
    })) {
      expect(refusal({ OPENSEARCH_CA: fileWith(name, text) }), name)
        .to.include("OPENSEARCH_CA")
        .and.to.include(name);
    }
  });

  function fileWith(name: string, text: string): string {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  }
});

function access(environment: Readonly<Record<string, string>>): OpenSearchAccess {
  return openSearchAccess(readConfig(environment));
}

function refusal(environment: Readonly<Record<string, string>>): string {
  try {
    access(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return expect.fail("taken");
}

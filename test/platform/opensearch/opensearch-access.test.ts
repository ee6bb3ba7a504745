import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { expect } from "chai";
import { ConfigError, readConfig } from "../../../src/platform/config.ts";
import { type OpenSearchAccess, openSearchAccess } from "../../../src/platform/opensearch/opensearch.ts";

describe("the settings of access to OpenSearch", () => {
  const folder = mkdtempSync(join(tmpdir(), "opensearch-access-"));
  after(() => rmSync(folder, { recursive: true }));
  const [first = "", second = ""] = rootCertificates;

  it("are none unless they are set", () => {
    expect(access({})).to.deep.equal({});
  });

  it("are a user with a password, and the authorities of a PEM file", () => {
    const text = `An intermediate and a root\n${first}\n${second}\n`;
    const file = fileWith("bundle.pem", text);
    expect(
      access({ OPENSEARCH_USERNAME: "me", OPENSEARCH_PASSWORD: "s:%@", OPENSEARCH_CA: file }),
    ).to.deep.equal({ username: "me", password: "s:%@", ca: text });
  });

  it("a user without a password is refused, and the reverse", () => {
    expect(refusal({ OPENSEARCH_USERNAME: "me" })).to.match(
      /OPENSEARCH_USERNAME is set.*OPENSEARCH_PASSWORD is not/,
    );
    const message = refusal({ OPENSEARCH_PASSWORD: "secret" });
    expect(message).to.match(/OPENSEARCH_PASSWORD is set.*OPENSEARCH_USERNAME is not/);
    expect(message).not.to.include("secret");
  });

  it("a file that is not there, or is a folder, is refused with its name and the setting's", () => {
    for (const path of [join(folder, "none.pem"), folder]) {
      expect(refusal({ OPENSEARCH_CA: path }))
        .to.include("OPENSEARCH_CA")
        .and.to.match(/ENOENT|EISDIR/);
    }
  });

  it("a file without a certificate, or with a damaged one, is refused", () => {
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

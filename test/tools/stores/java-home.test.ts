import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { byPreference, findJavaHome, javaMajor, OPENSEARCH_2_JAVA } from "../../../tools/stores/java-home.ts";

describe("the Java that OpenSearch runs on", () => {
  let folder = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "java-home-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  it("has the major version in its release file", () => {
    expect(javaMajor('IMPLEMENTOR="X"\nJAVA_VERSION="25.0.3"\n')).to.equal(25);
    expect(javaMajor('JAVA_VERSION="21"')).to.equal(21);
    expect(javaMajor('JAVA_VERSION="1.8.0_292"')).to.equal(8);
    expect(javaMajor('JAVA_VERSION="26-ea"\nJAVA_VERSION_DATE="2026-03-01"')).to.equal(26);
    expect(javaMajor('JAVA_RUNTIME_VERSION="17.0.15+6"')).to.equal(undefined);
  });

  it("is the newest supported one, and a newer one only if there is no other", () => {
    const homes = [27, 21, 25, 26].map((major) => ({ home: `/jdk-${major}`, major }));
    expect(byPreference(homes).map(({ major }) => major)).to.deep.equal([25, 21, 26, 27]);
  });

  it("is that of OPENSEARCH_JAVA_HOME, then of JAVA_HOME, unless it is too old", () => {
    const old = fakeHome("old", "17.0.1");
    const first = fakeHome("first", "21.0.2");
    const second = fakeHome("second", "24");
    const found = (env: NodeJS.ProcessEnv) => findJavaHome(env, (home) => home.startsWith(folder)).home;
    expect(found({ OPENSEARCH_JAVA_HOME: first, JAVA_HOME: second })).to.equal(first);
    expect(found({ JAVA_HOME: second })).to.equal(second);
    expect(found({ OPENSEARCH_JAVA_HOME: old, JAVA_HOME: second })).to.equal(second);
    expect(found({ PATH: join(first, "bin") })).to.equal(first);
  });

  it("for OpenSearch 2 is neither too old nor too new", () => {
    const [fit, newer] = [fakeHome("fit", "17.0.15"), fakeHome("newer", "25.0.1")];
    const env = { OPENSEARCH_JAVA_HOME: newer, JAVA_HOME: fit };
    expect(findJavaHome(env, () => true, OPENSEARCH_2_JAVA).home).to.equal(fit);
    expect(() => findJavaHome({ JAVA_HOME: newer }, () => false, OPENSEARCH_2_JAVA)).to.throw(
      /needs Java 11 to 23: found .*Java 25 in .*newer/,
    );
  });

  it("is requested in one message that lists the homes that were found", () => {
    const old = fakeHome("old", "17.0.1");
    expect(() => findJavaHome({ JAVA_HOME: old }, () => false)).to.throw(
      /needs Java 21 or newer: found .*Java 17 in .*old.*OPENSEARCH_JAVA_HOME/,
    );
  });

  function fakeHome(name: string, version: string): string {
    const home = join(folder, name);
    mkdirSync(join(home, "bin"), { recursive: true });
    writeFileSync(join(home, "release"), `JAVA_VERSION="${version}"\n`);
    writeFileSync(join(home, "bin", "java"), "#!/bin/sh\n");
    chmodSync(join(home, "bin", "java"), 0o755);
    return home;
  }
});

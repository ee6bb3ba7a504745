import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { freePort } from "../../core-api/use-core-api.ts";
import { PASSWORD, SecuredOpenSearch, USERNAME } from "../../platform/opensearch/secured-opensearch.ts";
import { childEnvironment } from "../../support/processes/child-environment.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** In place of npm: the launcher has come to the packages. */
const NPM = "process.stderr.write('npm runs'); process.exitCode = 1;";

/** Goes on until the launcher has ended. */
const LONG_NPM =
  "process.stderr.write('npm runs'); const { ppid } = process; setInterval(() => process.ppid === ppid || process.exit(), 100);";

describe("the first start, before any package is installed", function () {
  this.timeout(240_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "first-start-"));
    for (const path of ["scripts", "tools/launch", "package.json", "package-lock.json"])
      await cp(join(ROOT, path), join(folder, path), { recursive: true });
    await writeFile(join(folder, "npm.js"), `import process from "node:process"; ${NPM}`);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  function launch(settings: Readonly<Record<string, string>>) {
    const npm_execpath = join(folder, "npm.js");
    return spawn(process.execPath, [join(folder, "scripts", "launch.mjs"), "start"], {
      env: childEnvironment({ ENGINE_PORT: "0", STATISTICS_PORT: "0", npm_execpath, ...settings }),
      stdio: ["ignore", "ignore", "pipe"],
    });
  }

  async function said(settings: Readonly<Record<string, string>>): Promise<string> {
    const child = launch(settings);
    const [output] = await Promise.all([text(child.stderr), once(child, "exit")]);
    return output;
  }

  it("reports wrong settings, taken ports and stores that do not answer", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const taken = typeof address === "object" ? String(address?.port) : "";
    const faults = [
      [{ ENGINE_PORT: taken }, /^Port \d+ on 127\.0\.0\.1 is already in use/],
      [
        { ENGINE_PORT: "18080", METRICS_PORT: "18080" },
        /^METRICS_PORT: must not be the same as ENGINE_PORT$/m,
      ],
      [{ ENGINE_PORT: "http" }, /^ENGINE_PORT: must be a whole number/],
      [{ SEMANTIC: "yes" }, /^SEMANTIC: must be on or off$/m],
      [
        { DATABASE_URL: "mysql://a:secret@127.0.0.1/x" },
        /^DATABASE_URL: must be a URL that starts with postgres:/,
      ],
      [
        { DATABASE_URL: "postgres://a:secret@127.0.0.1:1/x" },
        /^DATABASE_URL: nothing answers at 127\.0\.0\.1:1\./,
      ],
      [{ OPENSEARCH_URL: "http://127.0.0.1:1,http://[::1]:1" }, /^OPENSEARCH_URL: nothing answers at/],
    ] as const;
    for (const [settings, message] of faults) {
      const output = await said(settings);
      expect(output)
        .to.match(message)
        .and.not.match(/npm runs|secret/);
    }
    const answering = `http://127.0.0.1:1,http://127.0.0.1:${taken}`;
    expect(await said({ OPENSEARCH_URL: answering, SAMPLE_CORPUS: " off " })).to.match(/npm runs/);
    expect(await said({ ROLES: "statistics", DATABASE_URL: "mysql://x" })).to.match(/npm runs/);
    server.close();
  });

  it("reports a user or a password that OpenSearch rejects, and asks no server that is not trusted", async () => {
    const secured = await SecuredOpenSearch.open();
    try {
      const right = { OPENSEARCH_USERNAME: USERNAME, OPENSEARCH_PASSWORD: PASSWORD };
      const at = { OPENSEARCH_URL: secured.url, OPENSEARCH_CA: secured.caFile };
      const withUser = new URL(secured.url);
      withUser.username = USERNAME;
      withUser.password = "wrong-secret";
      for (const settings of [
        at,
        { ...at, ...right, OPENSEARCH_PASSWORD: "secret" },
        { ...at, OPENSEARCH_URL: `${withUser}` },
      ])
        expect(await said(settings))
          .to.match(/^OPENSEARCH_URL: OpenSearch rejects the user or the password \(HTTP status 401\)/m)
          .and.not.match(/npm runs|secret/);
      withUser.password = encodeURIComponent(PASSWORD);
      expect(await said({ ...at, OPENSEARCH_URL: `${withUser}` })).to.match(/^npm runs|\nnpm runs/);
      const before = secured.requests;
      expect(await said({ ...at, ...right })).to.include("npm runs");
      expect(secured.requests - before).to.equal(1);
      expect(await said({ ...at, OPENSEARCH_TOKEN_FILE: "/nowhere" })).to.include("npm runs");
      expect(await said({ ...right, OPENSEARCH_URL: secured.url })).to.include("npm runs");
      expect(secured.requests - before, "after the one with the authority").to.equal(1);
    } finally {
      await secured.close();
    }
  });

  it("is the only one on its ports: a second one says so at once, and none is in the way after a kill", async () => {
    const port = String(await freePort());
    const settings = { ENGINE_PORT: port, TMPDIR: folder };
    await writeFile(join(folder, "npm.js"), LONG_NPM);
    try {
      const first = launch(settings);
      await once(first.stderr, "data");
      const refused = await Promise.all([said(settings), said(settings)]);
      const told = `Similarity Check is already starting or running on port ${port} of 127.0.0.1 (process ${first.pid}).`;
      for (const output of refused)
        expect(output)
          .to.match(/^[^\n]+\n$/)
          .and.include(told);
      first.kill("SIGKILL");
      await once(first, "exit");
    } finally {
      await writeFile(join(folder, "npm.js"), `import process from "node:process"; ${NPM}`);
    }
    expect(await said(settings)).to.include("npm runs");
    expect(await said(settings)).to.include("npm runs");
  });
});

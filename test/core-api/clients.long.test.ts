import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../src/platform/postgres/database.ts";
import type { ServiceOptions } from "../../src/service/wire.ts";
import { StoreLink } from "../support/faults/store-link.ts";
import { freshDatabase, testStores } from "../support/stores.ts";
import { useCoreApi } from "./use-core-api.ts";

const SCRIPT = join(import.meta.dirname, "..", "..", "..", "shared", "research", "core-api", "run.sh");

/** The folder with Git mirrors of the plug-ins, as the script names them. */
const MIRROR = process.env.CORE_API_CLIENTS;

/**
 * The plug-ins of OJS and Moodle themselves, unchanged, against the listener. They are not part of the repository: the tests run where
 * CORE_API_CLIENTS names their mirrors and PHP is installed (the script lists what it needs).
 */
describe("the plug-ins of OJS and Moodle", function () {
  this.timeout(240_000);

  before(function () {
    if (MIRROR !== undefined && existsSync(SCRIPT)) return;
    console.warn(
      "      skipped: CORE_API_CLIENTS names no mirrors of the plug-ins, or the script is missing",
    );
    this.skip();
  });

  const terms = join(mkdtempSync(join(tmpdir(), "terms-")), "terms.txt");
  writeFileSync(terms, "The terms of the operator.");

  const CASES: Readonly<Record<string, readonly [settings: Partial<ServiceOptions>, environment: object]>> = {
    "without terms of use": [{}, {}],
    "with terms of use": [{ coreApiEulaFile: terms }, {}],
    "without webhooks": [{}, { NO_WEBHOOKS: "1" }],
  };

  for (const [name, [settings, environment]] of Object.entries(CASES))
    describe(name, () => {
      const api = useCoreApi(() => settings);

      it("pass all their checks", async () => {
        await expectToPass(run(api.base, api.first.key, environment));
      });
    });

  describe("with both stores gone for some seconds after the first submission", () => {
    let links: readonly StoreLink[] = [];
    let direct = "";
    const api = useCoreApi(async () => {
      direct = await freshDatabase();
      const postgres = await StoreLink.open(direct);
      const opensearch = await StoreLink.open((await testStores()).opensearchNodes[0] ?? "");
      links = [postgres, opensearch];
      return { databaseUrl: postgres.url, opensearchNodes: [opensearch.url] };
    });
    after(() => Promise.all(links.map((link) => link.cut())));

    it("pass all their checks", async () => {
      const running = run(api.base, api.first.key, {});
      const database = new Database(direct, pino({ level: "silent" }));
      try {
        for (let submitted = 0; submitted === 0 && running.exitCode === null; await sleep(20)) {
          const [row] = await database.query<{ count: number }>("select count(*) from core_api_submissions");
          submitted = row?.count ?? 0;
        }
        await Promise.all(links.map((link) => link.cut()));
        await sleep(3_000);
        await Promise.all(links.map((link) => link.mend()));
      } finally {
        await database.close();
      }
      await expectToPass(running);
    });
  });
});

function run(url: string, key: string, environment: object): ChildProcess {
  return spawn("bash", [SCRIPT], {
    env: { ...process.env, ...environment, MIRROR, TCA_URL: url, TCA_KEY: key },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function expectToPass(running: ChildProcess): Promise<void> {
  const { stdout, stderr } = running;
  if (stdout === null || stderr === null) throw new Error("the script has no output");
  const status = new Promise<number | null>((resolve) => running.once("close", resolve));
  const [output, errors] = await Promise.all([text(stdout), text(stderr)]);
  expect(output.match(/^FAIL .*/gm), `${output}\n${errors}`).to.equal(null);
  const passed = output.match(/^ok /gm)?.length ?? 0;
  console.log(`          ${passed} checks of the plug-ins pass`);
  expect(passed, output).to.be.at.least(30);
  expect(await status, `${output}\n${errors}`).to.equal(0);
}

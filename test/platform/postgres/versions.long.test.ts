import { expect } from "chai";
import { pino } from "pino";
import { migrate } from "../../../src/platform/postgres/migrate.ts";
import { runContractTests } from "../../../tools/versions/contract-tests.ts";
import { type DumpableServer, serverOfVersion } from "../../support/processes/postgres-tools.ts";
import { testStores } from "../../support/stores.ts";

/** The older versions that are supported; all other tests run on the newest one. */
const VERSIONS = [15, 16, 17] as const;

/** Tests of every kind of statement: tables and locks, lists in each order and with each filter, checks, batches and statistics. */
const STATEMENT_TESTS = [
  "test/platform/postgres/{database,job-queue,migrate,request-counter,sql}.test.ts",
  "test/corpus/find-documents.test.ts",
  "test/checks/{list-order,list-selection,manage,run-check,stats}.test.ts",
  "test/batches/lifecycle.test.ts",
  "test/statistics/{api,read-model}/*.test.ts",
];

const log = pino({ level: "silent" });

describe("PostgreSQL", function () {
  this.timeout(600_000);

  let server: DumpableServer | undefined;
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  for (const version of VERSIONS) {
    it(`${version} runs every kind of statement`, async () => {
      server = await serverOfVersion(version);
      const { opensearchNodes } = await testStores();
      const databaseUrl = await server.database("contract");
      const { passed, failed } = await runContractTests({ databaseUrl, opensearchNodes }, STATEMENT_TESTS);
      expect(failed).to.deep.equal([]);
      expect(passed).to.be.above(80);
    });
  }

  it("14 is refused by its version, before any table is made", async () => {
    server = await serverOfVersion(14);
    const refused = migrate(await server.database("old"), log).then(
      () => "migrated",
      (error: Error) => error.message,
    );
    expect(await refused).to.match(
      /^DATABASE_URL leads to PostgreSQL 14\.\d+, which is too old: PostgreSQL 15 or later/,
    );
  });
});

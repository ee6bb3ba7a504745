import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import pg from "pg";
import { composeAnswers } from "../../../tools/stores/compose.ts";
import { isAlive } from "../../../tools/stores/daemon.ts";
import { openStores, type Stores } from "../../../tools/stores/open-stores.ts";
import { readStoreRecord, updateRecord } from "../../../tools/stores/store-record.ts";

/** One start with everything to make: the archive may have to be fetched first. */
const START_BOUND_MS = 5 * 60_000;

describe("the embedded stores", function () {
  this.timeout(START_BOUND_MS);
  const said: string[] = [];
  let folder = "";
  let recordFile = "";
  let first: Stores;

  const open = () =>
    openStores({ dataDir: folder, opensearchHeap: "256m", say: (line) => void said.push(line) });

  before(async function () {
    // Where Docker answers, the stores are its containers.
    if (await composeAnswers()) this.skip();
    folder = mkdtempSync(join(tmpdir(), "embedded stores-"));
    recordFile = join(folder, "stores.json");
    first = await open();
  });

  after(async () => {
    await first?.stop();
    if (folder === "") return;
    // As root, a folder that only root can enter has its stores elsewhere.
    const elsewhere = join(folder, "stores-elsewhere");
    try {
      rmSync(readFileSync(elsewhere, "utf8").trim(), { recursive: true });
    } catch {
      // They lie in the folder itself.
    }
    rmSync(folder, { recursive: true });
  });

  it("answer: PostgreSQL 18 with UTF-8 text in C.UTF-8 order, and OpenSearch 3.8.0", async () => {
    expect(first.kind).to.equal("embedded");
    const client = new pg.Client({ connectionString: first.databaseUrl });
    await client.connect();
    const shown = await client.query(
      `select current_setting('server_version_num')::int / 10000 as major, current_setting('server_encoding') as encoding,
         current_setting('max_connections') as connections, current_setting('listen_addresses') as addresses,
         current_setting('log_error_verbosity') as verbosity, datlocale as locale from pg_database where datname = current_database()`,
    );
    await client.end();
    expect(shown.rows).to.deep.equal([
      {
        ...{ major: 18, encoding: "UTF8", connections: "200", addresses: "127.0.0.1" },
        // Anything more would quote refused rows in the log.
        ...{ verbosity: "terse", locale: "C.UTF-8" },
      },
    ]);
    const answer: unknown = await (await fetch(String(first.opensearchNodes[0]))).json();
    expect(answer).to.have.nested.property("version.number", "3.8.0");
  });

  it("refuse access to PostgreSQL without the password", async () => {
    const url = new URL(first.databaseUrl);
    url.password = "wrong";
    const error = await new pg.Client({ connectionString: url.href }).connect().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error)
      .to.be.an("error")
      .with.property("message")
      .that.matches(/password authentication failed/);
  });

  it("have a statistics role that can only log in", async () => {
    const client = new pg.Client({ connectionString: first.statisticsDatabaseUrl });
    await client.connect();
    const shown = await client.query(
      `select current_user as role, rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as mighty,
         has_database_privilege(current_database(), 'create') as makes_schemas from pg_roles where rolname = current_user`,
    );
    await client.end();
    expect(shown.rows).to.deep.equal([
      { role: "similarity_statistics", mighty: false, makes_schemas: false },
    ]);
  });

  it("are shared with a second process, and run until the last one leaves", async () => {
    const running = readStoreRecord(recordFile);
    const second = await open();
    expect(second.databaseUrl).to.equal(first.databaseUrl);
    expect(second.opensearchNodes).to.deep.equal(first.opensearchNodes);
    expect(readStoreRecord(recordFile)).to.deep.include({
      postgres: running.postgres,
      opensearch: running.opensearch,
    });
    expect(said.filter((line) => line.includes("that already runs"))).to.have.lengthOf(2);
    await second.stop();
    expect(said.at(-1)).to.match(/The stores keep running/);
    expect(readStoreRecord(recordFile).users).to.have.lengthOf(1);
  });

  it("pass from a killed process to the next, which stops them, and restart at the same addresses", async () => {
    const record = readStoreRecord(recordFile);
    const killed = record.users.map((user) => ({ ...user, identity: "another boot:1" }));
    updateRecord(recordFile, { ...record, users: killed });
    const next = await open();
    await next.stop();
    const processes = [record.postgres, record.opensearch].filter((store) => store !== null);
    expect(processes.map(isAlive)).to.deep.equal([false, false]);
    expect(readStoreRecord(recordFile)).to.deep.equal({
      ...record,
      users: [],
      postgres: null,
      opensearch: null,
    });
  });

  it("report a data folder of another PostgreSQL version in one message", async () => {
    const { writeFileSync, existsSync } = await import("node:fs");
    const signpost = join(folder, "stores-elsewhere");
    const root = existsSync(signpost) ? readFileSync(signpost, "utf8").trim() : folder;
    writeFileSync(join(root, "postgres", "data", "PG_VERSION"), "16\n");
    const error = await open().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error)
      .to.be.an("error")
      .with.property("message")
      .that.matches(/created by PostgreSQL 16/);
    expect(readStoreRecord(recordFile)).to.deep.include({ users: [], postgres: null, opensearch: null });
  });
});

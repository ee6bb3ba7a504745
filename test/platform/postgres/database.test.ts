import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import pg from "pg";
import { pino } from "pino";
import { DomainError } from "../../../src/platform/domain-error.ts";
import { connectionOptions, Database } from "../../../src/platform/postgres/database.ts";
import { Notifications } from "../../../src/platform/postgres/notifications.ts";
import { freshDatabase } from "../../support/stores.ts";

const log = pino({ level: "silent" });

describe("the database", () => {
  let url: string;
  let database: Database;

  before(async function () {
    this.timeout(240_000);
    url = await freshDatabase();
    database = new Database(url, log);
  });

  after(() => database.close());

  it("commits a transaction that returns, and rolls back one that throws", async () => {
    await database.query("create table public.kept (n integer)");
    await database.transaction((transaction) => transaction.query("insert into public.kept values (1)"));
    const failed = database.transaction(async (transaction) => {
      await transaction.query("insert into public.kept values (2)");
      throw new Error("changed its mind");
    });
    await failed.catch((error: Error) => expect(error.message).to.equal("changed its mind"));
    expect(await database.query("select n from public.kept")).to.deep.equal([{ n: 1 }]);
  });

  it("survives the loss of a connection inside a transaction, and reports the store as unavailable", async () => {
    const lost = database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ pid: number }>("select pg_backend_pid() as pid");
      await database.query("select pg_terminate_backend($1)", [row?.pid]);
      // The server's word comes while no statement is under way.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await transaction.query("select 1");
    });
    await expectUnavailable(lost);
    expect(await database.query("select 1 as n")).to.deep.equal([{ n: 1 }]);
  });

  it("repeats a transaction after a deadlock", async () => {
    await database.query("create table public.pair (id integer primary key, changes integer not null)");
    await database.query("insert into public.pair values (1, 0), (2, 0)");
    const change = "update public.pair set changes = changes + 1 where id = $1";
    const { promise: met, resolve: meet } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let [runs, locked] = [0, 0];
    const crossing = async (first: number, second: number) => {
      const done = await database.transaction(async (transaction) => {
        runs += 1;
        // The repeated one could be faster than the other one wakes up, and there would be another deadlock.
        if (runs > 2) await ended;
        await transaction.query(change, [first]);
        locked += 1;
        if (locked === 2) meet();
        await met;
        await transaction.query(change, [second]);
        return first;
      });
      end();
      return done;
    };
    expect(await Promise.all([crossing(1, 2), crossing(2, 1)])).to.deep.equal([1, 2]);
    expect(runs).to.equal(3);
    expect(await database.query("select changes from public.pair")).to.deep.equal([
      { changes: 2 },
      { changes: 2 },
    ]);
  });

  it("repeats a transaction or a statement a few times, and then reports the store as unavailable", async () => {
    const giveWay = "do $$ begin raise exception using errcode = 'serialization_failure'; end $$";
    let runs = 0;
    await expectUnavailable(
      database.transaction(async (transaction) => {
        runs += 1;
        await transaction.query(giveWay);
      }),
    );
    expect(runs).to.be.within(3, 10);
    await expectUnavailable(database.query(giveWay));
  });

  it("does not repeat a transaction that failed for another reason", async () => {
    let runs = 0;
    const failed = database.transaction(async (transaction) => {
      runs += 1;
      await transaction.query("select 1 / 0");
    });
    await failed.catch((error: Error) => expect(error.message).to.include("division by zero"));
    expect(runs).to.equal(1);
  });

  it("cancels a statement when nobody waits for it", async () => {
    const hasty = new Database(url, log, 200);
    try {
      await expectUnavailable(hasty.query("select pg_sleep(60), 'alone'"));
      await expectUnavailable(
        hasty.transaction((transaction) => transaction.query("select pg_sleep(60), 'in a transaction'")),
      );
    } finally {
      await hasty.close();
    }
    while ((await database.query(SLEEPING)).length > 0) await sleep(20);
  });

  it("counts as unavailable after a statement that takes too long", async () => {
    const long = database.transaction(async (transaction) => {
      await transaction.query("set local statement_timeout = 50");
      await transaction.query("select pg_sleep(60)");
    });
    await expectUnavailable(long);
  });

  it("sets no limit for a connection for long work, whatever the limit of the database", async () => {
    await database.query(`alter database ${new URL(url).pathname.slice(1)} set statement_timeout = '7s'`);
    for (const [options, limit] of [
      [{ query_timeout: 0 }, "0"],
      [{}, "15s"],
    ] as const) {
      const client = new pg.Client(connectionOptions(url, options));
      await client.connect();
      const { rows } = await client.query("show statement_timeout");
      await client.end();
      expect(rows).to.deep.equal([{ statement_timeout: limit }]);
    }
  });
});

const SLEEPING = `select 1 from pg_stat_activity
  where datname = current_database() and state = 'active' and query like 'select pg_sleep(60), %'`;

async function expectUnavailable(outcome: Promise<unknown>): Promise<void> {
  const error: unknown = await outcome.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(DomainError).with.property("code", "store_unavailable");
}

describe("notifications", () => {
  it("reopen a lost connection, and report that some may have been missed", async () => {
    const url = await freshDatabase();
    const database = new Database(url, log);
    const payloads: string[] = [];
    let onReconnect = () => {};
    const reconnected = new Promise<void>((resolve) => {
      onReconnect = resolve;
    });
    const notifications = new Notifications(
      url,
      "news",
      { onPayload: (payload) => payloads.push(payload), onReconnect: () => onReconnect() },
      log,
    );
    await notifications.open();
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
    );
    await reconnected;
    await database.query("select pg_notify('news', 'after')");
    while (payloads.length === 0) await sleep(20);
    expect(payloads).to.deep.equal(["after"]);
    await notifications.close();
    await database.close();
  });
});

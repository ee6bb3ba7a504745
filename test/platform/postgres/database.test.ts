import { expect } from "chai";
import { pino } from "pino";
import { DomainError } from "../../../src/core/domain-error.ts";
import { Database } from "../../../src/platform/postgres/database.ts";
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

  it("survives the loss of a connection inside a transaction, and says that the store is unavailable", async () => {
    const lost = database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ pid: number }>("select pg_backend_pid() as pid");
      await database.query("select pg_terminate_backend($1)", [row?.pid]);
      // The server's word comes while no statement is under way.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await transaction.query("select 1");
    });
    const error: unknown = await lost.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(DomainError).with.property("code", "store_unavailable");
    expect(await database.query("select 1 as n")).to.deep.equal([{ n: 1 }]);
  });
});

describe("notifications", () => {
  it("open their connection again when it is lost, and say that some may have been missed", async function () {
    this.timeout(20_000);
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
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'",
    );
    await reconnected;
    await database.query("select pg_notify('news', 'after')");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(payloads).to.deep.equal(["after"]);
    await notifications.close();
    await database.close();
  });
});

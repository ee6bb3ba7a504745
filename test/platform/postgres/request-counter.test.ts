import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../../src/platform/postgres/database.ts";
import { migrate } from "../../../src/platform/postgres/migrate.ts";
import { RequestCounter } from "../../../src/platform/postgres/request-counter.ts";
import { freshDatabase } from "../../support/stores.ts";

const TABLE = "statistics_request_counts";
const log = pino({ level: "silent" });

describe("RequestCounter", () => {
  let databaseUrl: string;
  let database: Database;
  const counters: RequestCounter[] = [];

  before(async function () {
    this.timeout(240_000);
    databaseUrl = await freshDatabase("counter");
    await migrate(databaseUrl, log);
    database = new Database(databaseUrl, log);
  });

  after(async () => {
    for (const counter of counters) await counter.close();
    await database.close();
  });

  function counter(limit: number, changes: { databaseUrl?: string; windowSeconds?: number } = {}) {
    const made = new RequestCounter({ databaseUrl, table: TABLE, limit, windowSeconds: 60, ...changes }, log);
    counters.push(made);
    return made;
  }

  it("allows the limit, and returns the remaining number and the end of the window", async () => {
    const here = counter(3);
    const taken = [];
    for (let turn = 0; turn < 5; turn += 1) taken.push(await here.take("one"));
    expect(taken.map(({ allowed, remaining }) => [allowed, remaining])).to.deep.equal([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
    for (const { resetMs } of taken) expect(resetMs).to.be.within(1, 60_000);
  });

  it("counts clients separately", async () => {
    const here = counter(1);
    expect((await here.take("two")).allowed).to.equal(true);
    expect((await here.take("three")).allowed).to.equal(true);
    expect((await here.take("two")).allowed).to.equal(false);
  });

  it("begins a new window where the clock was set back since the last one began", async () => {
    const here = counter(2);
    for (let turn = 0; turn < 3; turn += 1) await here.take("early");
    await database.query(`update ${TABLE} set expire = expire + 86400000 where key like '%early'`);
    const there = counter(2);
    const { allowed, resetMs } = await there.take("early");
    expect(allowed).to.equal(true);
    expect(resetMs).to.be.within(1, 60_000);
  });

  it("allows exactly the limit of simultaneous requests over two processes", async () => {
    const [here, there] = [counter(50), counter(50)];
    const taken = await Promise.all(
      Array.from({ length: 90 }, (_, turn) => (turn % 2 === 0 ? here : there).take("crowd")),
    );
    expect(taken.filter(({ allowed }) => allowed)).to.have.lengthOf(50);
    const left = taken.flatMap(({ allowed, remaining }) => (allowed ? [remaining] : []));
    expect(left.toSorted((a, b) => a - b)).to.deep.equal(Array.from({ length: 50 }, (_, index) => index));
  });

  it("refuses from memory past the limit, without another statement", async () => {
    const here = counter(2);
    for (let turn = 0; turn < 6; turn += 1) await here.take("memory");
    const [row] = await database.query<{ points: number }>(
      `select points from ${TABLE} where key = 'memory'`,
    );
    expect(row?.points).to.equal(2);
  });

  it("starts again after the window", async () => {
    const here = counter(1, { windowSeconds: 1 });
    expect((await here.take("later")).allowed).to.equal(true);
    // On a busy machine a window may end between two requests, and the second is the first of the next window.
    let refused = await here.take("later");
    while (refused.allowed) refused = await here.take("later");
    await new Promise((resolve) => setTimeout(resolve, refused.resetMs + 20));
    expect((await here.take("later")).allowed).to.equal(true);
  });

  it("counts locally while PostgreSQL does not answer", async () => {
    const alone = counter(2, { databaseUrl: "postgres://127.0.0.1:1/none" });
    const taken = [await alone.take("lost"), await alone.take("lost"), await alone.take("lost")];
    expect(taken.map(({ allowed }) => allowed)).to.deep.equal([true, true, false]);
  });
});

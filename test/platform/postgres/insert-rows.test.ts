import { expect } from "chai";
import fc from "fast-check";
import { pino } from "pino";
import { Database } from "../../../src/platform/postgres/database.ts";
import { insertRows } from "../../../src/platform/postgres/sql.ts";
import { freshDatabase } from "../../support/stores.ts";

describe("inserting rows", () => {
  let database: Database;

  before(async function () {
    this.timeout(240_000);
    database = new Database(await freshDatabase("insert_rows"), pino({ level: "silent" }));
    await database.query("create schema similarity");
    await database.query("create table numbers (id integer primary key, value double precision, name text)");
  });
  after(() => database?.close());

  it("gives back the very bits of a number", async () => {
    const values = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 500, seed: 6 });
    const rows = values.map((value, id) => ({ id, value: value + 0 }));
    expect(await insertRows(database, "numbers", rows)).to.equal(rows.length);
    const stored = await database.query("select id, value from numbers order by id");
    expect(stored).to.deep.equal(rows);
  });

  it("leaves out what is in conflict, and counts the rest", async () => {
    const rows = [{ id: 1 }, { id: 1_000, name: "a\0b\ud800", more: "no column" }, { id: 1_000 }];
    expect(await insertRows(database, "numbers", rows, "on conflict do nothing")).to.equal(1);
    expect(await insertRows(database, "numbers", [])).to.equal(0);
    const stored = await database.query("select value, name from numbers where id = 1000");
    expect(stored).to.deep.equal([{ value: null, name: "a\ufffdb\ufffd" }]);
  });
});

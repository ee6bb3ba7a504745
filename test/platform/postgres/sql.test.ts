import { expect } from "chai";
import fc from "fast-check";
import { pino } from "pino";
import { Database } from "../../../src/platform/postgres/database.ts";
import { migrate } from "../../../src/platform/postgres/migrate.ts";
import { holdsText, insertRows, searchForms } from "../../../src/platform/postgres/sql.ts";
import { freshDatabase, migratedDatabase } from "../../support/stores.ts";

describe("inserting rows", () => {
  let database: Database;

  before(async function () {
    this.timeout(240_000);
    database = new Database(await freshDatabase("insert_rows"), pino({ level: "silent" }));
    await database.query("create schema similarity");
    await database.query("create table numbers (id integer primary key, value double precision, name text)");
  });
  after(() => database?.close());

  it("stores numbers exactly", async () => {
    const values = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 500, seed: 6 });
    const rows = values.map((value, id) => ({ id, value: value + 0 }));
    expect(await insertRows(database, "numbers", rows)).to.equal(rows.length);
    const stored = await database.query("select id, value from numbers order by id");
    expect(stored).to.deep.equal(rows);
  });

  it("fills the column of each member, whose name is in camelCase", async () => {
    await database.query("create table named (paper_key text, input_sha256 text)");
    await insertRows(database, "named", [{ paperKey: "a", inputSha256: "b" }, { paper_key: "c" }]);
    expect(await database.query("select paper_key, input_sha256 from named")).to.deep.equal([
      { paper_key: "a", input_sha256: "b" },
      { paper_key: "c", input_sha256: null },
    ]);
  });

  it("skips conflicting rows, and counts the others", async () => {
    const rows = [{ id: 1 }, { id: 1_000, name: "a\0b\ud800", more: "no column" }, { id: 1_000 }];
    expect(await insertRows(database, "numbers", rows, "on conflict do nothing")).to.equal(1);
    expect(await insertRows(database, "numbers", [])).to.equal(0);
    const stored = await database.query("select value, name from numbers where id = 1000");
    expect(stored).to.deep.equal([{ value: null, name: "a\ufffdb\ufffd" }]);
  });
});

describe("the search for a text in titles", () => {
  let database: Database;

  before(async function () {
    this.timeout(240_000);
    const [url, log] = [await migratedDatabase(), pino({ level: "silent" })];
    await migrate(url, log);
    database = new Database(url, log);
  });
  after(() => database?.close());

  async function holds(searched: string | undefined, title: string | null, filename: string | null = null) {
    const [row] = await database.query<{ held: boolean | null }>(
      `select ${holdsText(["title", "filename"], ["$1", "$2"])} as held
         from (values ($3::text, $4::text)) as named (title, filename)`,
      [...searchForms(searched), title, filename],
    );
    return row?.held ?? false;
  }

  it("finds any part of a title or of the other column, in upper or lower case of any script", async () => {
    expect(await holds("essay", "Summer Essay.pdf")).to.equal(true);
    expect(await holds("ESSAY.P", "Summer Essay.pdf")).to.equal(true);
    expect(await holds("größe", "DIE GRÖSSE UND DIE GRÖßE")).to.equal(true);
    expect(await holds("ПЛАГИАТ", "о плагиате")).to.equal(true);
    expect(await holds("summer", "Winter", "SUMMER.txt")).to.equal(true);
    expect(await holds("winter", "Summer", "summer.txt")).to.equal(false);
    expect(await holds("winter", null, null)).to.equal(false);
  });

  it("treats no character as a wildcard", async () => {
    expect(await holds("100%", "100% wool")).to.equal(true);
    for (const [searched, title] of [
      ["1%0", "100"],
      ["a_b", "axb"],
      ["\\", "backslash"],
      [".*", "anything"],
    ] as const) {
      expect(await holds(searched, title), searched).to.equal(false);
      expect(await holds(searched, `before ${searched} after`), searched).to.equal(true);
    }
  });

  it("finds composed and decomposed letters", async () => {
    const [composed, apart] = ["Caf\u00e9.txt", "Cafe\u0301.txt"];
    for (const searched of [composed, apart]) {
      for (const title of [composed, apart]) expect(await holds(searched, title)).to.equal(true);
    }
  });

  it("matches everything without a search text", async () => {
    expect(await holds(undefined, "Anything")).to.equal(true);
    expect(await holds(undefined, null)).to.equal(true);
  });
});

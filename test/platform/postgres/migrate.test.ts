import { readFile } from "node:fs/promises";
import { expect } from "chai";
import pg from "pg";
import { pino } from "pino";
import { TextStore } from "../../../src/corpus/documents/text-store.ts";
import { unpackText } from "../../../src/platform/packed-text.ts";
import { Database } from "../../../src/platform/postgres/database.ts";
import { migrate, schemaIsCurrent } from "../../../src/platform/postgres/migrate.ts";
import { freshDatabase } from "../../support/stores.ts";

const log = pino({ level: "silent" });
const DOCUMENT = "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd";
const TEXT = "A text of the first release: 😀 𝒳 – naïve.\r\n";

describe("the migrations", () => {
  let url: string;
  let database: Database;

  before(async function () {
    this.timeout(240_000);
    url = await freshDatabase();
    database = new Database(url, log);
  });
  after(() => database.close());

  it("keep the data of the first release: its texts, and its documents as pending", async () => {
    await makeFirstRelease();
    await migrate(url, log);
    expect(await schemaIsCurrent(database)).to.equal(true);
    const sections = (await new TextStore().findAll(database, [DOCUMENT])).get(DOCUMENT) ?? [];
    expect(unpackText(sections)).to.equal(TEXT);
    expect(sections.map(({ length }) => length)).to.deep.equal([TEXT.length]);
    expect(
      await database.query("select text_bytes, encode(sha256, 'hex') as sha256 from documents"),
    ).to.deep.equal([{ text_bytes: Buffer.byteLength(TEXT), sha256: "ab".repeat(32) }]);
    expect(await database.query("select * from document_chunks")).to.deep.equal([]);
  });

  it("record every kind of deletion of documents afterwards", async () => {
    await database.query("delete from documents where document_id = $1", [DOCUMENT]);
    const rows = await database.query("select document_id from removed_documents");
    expect(rows).to.deep.equal([{ document_id: DOCUMENT }]);
  });

  /** The schema as the first release left it, with one document. */
  async function makeFirstRelease(): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const first = new URL("../../../migrations/0001_engine.sql", import.meta.url);
      await client.query("create schema similarity");
      await client.query("set search_path = similarity");
      await client.query(await readFile(first, "utf8"));
      await client.query(
        `create table schema_migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null);
         insert into schema_migrations (name, run_on) values ('0001_engine', now())`,
      );
      await client.query(
        `insert into documents (document_id, tenant, filename, title, media_type, language, size_bytes, sha256,
           char_count, word_count, fingerprint_status, fingerprinted_at)
         values ($1, 'default', 'a.txt', 'a', 'text/plain', 'en', 1, $2, 1, 1, 'fingerprinted', now())`,
        [DOCUMENT, "ab".repeat(32)],
      );
      await client.query("insert into document_texts values ($1, $2)", [DOCUMENT, TEXT]);
    } finally {
      await client.end();
    }
  }
});

import { expect } from "chai";
import pg from "pg";
import { pino } from "pino";
import packageJson from "../../../package.json" with { type: "json" };
import { ConfigError } from "../../../src/platform/domain-error.ts";
import { Database } from "../../../src/platform/postgres/database.ts";
import { migrate, schemaIsCurrent } from "../../../src/platform/postgres/migrate.ts";
import { freshDatabase } from "../../support/stores.ts";

const log = pino({ level: "silent" });

describe("the migrations", function () {
  this.timeout(240_000);

  let url: string;
  let database: Database;

  beforeEach(async () => {
    url = await freshDatabase("migrate");
    database = new Database(url, log);
  });
  afterEach(() => database.close());

  async function tables(): Promise<string[]> {
    const rows = await database.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'similarity' order by 1",
    );
    return rows.map(({ name }) => name);
  }

  it("bring an empty database up to date once, also where two processes start together", async () => {
    await Promise.all([migrate(url, log), migrate(url, log)]);
    await migrate(url, log);
    expect(await schemaIsCurrent(database)).to.equal(true);
    expect(await database.query("select name from schema_migrations")).to.deep.equal([
      { name: "0001_baseline" },
      { name: "0002_lower_case" },
      { name: "0003_uncompared_documents" },
      { name: "0004_owners_collections_reviews" },
      { name: "0005_core_api" },
      { name: "0006_statistics_provenance" },
      { name: "0007_publication_dates" },
      { name: "0008_hidden_text" },
      { name: "0009_shrunken_rates" },
      { name: "0010_ocr" },
      { name: "0011_shrunken_order" },
      { name: "0012_document_properties" },
      { name: "0013_document_page_notes" },
    ]);
  });

  it("refuse a database that does not store text in UTF-8, and say how to make one", async () => {
    const latin = new URL(url);
    latin.pathname = `${latin.pathname}_latin`;
    await database.query(
      `create database ${pg.escapeIdentifier(latin.pathname.slice(1))} encoding 'LATIN1' locale 'C' locale_provider 'libc' template template0`,
    );
    const error = await migrate(latin.href, log).catch((thrown: unknown) => thrown);
    expect(error)
      .to.be.instanceOf(ConfigError)
      .with.property("message")
      .that.matches(/stores text as LATIN1\. Create one with the encoding UTF8: create database/);
  });

  it("do not touch the tables of a build from before the first release, and say how to start over", async () => {
    await database.query("create schema similarity");
    await database.query(
      "create table similarity.schema_migrations (id serial primary key, name text not null, run_on timestamp not null)",
    );
    await database.query(
      "insert into schema_migrations (name, run_on) values ('0001_engine', now()), ('0002_corpus', now())",
    );
    const error = await migrate(url, log).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ConfigError);
    expect(error).to.have.property(
      "message",
      "The tables in PostgreSQL were made by a build from before release 1.0.0, which can't be upgraded. To start over, empty the data folder (DATA_DIR), or drop the schemas similarity and similarity_jobs and delete the OpenSearch indices whose names begin with OPENSEARCH_INDEX_PREFIX (by default similarity-).",
    );
    expect(await tables()).to.deep.equal(["schema_migrations"]);
  });

  it("are refused by the tables of a newer release, which a running service may go on to use", async () => {
    await migrate(url, log);
    await database.query("insert into schema_migrations (name, run_on) values ('0009_of_tomorrow', now())");
    const error = await migrate(url, log).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ConfigError);
    expect(error).to.have.property(
      "message",
      `The tables in PostgreSQL were made by a newer release, and this one, ${packageJson.version}, does not know their migration 0009_of_tomorrow. Start the newer release, or restore a backup from before the upgrade.`,
    );
    expect(await schemaIsCurrent(database)).to.equal(true);
  });

  it("note documents that are deleted by hand", async () => {
    await migrate(url, log);
    const id = "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd";
    await database.query(
      `insert into documents (document_id, tenant, filename, title, media_type, language, language_origin, size_bytes, sha256,
         char_count, word_count, text_bytes)
       values ($1, 'default', 'a.txt', 'a', 'text/plain', 'en', 'stated', 1, '\\xab', 1, 1, 1)`,
      [id],
    );
    await database.query("delete from documents where document_id = $1", [id]);
    expect(await database.query("select document_id from removed_documents")).to.deep.equal([
      { document_id: id },
    ]);
  });
});

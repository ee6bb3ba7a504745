import { expect } from "chai";
import pg from "pg";
import { type IngestSqlInput, type OpenPipeline, openPipeline } from "../../../../src/index.ts";
import { createLogger } from "../../../../src/platform/logger.ts";
import { freshDatabase } from "../../../support/stores.ts";
import { useCorpus } from "../../../support/use-corpus.ts";
import { prose } from "../../../support/work/prose.ts";
import { readContents } from "../folder/corpus-contents.ts";
import { failure, NOTHING } from "../folder/folder-corpus.ts";

const QUERY = "select id, title, body, url, language from articles";

describe("ingesting the rows of a query", () => {
  const made = useCorpus();
  let pipeline: OpenPipeline;
  let database: string;
  let source: pg.Client;
  const said: string[] = [];

  before(async () => {
    database = await freshDatabase("source");
    source = new pg.Client(database);
    await source.connect();
    pipeline = await openPipeline(made.options, createLogger("silent", "stderr"));
  });
  beforeEach(async () => {
    await source.query(`drop table if exists articles;
      create table articles (id bigint, title text, body text, url text, language text, data jsonb, tags text[], updated_at timestamptz)`);
  });
  afterEach(async () => {
    await made.corpus.database.query("delete from documents");
    await made.corpus.database.query("delete from ingested_collections");
    await made.corpus.cleanUpTombstones();
  });
  after(async () => {
    await pipeline?.close();
    await source?.end();
  });

  type Article = Readonly<Record<string, unknown>>;

  async function insert(...articles: readonly Article[]): Promise<void> {
    await source.query("insert into articles select * from json_populate_recordset(null::articles, $1)", [
      JSON.stringify(articles),
    ]);
  }

  function ingest(input: Partial<IngestSqlInput> = {}) {
    said.length = 0;
    return pipeline.ingestSql({ query: QUERY, database, say: (line) => said.push(line), ...input });
  }

  function contents(name?: string) {
    const { host, pathname } = new URL(database);
    return readContents(made.corpus, `sql:${name ?? `${host}${pathname}`}`);
  }

  it("makes all rows matchable, with the columns by their names", async () => {
    // Larger than JavaScript's exact integers.
    const id = "9007199254740993";
    await insert(
      { id, title: "On tides", body: prose(1, 300), url: "https://news.example/1", language: "de" },
      { id: 2, body: prose(2, 40) },
    );
    expect(await ingest()).to.deep.include({ added: 2, failed: 0, failures: [] });
    const { files } = await contents();
    expect(files.get(id)?.text).to.equal(prose(1, 300));
    expect(files.get(id)?.facts).to.include({
      title: "On tides",
      source_url: "https://news.example/1",
      language: "de",
    });
    expect(files.get("2")?.facts).to.include({ title: "2", source_url: null });
    expect(files.get("2")?.chunks).to.have.lengthOf(1);
  });

  it("reads members of JSON, lists and HTML, and makes addresses", async () => {
    await insert({
      id: 1,
      data: { parts: [{ html: "<p>One</p><p>two.</p>" }], title: "A &amp; B", slug: "a-b" },
      tags: ["first", "second"],
    });
    await ingest({
      query: "select id, data, tags from articles;",
      text: ["data.parts.html", "tags"],
      title: "data.title",
      idUrl: "https://x.example/{data.slug}/{_id}",
      html: true,
    });
    const { files } = await contents();
    expect(files.get("1")?.text).to.equal("One\n\ntwo.\n\nfirst\n\nsecond");
    expect(files.get("1")?.facts).to.include({ title: "A & B", source_url: "https://x.example/a-b/1" });
  });

  it("follows changes and deletions of more rows than a page holds", async () => {
    await insert(...Array.from({ length: 450 }, (_, at) => ({ id: at, body: prose(at, 30) })));
    expect(await ingest()).to.deep.include({ ...NOTHING, added: 450, chunks: 450 });
    expect(await ingest()).to.deep.include({ ...NOTHING, unchanged: 450 });
    await source.query("update articles set title = 'New' where id = 7");
    await source.query("delete from articles where id < 3");
    await insert({ id: 1_000, body: prose(1_000, 30) });
    expect(await ingest()).to.deep.include({ added: 1, replaced: 1, unchanged: 446, removed: 3 });
    expect((await contents()).files.size).to.equal(448);
  }).timeout(120_000);

  it("reads only what is newer than the last run, what was missing, and what is gone", async () => {
    const old = (id: number, text = prose(id, 30)) => ({ id, body: text, updated_at: `2020-01-0${id}` });
    await insert(old(1), old(2), old(3), { id: 4, body: prose(4, 30) });
    const input = { query: "select id, body, updated_at from articles", updatedField: "updated_at" };
    expect(await ingest(input)).to.include({ added: 4 });
    await source.query("update articles set body = $1 where id = 1", [prose(10, 30)]);
    await source.query("update articles set body = $1, updated_at = '2020-01-05' where id = 3", [
      prose(11, 30),
    ]);
    await source.query("delete from articles where id = 2");
    await insert({ ...old(2, prose(12, 30)), id: 20 });
    expect(await ingest(input)).to.deep.include({
      added: 1,
      replaced: 1,
      unchanged: 1,
      removed: 1,
      failed: 0,
    });
    const { files } = await contents();
    expect([...files.keys()]).to.deep.equal(["1", "20", "3", "4"]);
    expect([files.get("1")?.text, files.get("3")?.text]).to.deep.equal([prose(1, 30), prose(11, 30)]);
    expect(await ingest({ query: input.query })).to.include({ replaced: 1, unchanged: 3 });
  });

  it("lists identifiers that a join returns more than once, and keeps one row of each", async () => {
    await insert({ id: 1, body: prose(1, 30) }, { id: 1, body: prose(2, 30) }, { id: 2, body: prose(3, 30) });
    const result = await ingest();
    expect(result).to.include({ added: 2, replaced: 0, failed: 1 });
    expect(result.failures[0]?.path).to.equal("1");
    expect(result.failures[0]?.reason).to.include("more than one record with this identifier");
    expect((await contents()).files.size).to.equal(2);
  });

  it("keeps the documents of two queries apart by names, and refuses to mix them", async () => {
    await insert({ id: 1, body: prose(1, 30) }, { id: 2, body: prose(2, 30) });
    await ingest({ query: `${QUERY} where id = 1` });
    const error = await failure(ingest({ query: `${QUERY} where id = 2` }));
    expect(error).to.have.property("message").that.includes("--collection NAME");
    await ingest({ query: `${QUERY} where id = 2`, collection: "second" });
    expect([...(await contents()).files.keys()]).to.deep.equal(["1"]);
    expect([...(await contents("second")).files.keys()]).to.deep.equal(["2"]);
  });

  it("reads the corpus's own database by default, and can't change anything there", async () => {
    const own = { database: undefined };
    expect(await ingest({ ...own, query: `select 5 as id, '${prose(5, 30)}' as text` })).to.include({
      added: 1,
    });
    const name = new URL(made.options.databaseUrl).pathname.slice(1);
    expect([...(await contents(name)).files.keys()]).to.deep.equal(["5"]);
    const writes = "delete from similarity.documents returning document_id as id, title as body";
    expect(await failure(ingest({ ...own, query: writes, collection: "writes" })))
      .to.have.property("message")
      .that.includes("PostgreSQL refuses the query");
    expect((await made.corpus.database.query("select from documents")).length).to.equal(1);
  });

  it("explains what the caller can correct", async () => {
    await insert({ id: 1, body: prose(1, 30), title: "A" }, { id: null, body: prose(2, 30) });
    for (const [input, message] of [
      [{ query: "selekt 1" }, "PostgreSQL refuses the query: syntax error"],
      [{ query: "select * from nowhere" }, 'relation "nowhere" does not exist. Check --query.'],
      [{ query: "select 1 as id; drop table articles" }, "PostgreSQL refuses the query"],
      [{ query: "select body from articles" }, "The query has no column id (--id). Its columns are: body."],
      [{ query: "select id, title from articles" }, "neither a column body nor text"],
      [{ text: ["bdy"] }, "has the field bdy (--text). Its fields are: body, id, language, title, url."],
      [{ title: "headline" }, "has the field headline (--title)."],
      [{ updatedField: "changed" }, "no column changed (--updated-field)"],
      [{ updatedField: "title" }, "must be a date, a timestamp or a number"],
      [{}, "A row of the query has no value in id"],
      [
        { database: "postgres://nobody:secret@127.0.0.1:1/none" },
        "PostgreSQL at 127.0.0.1:1/none can't be reached",
      ],
      [{ database: `${database}_missing` }, "refuses access"],
    ] as const) {
      const error = await failure(ingest(input));
      expect(error).to.have.property("message").that.includes(message);
      expect(error).to.have.property("message").that.does.not.include("secret");
      expect(error, message).to.have.property("code");
    }
  });
});

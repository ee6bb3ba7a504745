import { expect } from "chai";
import pg from "pg";
import { type IngestSqlInput, type OpenPipeline, openPipeline } from "../../../../src/index.ts";
import { createLogger } from "../../../../src/platform/logger.ts";
import { freshDatabase } from "../../../support/stores.ts";
import { useCorpus } from "../../../support/use-corpus.ts";
import { prose } from "../../../support/work/prose.ts";
import { readContents } from "../folder/corpus-contents.ts";
import { failure } from "../folder/folder-corpus.ts";

describe("ingesting hostile rows", function () {
  this.timeout(120_000);
  const made = useCorpus();
  let pipeline: OpenPipeline;
  let database: string;
  let admin: pg.Client;

  before(async () => {
    database = await freshDatabase("hostile");
    admin = new pg.Client(database);
    await admin.connect();
    pipeline = await openPipeline(made.options, createLogger("silent", "stderr"));
  });
  after(async () => {
    await pipeline?.close();
    await admin?.end();
  });

  const ingest = (query: string, input: Partial<IngestSqlInput> = {}) =>
    pipeline.ingestSql({ query, database, say: () => undefined, newSelection: true, ...input });

  const texts = async () => {
    const { host, pathname } = new URL(database);
    const { files } = await readContents(made.corpus, `sql:${host}${pathname}`);
    return [...files.keys()].toSorted();
  };

  it("keeps the good rows beside values of any type, size and encoding", async () => {
    const good = `'${prose(1, 40)}'`;
    const rows = [
      `('good', ${good}, 'title')`,
      `('long title', '${prose(2, 40)}', repeat('x', 3000000))`,
      `((select string_agg(md5(n::text), '') from generate_series(1, 200) as n), '${prose(3, 40)}', 'long identifier')`,
      `(E'line\\nbreak \\u202e', '${prose(4, 40)}', E'\\ufffe\\u0007')`,
      `('blank', E' \\t\\n', 'blank')`,
      `('none', null, null)`,
      `('huge', repeat('word ', 8000000), 'a text of 40 MB')`,
      `('one word', repeat('x', 3000000), 'a word of 3 MB')`,
    ];
    const query = `select * from (values ${rows.join(", ")}) as hostile (id, body, title)`;
    const { added, failed, failures } = await ingest(query);
    expect({ added, failed, stored: await texts() }).to.deep.equal({
      added: 4,
      failed: 4,
      stored: ["good", "line\nbreak \u202e", "long title", "one word"],
    });
    for (const { reason } of failures) expect(reason).to.match(/^Its? .+\.$/);
  });

  it("reads columns of other types as texts, and says when one of them is missing", async () => {
    const query = `select 7.5::float8 as id, '{"a": ["x", null, 3]}'::jsonb as body, '{1,2}'::int[] as title`;
    expect((await ingest(query, { text: ["body.a"] })).added).to.equal(1);
    expect(await texts()).to.deep.equal(["7.5"]);
    for (const [rows, message] of [
      ["select null::text as id, 'a' as body", /no value in id/],
      ["select 1 as id, 1/0 as body", /division by zero/],
      ["select 1 as id, 'a'::bytea as picture", /neither a column body nor text/],
    ] as const)
      expect(String(await failure(ingest(rows)))).to.match(message);
  });

  it("deletes nothing and says so when the server ends midway; the next run completes it", async () => {
    const query =
      "select n as id, repeat('some words of a text ', 20) || n as body from generate_series(1, 3000) as n";
    const kill = async () => {
      for (;;) {
        const { rowCount } = await admin.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'similarity-check ingest' and datname = current_database()",
        );
        if (rowCount !== null && rowCount > 0) return;
        await new Promise((tick) => setTimeout(tick, 20));
      }
    };
    const [ended] = await Promise.all([failure(ingest(query)), kill()]);
    expect(String(ended)).to.match(/PostgreSQL/);
    const { added, unchanged } = await ingest(query);
    expect(added + unchanged).to.equal(3000);
    expect(await texts()).to.have.lengthOf(3000);
  });
});

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import fc from "fast-check";
import pg from "pg";
import { type CorpusContents, readContents } from "../corpus/ingest/folder/corpus-contents.ts";
import { freshDatabase } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";
import { IngestProcess, useIngest } from "./ingest-process.ts";

/** Kills of a first load and of an update, for each source. */
const KILLS = Number(process.env.INGEST_KILLS ?? 2);

/** Before this share of its time a run has hardly begun to work. */
const KILL_FROM = 0.3;

/** Numbers of documents with the editions of their texts. */
type Edition = ReadonlyMap<number, number>;

/** Of the first 500: 100 gone, 100 changed, 300 as they were; and 100 new ones. */
const FIRST: Edition = new Map(numbers(0, 500).map((at) => [at, 0]));
const SECOND: Edition = new Map([
  ...numbers(0, 300).map((at) => [at, 0] as const),
  ...numbers(300, 400).map((at) => [at, 1] as const),
  ...numbers(500, 600).map((at) => [at, 0] as const),
]);

describe("the commands that ingest an index and a query", () => {
  const { made, start, run, runKilled } = useIngest();
  let source: pg.Client;
  let database: string;
  let index: string;

  before(async () => {
    database = await freshDatabase("source");
    source = new pg.Client(database);
    await source.connect();
    await source.query("create table articles (id integer primary key, title text, body text)");
    index = `${made.options.opensearchIndexPrefix}articles`;
  });
  after(() => source?.end());

  async function fillIndex(edition: Edition): Promise<void> {
    await made.corpus.opensearch.indices.delete({ index, ignore_unavailable: true });
    const body = [...edition].flatMap(([id, of]) => [{ index: { _id: String(id) } }, record(id, of)]);
    await made.corpus.opensearch.bulk({ index, body, refresh: true });
  }

  async function fillTable(edition: Edition): Promise<void> {
    await source.query("truncate articles");
    const rows = [...edition].map(([id, of]) => ({ id, ...record(id, of) }));
    await source.query("insert into articles select * from json_populate_recordset(null::articles, $1)", [
      JSON.stringify(rows),
    ]);
  }

  const sources = {
    index: {
      script: "ingest-index",
      args: () => ["--from", index, "--text", "body", "--title", "title"],
      fill: fillIndex,
    },
    sql: {
      script: "ingest-sql",
      args: () => ["--query", "select id, title, body from articles", "--database", database],
      fill: fillTable,
    },
  } as const;

  for (const [kind, { script, args, fill }] of Object.entries(sources)) {
    it(`load the same corpus from ${kind}, chunk for chunk, when killed at any moment and run again`, async function () {
      this.timeout(120_000 + KILLS * 60_000);
      const contents = (name: string): Promise<CorpusContents> =>
        readContents(made.corpus, `${kind}:${name}`);

      await fill(FIRST);
      const firstRun = await run(script, ...args(), "--collection", "calm");
      expect(firstRun.result).to.include({ added: 500, failed: 0 });
      const first = await contents("calm");
      await fill(SECOND);
      const secondRun = await run(script, ...args(), "--collection", "calm");
      expect(secondRun.result).to.include({ added: 100, replaced: 100, unchanged: 300, removed: 100 });
      await made.corpus.cleanUpTombstones();
      const second = await contents("calm");

      for (const [kill, share] of shares(KILLS).entries()) {
        const name = `killed-${kill}`;
        await fill(FIRST);
        await runKilled(share, firstRun.tookMs, script, ...args(), "--collection", name);
        await made.corpus.cleanUpTombstones();
        expect(await contents(name), `killed at ${share}`).to.deep.equal(first);
        await fill(SECOND);
        await runKilled(share, secondRun.tookMs, script, ...args(), "--collection", name);
        await made.corpus.cleanUpTombstones();
        expect(await contents(name), `killed at ${share} of the second`).to.deep.equal(second);
      }
    });
  }

  it("follow an index until they are stopped", async () => {
    await fillIndex(new Map([[1, 0]]));
    const command = start(
      ...["ingest-index", "--from", index, "--text", "body", "--collection", "followed"],
      ...["--follow", "--interval", "1", "--json"],
    );
    const collection = "index:followed";
    await eventually(async () =>
      expect((await readContents(made.corpus, collection)).files.size).to.equal(1),
    );
    const changes = [{ delete: { _id: "1" } }, { index: { _id: "2" } }, record(2, 0)];
    await made.corpus.opensearch.bulk({ index, body: changes, refresh: true });
    await eventually(async () => {
      const { files } = await readContents(made.corpus, collection);
      expect([...files.keys()]).to.deep.equal(["2"]);
    });
    await eventually(async () => expect(command.stdout.split("\n")).to.have.lengthOf(3));
    command.kill("SIGINT");
    expect(await command.ended()).to.equal(130);
    expect(command.result).to.include({ added: 1, removed: 1 });
  }).timeout(120_000);

  for (const [script, args, message] of [
    ["ingest-index", [], "--from must name an index."],
    ["ingest-index", ["--from", "a"], "--text must name the fields of the text."],
    ["ingest-index", ["--from", "a", "--text", "b", "--query", "{"], "--query is not JSON"],
    ["ingest-index", ["--from", "a", "--text", "b", "--query", "[]"], "--query must be a JSON object"],
    ["ingest-index", ["--from", "a", "--text", "b", "--node", "a:secret"], "--node must be a URL"],
    ["ingest-index", ["--from", "a", "--text", "b", "--id-url", "{_id}"], "--id-url must be an http"],
    ["ingest-index", ["--from", "a", "--text", "b", "--collection", "a/b"], "A collection name consists"],
    ["ingest-sql", [], "--query must be a select."],
    ["ingest-sql", ["--query", "a", "--interval", "5"], "--interval requires --follow."],
    ["ingest-sql", ["--query", "a", "--follow", "--interval", "soon"], "--interval must be a number"],
    ["ingest-sql", ["--query", "a", "--database", "a"], "--database must be a URL"],
  ] as const) {
    it(`reject \`${script} ${args.join(" ")}\` with status 2, before they connect to a store`, async () => {
      const nowhere = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" };
      const command = new IngestProcess(args, nowhere, script);
      expect(await command.ended()).to.equal(2);
      expect(command.stderr)
        .to.include(message)
        .and.include(`Usage: npm run ${script.replace("-", ":")}`);
      expect(command.stdout).to.equal("");
    });
  }
});

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

function record(id: number, edition: number) {
  return { title: `Article ${id}`, body: prose(id + 10_000 * edition, 60 + (id % 200)) };
}

function shares(count: number): number[] {
  return fc.sample(fc.double({ min: KILL_FROM, max: 1, noNaN: true }), { numRuns: count, seed: 5 });
}

/** Repeats a check for half a minute. */
async function eventually(check: () => Promise<unknown>): Promise<void> {
  for (const until = Date.now() + 30_000; ; await sleep(200)) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

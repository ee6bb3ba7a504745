import { expect } from "chai";
import { pino } from "pino";
import { shareIndexWriteLock } from "../../../src/corpus/index/index-write-lock.ts";
import { createRebuildIndex } from "../../../src/corpus/upkeep/rebuild-index.ts";
import { openRebuildSession, withWriteLock } from "../../../src/corpus/upkeep/rebuild-session.ts";
import { Database } from "../../../src/platform/postgres/database.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts } from "./damaged-corpus.ts";
import { agrees, PLAIN, roles } from "./rebuild-runs.ts";

describe("a rebuild while a writer of chunks holds the write lock", function () {
  this.timeout(120_000);
  const made = useCorpus();
  let writers: Database;

  before(async () => {
    await addTexts(made.corpus, [prose(1, 300), prose(2, 300)]);
    writers = new Database(made.options.databaseUrl, pino({ level: "silent" }));
  });
  after(() => writers?.close());

  /** Does `work` while a writer holds the lock, until `leave` is called or at the end. */
  async function besideWriter<T>(work: (leave: () => void) => Promise<T>): Promise<T> {
    const [entered, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = writers.transaction(async (transaction) => {
      await shareIndexWriteLock(transaction);
      entered.resolve();
      await left.promise;
    });
    await entered.promise;
    try {
      return await work(left.resolve);
    } finally {
      left.resolve();
      await writing;
    }
  }

  it("gives up after a while, names the writer, and continues with the new index the next time", async () => {
    const impatient = createRebuildIndex(made.corpus, 50);
    const failure = await besideWriter(async () => {
      const [writer] = await made.corpus.database.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
      );
      const error = await impatient({ ...PLAIN }).catch((reason: unknown) => reason);
      return { error, writer: writer?.pid };
    });
    expect(failure.error).to.have.property("code", "store_unavailable");
    expect(failure.error)
      .to.have.property("message")
      .that.includes(`process ${failure.writer} of PostgreSQL`)
      .and.includes("pg_terminate_backend");
    const [next] = (await roles(made.corpus)).next ?? [];
    expect(next).to.be.a("number");

    await impatient({ ...PLAIN });
    expect((await roles(made.corpus)).current).to.deep.equal([next]);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("says what it waits for, and continues when the writer has finished", async () => {
    const said: string[] = [];
    await besideWriter((leave) =>
      made.corpus.rebuildIndex({
        ...PLAIN,
        say: (line) => {
          said.push(line);
          if (line.startsWith("Waiting for process ")) leave();
        },
      }),
    );
    expect(said.filter((line) => line.startsWith("Waiting for process "))).to.have.lengthOf(1);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("ends when it is told to stop", async () => {
    const stopping = new AbortController();
    const say = (line: string) => {
      if (line.startsWith("Waiting for process ")) stopping.abort(new Error("stopped by the test"));
    };
    const stopped = await besideWriter(() =>
      made.corpus.rebuildIndex({ ...PLAIN, say, signal: stopping.signal }).catch((reason: unknown) => reason),
    );
    expect(stopped).to.have.property("message", "stopped by the test");
  });

  it("does not repeat the work when another lock is not available to it", async () => {
    const session = await openRebuildSession(made.options.databaseUrl);
    let runs = 0;
    const work = async () => {
      runs += 1;
      await session.query("do $$ begin raise sqlstate '55P03' using message = 'another lock'; end $$");
    };
    const options = { writeLockWaitMs: 50, say: () => undefined };
    const failure = await withWriteLock(session, work, options).catch((reason: unknown) => reason);
    await session.close();
    expect(failure).to.have.property("message", "another lock");
    expect(runs).to.equal(1);
  });
});

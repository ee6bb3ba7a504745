import { expect } from "chai";
import { pino } from "pino";
import { enterIndexGate } from "../../../src/corpus/chunk-index/index-gate.ts";
import { createRebuildIndex } from "../../../src/corpus/rebuild/rebuild-index.ts";
import { Database } from "../../../src/platform/postgres/database.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts } from "../reconciliation/damaged-corpus.ts";
import { agrees, PLAIN, roles } from "./rebuild-runs.ts";

describe("a rebuild while a writer of chunks is inside the gate", function () {
  this.timeout(60_000);
  const made = useCorpus();
  let writers: Database;

  before(async () => {
    await addTexts(made.corpus, [prose(1, 300), prose(2, 300)]);
    writers = new Database(made.options.databaseUrl, pino({ level: "silent" }));
  });
  after(() => writers?.close());

  /** Does `work` while a writer is inside, who leaves when `leave` is called, or at the end. */
  async function besideWriter<T>(work: (leave: () => void) => Promise<T>): Promise<T> {
    const [entered, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = writers.transaction(async (transaction) => {
      await enterIndexGate(transaction);
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

  it("gives up when that does not end, says whose doing it is, and goes on with the new index the next time", async () => {
    const impatient = createRebuildIndex({ ...made.corpus, gateTriedMs: 50 });
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
    expect((await roles(made.corpus)).standing).to.deep.equal([next]);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("says what it waits for, and goes on when the writer has ended", async () => {
    const said: string[] = [];
    await besideWriter((leave) =>
      made.corpus.rebuildIndex({
        ...PLAIN,
        say: (line) => {
          said.push(line);
          if (line.startsWith("Waiting until process ")) leave();
        },
      }),
    );
    expect(said.filter((line) => line.startsWith("Waiting until process "))).to.have.lengthOf(1);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("ends when it is stopped", async () => {
    const stopping = new AbortController();
    const say = (line: string) => {
      if (line.startsWith("Waiting until process ")) stopping.abort(new Error("stopped by the test"));
    };
    const stopped = await besideWriter(() =>
      made.corpus.rebuildIndex({ ...PLAIN, say, signal: stopping.signal }).catch((reason: unknown) => reason),
    );
    expect(stopped).to.have.property("message", "stopped by the test");
  });
});

import { expect } from "chai";
import { FrequentShingleStore, FrequentShingles } from "../../../src/corpus/index/frequent-shingle-store.ts";
import type { Queryable, Statement } from "../../../src/platform/postgres/database.ts";
import { useCorpus } from "../../support/use-corpus.ts";

const MEASURED = { sampledChunks: 100, chunks: 1_000, chunksMin: 20, documentsMin: 20 };

const rows = (...terms: readonly string[]) => terms.map((term) => ({ term, chunks: 30, documents: 25 }));

describe("the table of frequent shingles", () => {
  const opened = useCorpus();
  const store = new FrequentShingleStore();
  const database = () => opened.corpus.database;
  const replace = (...terms: readonly string[]) =>
    database().transaction((transaction) => store.replace(transaction, MEASURED, rows(...terms)));
  const read = async (db: Queryable) => [...(await store.read(db)).shingles].toSorted();

  it("is empty and without a version before the first measurement", async () => {
    expect(await store.find(database())).to.equal(undefined);
    expect(await store.version(database())).to.equal(0);
    expect(await store.read(database())).to.deep.equal({ version: 0, shingles: new Set() });
    expect(await new FrequentShingles(store).among(database(), ["a"])).to.deep.equal(new Set());
  });

  it("is replaced in one step: others read the old one until the new one is whole", async () => {
    await replace("a", "b");
    await database().transaction(async (transaction) => {
      await store.replace(transaction, MEASURED, rows("c"));
      expect(await read(transaction)).to.deep.equal(["c"]);
      expect(await read(database())).to.deep.equal(["a", "b"]);
      expect(await store.version(database())).to.equal(1);
    });
    expect(await read(database())).to.deep.equal(["c"]);
    expect(await store.find(database())).to.deep.include({ ...MEASURED, version: 2, terms: 1 });
  });

  it("is unchanged when its replacement fails half-way", async () => {
    await replace("d", "e");
    const before = await store.find(database());
    const failed = database().transaction((transaction) =>
      store.replace(transaction, MEASURED, rows("f", "g", "f")),
    );
    expect(await failed.catch(() => "failed")).to.equal("failed");
    expect(await store.find(database())).to.deep.equal(before);
    expect(await read(database())).to.deep.equal(["d", "e"]);
  });

  it("holds one of two tables that are written at once, whole, and counts both", async () => {
    const version = await store.version(database());
    await Promise.all([replace("h", "i"), replace("k", "l")]);
    expect(["h,i", "k,l"]).to.include((await read(database())).join());
    expect(await store.version(database())).to.equal(version + 2);
  });

  it("is read again when its version has changed, and only then", async () => {
    await replace("m", "n");
    const shingles = new FrequentShingles(store);
    const statements: Statement[] = [];
    const counted: Queryable = {
      query: (statement, values) => {
        statements.push(statement);
        return database().query(statement, values);
      },
    };
    expect(await shingles.among(counted, ["m", "x", "n", "m"])).to.deep.equal(new Set(["m", "n"]));
    expect(statements).to.have.lengthOf(2);
    expect(await shingles.among(counted, ["x", "n"])).to.deep.equal(new Set(["n"]));
    expect(statements).to.have.lengthOf(3);
    await replace("x");
    expect(await shingles.among(counted, ["x", "n"])).to.deep.equal(new Set(["x"]));
    expect(statements).to.have.lengthOf(5);
  });

  it("holds more shingles than fit into one statement", async () => {
    const terms = [...Array(25_000).keys()].map((number) => `term${number}`);
    await replace(...terms);
    expect((await store.read(database())).shingles).to.deep.equal(new Set(terms));
    expect(await store.listMostFrequent(database(), 2)).to.deep.equal(rows("term0", "term1"));
  });
});

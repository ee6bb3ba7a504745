import { expect } from "chai";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, indexContent } from "../upkeep/damaged-corpus.ts";

describe("the tombstone cleanup", () => {
  const made = useCorpus();

  async function count(): Promise<number> {
    const rows = await made.corpus.database.query("select 1 from removed_documents");
    return rows.length;
  }

  it("removes the chunks of deleted documents, and then their tombstones", async () => {
    const { corpus } = made;
    await addTexts(corpus, [prose(1, 300), prose(2, 300)]);
    await corpus.database.query("delete from documents");
    expect(await count()).to.equal(2);
    expect(await corpus.cleanUpTombstones()).to.equal(2);
    expect(await count()).to.equal(0);
    expect((await indexContent(corpus)).size).to.equal(0);
  });

  it("keeps a tombstone that was added while an earlier one of the same document was processed", async () => {
    const { database, tombstones } = made.corpus;
    const id = "0199aaaa-0000-7000-8000-000000000001";
    await tombstones.add(database, [id]);
    await database.transaction(async (transaction) => {
      const taken = await tombstones.take(transaction, 10);
      expect(taken.map(({ documentId }) => documentId)).to.deep.equal([id]);
      // Does not wait for the transaction above, whose removal came before this tombstone.
      await tombstones.add(database, [id]);
      await tombstones.delete(transaction, taken);
    });
    expect(await count()).to.equal(1);
    expect(await made.corpus.cleanUpTombstones()).to.equal(1);
    expect(await count()).to.equal(0);
  });

  it("leaves the tombstones when it is told to stop", async () => {
    const { database, tombstones, cleanUpTombstones } = made.corpus;
    await tombstones.add(database, ["0199aaaa-0000-7000-8000-000000000002"]);
    const reason = new Error("closing");
    const refused = await cleanUpTombstones({ signal: AbortSignal.abort(reason) }).catch(
      (error: unknown) => error,
    );
    expect(refused).to.equal(reason);
    expect(await count()).to.equal(1);
  });
});

import { expect } from "chai";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, indexContent } from "./damaged-corpus.ts";

describe("the chunks of documents that are gone", () => {
  const made = useCorpus();

  async function notes(): Promise<number> {
    const rows = await made.corpus.database.query("select 1 from removed_documents");
    return rows.length;
  }

  it("are removed, and the notes of them forgotten", async () => {
    const { corpus } = made;
    await addTexts(corpus, [prose(1, 300), prose(2, 300)]);
    await corpus.database.query("delete from documents");
    expect(await notes()).to.equal(2);
    expect(await corpus.sweepRemoved()).to.equal(2);
    expect(await notes()).to.equal(0);
    expect((await indexContent(corpus)).size).to.equal(0);
  });

  it("stay noted when they are noted again while an earlier note is worked off", async () => {
    const { database, removed } = made.corpus;
    const id = "0199aaaa-0000-7000-8000-000000000001";
    await removed.note(database, [id]);
    await database.transaction(async (transaction) => {
      const taken = await removed.take(transaction, 10);
      expect(taken.map(({ documentId }) => documentId)).to.deep.equal([id]);
      // Does not wait for the transaction above, whose removal came too early for what is noted here.
      await removed.note(database, [id]);
      await removed.forget(transaction, taken);
    });
    expect(await notes()).to.equal(1);
    expect(await made.corpus.sweepRemoved()).to.equal(1);
    expect(await notes()).to.equal(0);
  });

  it("are left for the next time when the sweep is told to end", async () => {
    const { database, removed, sweepRemoved } = made.corpus;
    await removed.note(database, ["0199aaaa-0000-7000-8000-000000000002"]);
    const reason = new Error("closing");
    const refused = await sweepRemoved({ signal: AbortSignal.abort(reason) }).catch(
      (error: unknown) => error,
    );
    expect(refused).to.equal(reason);
    expect(await notes()).to.equal(1);
  });
});

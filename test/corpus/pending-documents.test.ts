import { expect } from "chai";
import { useCorpus } from "../support/use-corpus.ts";
import { prose } from "../support/work/prose.ts";
import { ingest } from "./upkeep/damaged-corpus.ts";

describe("the list of pending documents", () => {
  const made = useCorpus();
  const sorted = (ids: readonly string[]) => [...ids].toSorted();

  async function pending(collection: string, limit = 100): Promise<string[]> {
    return made.corpus.documents.listPendingPlatform(made.corpus.database, collection, limit);
  }

  /** A row says that a document is pending exactly when none says how it is cut. */
  async function expectAgreement(): Promise<void> {
    const [noted, uncut] = await Promise.all([
      made.corpus.database.query("select document_id from pending_documents order by 1"),
      made.corpus.database.query(
        "select document_id from documents left join document_chunks using (document_id) where borders is null order by 1",
      ),
    ]);
    expect(noted).to.deep.equal(uncut);
  }

  it("contains each document from when it is stored until it is matchable, replaced or deleted", async () => {
    const { corpus } = made;
    const ids = await ingest(corpus, [prose(1, 30), prose(2, 30), prose(3, 30), prose(4, 30)]);
    const others = await ingest(corpus, [prose(5, 30)], "other");
    expect(await pending("made")).to.deep.equal(ids);
    expect(await pending("made", 2)).to.deep.equal(ids.slice(0, 2));
    expect(await pending("other")).to.deep.equal(others);
    expect(await pending("none")).to.deep.equal([]);
    await expectAgreement();

    await ingest(corpus, [prose(1, 30)]);
    expect(await pending("made")).to.deep.equal(ids);
    await corpus.fingerprintDocuments(ids.slice(0, 2));
    expect(await pending("made")).to.deep.equal(ids.slice(2));
    await corpus.database.query("delete from documents where document_id = $1", [ids[2]]);
    expect(await pending("made")).to.deep.equal(ids.slice(3));
    await corpus.fingerprintDocuments([...ids, ...others]);
    expect([...(await pending("made")), ...(await pending("other"))]).to.deep.equal([]);
    await expectAgreement();
  });

  it("is right when two processes fingerprint the same documents at once", async () => {
    const { corpus } = made;
    const ids = await ingest(
      corpus,
      Array.from({ length: 40 }, (_, at) => prose(100 + at, 20)),
      "twice",
    );
    await Promise.all([
      corpus.fingerprintDocuments(ids),
      corpus.fingerprintDocuments(sorted(ids).toReversed()),
      corpus.fingerprintDocuments(ids.slice(10)),
    ]);
    expect(await pending("twice")).to.deep.equal([]);
    await expectAgreement();
  });
}).timeout(120_000);

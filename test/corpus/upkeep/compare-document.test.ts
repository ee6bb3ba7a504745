import { expect } from "chai";
import { createCompareDocument } from "../../../src/corpus/upkeep/compare-document.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts } from "./damaged-corpus.ts";

/** What a pool is while its process shuts down, or has no memory left. */
const endedThreads = { run: () => Promise.reject(new Error("the thread was ended")) };

describe("comparing a document with the data derived from it", () => {
  const made = useCorpus();

  it("distinguishes a text that can't be unpacked from threads that are not available", async () => {
    const [id = ""] = await addTexts(made.corpus, [prose(1, 300)]);
    expect(await createCompareDocument(made.corpus)(id)).to.deep.equal([]);

    const failed = await createCompareDocument({ ...made.corpus, compute: endedThreads })(id).catch(
      (error: unknown) => error,
    );
    expect(failed).to.be.an("error").with.property("message", "the thread was ended");

    await made.corpus.database.query("update text_sections set body = 'x' where document_id = $1", [id]);
    expect(await createCompareDocument(made.corpus)(id)).to.deep.equal(["its text can't be unpacked"]);
  });
});

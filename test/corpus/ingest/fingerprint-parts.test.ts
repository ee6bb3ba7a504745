import { expect } from "chai";
import type { CorpusStores } from "../../../src/corpus/index/corpus-stores.ts";
import { cutDocuments } from "../../../src/corpus/ingest/fingerprint-documents.ts";
import { openComputePool } from "../../../src/service/compute-pool.ts";
import { fingerprintText, PART_LENGTH_MAX } from "../../../src/text/fingerprint-text.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";

describe("a long document", function () {
  this.timeout(120_000);
  const made = useCorpus();
  const compute = openComputePool(1);

  after(() => compute.close());

  it("is cut in parts, between which other tasks have their turn, into the chunks of the whole text", async () => {
    const paragraph = `${prose(91, 500)} 𐌰\n\n`;
    const text = paragraph.repeat(Math.ceil((2.5 * PART_LENGTH_MAX) / paragraph.length));
    const [ingested] = await made.corpus.ingestDocuments([
      {
        origin: { scope: "platform", collection: "long", path: "long.txt" },
        ...{ filename: "long.txt", title: "Long", mediaType: "text/plain", language: "en", sourceUrl: null },
        ...{ sizeBytes: 1, sha256: "0".repeat(64), text },
      },
    ]);
    const ended: string[] = [];
    let other: Promise<unknown> | undefined;
    const shared: CorpusStores["compute"] = {
      run: (name, input, signal) => {
        const result = compute.run(name, input, signal);
        // Submitted while the only thread works on the long document.
        other ??= compute.run("countWords", { sections: [], language: "en" }).then(() => ended.push("other"));
        return result;
      },
    };
    const documentIds = [ingested?.document.documentId ?? ""];
    const [cut] = await cutDocuments({ ...made.corpus, compute: shared }, documentIds);
    ended.push("long");
    await other;
    expect(ended).to.deep.equal(["other", "long"]);
    expect(cut?.chunks).to.deep.equal(fingerprintText(text, "en"));
  });
});

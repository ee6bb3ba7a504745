import { expect } from "chai";
import { v7 as uuidv7 } from "uuid";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { ingest } from "../upkeep/damaged-corpus.ts";

describe("the places of chunks in their documents", () => {
  const made = useCorpus();

  it("are those of the borders, in the order in which they are asked for, and undefined where a chunk is gone", async () => {
    const { database, documents, fingerprintDocuments } = made.corpus;
    const ids = await ingest(made.corpus, [prose(1, 700), prose(2, 300)]);
    await fingerprintDocuments(ids);
    const [long, short] = await documents.findMatchable(database, ids);
    const [longId = "", shortId = ""] = [long?.documentId, short?.documentId];
    const borders = long?.chunkOffsets.utf16 ?? [];
    const last = borders.length - 2;
    expect(last).to.be.above(2);
    const asked = [
      { documentId: longId, chunkIndex: last },
      { documentId: uuidv7(), chunkIndex: 0 },
      { documentId: shortId, chunkIndex: 0 },
      { documentId: longId, chunkIndex: 1 },
      { documentId: longId, chunkIndex: last + 1 },
      { documentId: longId, chunkIndex: last },
    ];
    const lastSpan = { start: borders[last], end: borders[last + 1] };
    expect(await documents.findChunkSpans(database, asked)).to.deep.equal([
      lastSpan,
      undefined,
      { start: 0, end: short?.chunkOffsets.utf16[1] },
      { start: borders[1], end: borders[2] },
      undefined,
      lastSpan,
    ]);
    expect(await documents.findChunkSpans(database, [])).to.deep.equal([]);
  });
});

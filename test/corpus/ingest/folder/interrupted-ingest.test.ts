import { rm } from "node:fs/promises";
import { expect } from "chai";
import { prose } from "../../../support/work/prose.ts";
import { failure, MANY, useFolders } from "./folder-corpus.ts";

describe("an interrupted ingest of a folder", () => {
  const made = useFolders();

  it("ends at once by the signal, and continues where it stopped", async () => {
    const stopping = new AbortController();
    await made.folders.write("library", MANY);
    const { ingestDocuments } = made.folders.corpus;
    const stopped = made.folders.ingest(
      "library",
      { signal: stopping.signal },
      {
        ingestDocuments: async (documents) => {
          const ingested = await ingestDocuments(documents);
          stopping.abort(new Error("enough"));
          return ingested;
        },
      },
    );
    expect(await failure(stopped)).to.have.property("message", "enough");
    const left = await made.folders.contents("library");
    expect([...left.files.values()].filter(({ borders }) => borders === null)).not.to.deep.equal([]);

    const rest = await made.folders.ingest("library");
    expect(rest).to.include({ added: 450 - left.files.size, unchanged: left.files.size, failed: 0 });
    const resumed = await made.folders.contents("library");
    await made.folders.expectMatchable("library");
    await made.folders.clear();
    await made.folders.write("library", MANY);
    await made.folders.ingest("library");
    expect(resumed).to.deep.equal(await made.folders.contents("library"));
  }).timeout(120_000);

  for (const store of ["postgres", "opensearch"] as const) {
    it(`waits for ${store} when it is away for a while, and loses nothing`, async () => {
      await made.folders.write("library", MANY);
      const { ingestDocuments } = made.folders.corpus;
      const say = (line: string) => {
        made.folders.said.push(line);
        if (line.includes("Waiting for it")) made.folders[store].mend();
      };
      let isCut = false;
      const result = await made.folders.ingest(
        "library",
        { say },
        {
          ingestDocuments: async (documents) => {
            if (!isCut) await made.folders[store].cut();
            isCut = true;
            return ingestDocuments(documents);
          },
        },
      );
      expect(result).to.include({ added: 450, failed: 0 });
      expect(made.folders.said[0]).to.match(/^(PostgreSQL|OpenSearch) .* Waiting for it up to \d+ s\.$/);
      expect(made.folders.said[1]).to.equal("The stores answer again.");
      await made.folders.expectMatchable("library");
    }).timeout(120_000);
  }

  it("gives up when a store stays away, and says that the next run continues", async () => {
    await made.folders.write("library", { "a.txt": prose(1, 30) });
    await made.folders.opensearch.cut();
    const error = await failure(made.folders.ingest("library", {}, { storeWaitMs: 100 }));
    expect(error).to.have.property("code", "store_unavailable");
    expect(error)
      .to.have.property("message")
      .that.matches(/^OpenSearch .* Run the same command again to continue where it stopped\.$/);
    await made.folders.opensearch.mend();
    expect(await made.folders.ingest("library")).to.include({ unchanged: 1, failed: 0, chunks: 1 });
    await made.folders.expectMatchable("library");
  }).timeout(120_000);

  it("makes matchable what an earlier run has left pending, in this folder only", async () => {
    await made.folders.write("library", { "a.txt": prose(1, 30), "b.txt": prose(2, 30) });
    await made.folders.write("library2", { "c.txt": prose(3, 30) });
    const interrupted = { fingerprintDocuments: () => Promise.reject(new Error("cut off")) };
    for (const folder of ["library", "library2"]) await made.folders.ingest(folder, {}, interrupted);
    await rm(made.folders.at("library", "b.txt"));
    expect(await made.folders.ingest("library")).to.include({ added: 0, unchanged: 1, chunks: 2 });
    await made.folders.expectMatchable("library");
    const { files } = await made.folders.contents("library2");
    expect([...files.values()].map(({ borders }) => borders)).to.deep.equal([null]);
  });
});

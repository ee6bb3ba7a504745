import { createHash } from "node:crypto";
import { expect } from "chai";
import type { Origin, SourceDocument } from "../../../src/corpus/documents/document.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";

const DOCUMENTS = 12;
const ROUNDS = 8;

describe("ingests of overlapping batches at once", function () {
  this.timeout(120_000);
  const made = useCorpus();

  /** The documents of one round; each version of a round has other texts, at the same paths. */
  function batch(scope: Origin["scope"], round: number, version: number): SourceDocument[] {
    return Array.from({ length: DOCUMENTS }, (_, number) => {
      const text = prose(10_000 * version + 100 * round + number, 20);
      const sha256 = createHash("sha256").update(text).digest("hex");
      const path = `${round}/${number}.txt`;
      return {
        origin: scope === "uploaded" ? { scope } : { scope, collection: "made", path },
        filename: "a.txt",
        title: "A text",
        mediaType: "text/plain",
        language: "en",
        sourceUrl: null,
        sizeBytes: Buffer.byteLength(text),
        sha256,
        text,
      };
    });
  }

  async function deadlocks(): Promise<number> {
    const [row] = await made.corpus.database.query<{ deadlocks: number }>(
      "select deadlocks from pg_stat_database where datname = current_database()",
    );
    return row?.deadlocks ?? Number.NaN;
  }

  for (const scope of ["uploaded", "platform"] as const) {
    it(`never deadlock, in whatever order they come (${scope})`, async () => {
      const before = await deadlocks();
      for (let round = 0; round < ROUNDS; round += 1) {
        const batches = [0, 0, 1, 1].map((version, at) => {
          const documents = batch(scope, round, version);
          return at % 2 === 0 ? documents : documents.toReversed();
        });
        const ingested = await Promise.all(
          batches.map((documents) => made.corpus.ingestDocuments(documents)),
        );
        const added = ingested.flat().filter(({ outcome }) => outcome === "added");
        expect(added).to.have.lengthOf(scope === "uploaded" ? 2 * DOCUMENTS : DOCUMENTS);
      }
      expect(await deadlocks()).to.equal(before);
    });
  }
});

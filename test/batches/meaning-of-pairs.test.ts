import { expect } from "chai";
import { textAt } from "../checks/reports/report-laws.ts";
import { adoptModel, ENCODER_DATA_DIR, useEncoderFiles } from "../support/encoder.ts";
import { useEngine } from "../support/use-engine.ts";
import { GLASSWORKS, GLASSWORKS_TRANSLATED, OWN_GERMAN } from "../support/work/glassworks.ts";
import { prose } from "../support/work/prose.ts";
import { BatchClient } from "./batch-client.ts";

describe("the sentences that correspond in a pair of a batch", function () {
  this.timeout(120_000);
  useEncoderFiles();
  const engine = useEngine({ semantic: true, dataDir: ENCODER_DATA_DIR });
  const batches = new BatchClient(() => engine.client);
  let batchId = "";
  let ids: readonly string[] = [];

  before(async () => {
    await adoptModel(engine.client);
    // Each smiley has two UTF-16 units.
    const { batch } = await batches.compared([
      { name: "english", text: `🙂🙂 ${prose(772, 40)}\n\n${GLASSWORKS}`, language: "en" },
      { name: "german", text: `🙂 ${OWN_GERMAN}\n\n${GLASSWORKS_TRANSLATED}`, language: "de" },
    ]);
    batchId = batch.batch_id;
    ids = batch.members.map(({ member_id }) => member_id);
  });

  const sentences = (text: string) => text.split(/(?<=\.) /);

  for (const unit of ["code_point", "utf16"] as const)
    it(`are listed with their places in both texts: ${unit}`, async () => {
      const [english = "", german = ""] = ids;
      const pair = await batches.pair(batchId, english, german, `?offset_unit=${unit}`);
      const [passage] = pair.passages;
      expect(pair.passages.map(({ match_type }) => match_type)).to.deep.equal(["translated"]);
      const { sentence_pairs: pairs = [], shared_words: words = [] } = passage?.meaning ?? {};
      expect(
        pairs.map((one) => textAt(unit, pair.b.text, one.query_start, one.query_end).trim()),
      ).to.deep.equal(sentences(GLASSWORKS_TRANSLATED));
      expect(
        pairs.map((one) =>
          textAt(unit, pair.a.text, one.source_document_start, one.source_document_end).trim(),
        ),
      ).to.deep.equal(sentences(GLASSWORKS).toSpliced(2, 1));
      for (const { margin } of pairs) expect(margin).to.be.within(0.05, 1);
      expect(words).to.include.members(["Brunnfeld", "1702"]);
      expect(passage?.meaning).to.include({ query_language: "de", source_language: "en" });
    });

  it("are the same in the report of each member, seen from its text", async () => {
    const [english = "", german = ""] = ids;
    const { passages, a, b } = await batches.pair(batchId, english, german);
    const meaningIn = async (checkId: string) =>
      (await engine.client.report(checkId)).batch?.members.flatMap((other) =>
        other.passages.map(({ meaning }) => meaning),
      );
    const meanings = passages.map(({ meaning }) => meaning);
    expect(await meaningIn(b.check_id)).to.deep.equal(meanings);
    expect(await meaningIn(a.check_id)).to.deep.equal(
      meanings.map(
        (meaning) =>
          meaning && {
            ...meaning,
            query_language: "en",
            source_language: "de",
            sentence_pairs: meaning.sentence_pairs.map((pair) => ({
              query_start: pair.source_document_start,
              query_end: pair.source_document_end,
              source_document_start: pair.query_start,
              source_document_end: pair.query_end,
              margin: pair.margin,
            })),
          },
      ),
    );
  });
});

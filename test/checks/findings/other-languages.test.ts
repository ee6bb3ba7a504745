import { expect } from "chai";
import { readDeclarations } from "../../../measure/evaluation/texts/declarations.ts";
import { ENCODER_DATA_DIR, useEncoderFiles } from "../../support/encoder.ts";
import { useEngine } from "../../support/use-engine.ts";
import { markedTexts } from "../reports/report-laws.ts";

/** Languages of several families and scripts that the encoder was not trained with. */
const LANGUAGES = ["bn", "cy", "eu", "hi", "is", "lv", "sl", "so", "tk-Cyrl", "uk", "yo", "zu"];

/** Formulas of the declaration, such as "everyone has the right to", are marked in some languages. */
const MARKED_MAX = 0.25;

describe("texts in languages that the encoder does not know", function () {
  this.timeout(240_000);
  useEncoderFiles();
  const engine = useEngine({ semantic: true, dataDir: ENCODER_DATA_DIR });

  it("are not reported as paraphrases of each other, although all of their sentences are similar", async () => {
    const declarations = (await readDeclarations()).filter(({ tag }) => LANGUAGES.includes(tag));
    expect(declarations).to.have.length(LANGUAGES.length);
    const added = await Promise.all(
      declarations.map(({ tag, halves }) => engine.client.addDocument(`${tag}.txt`, halves[1])),
    );
    await engine.client.encoded(added.map((one) => one.document_id));
    let marked = 0;
    for (const { halves } of declarations) {
      const report = await engine.client.checked(halves[0]);
      marked += markedTexts(report).join("").length / halves[0].length;
    }
    expect(marked / declarations.length).to.be.below(MARKED_MAX);
  });
});

import { expect } from "chai";
import { RULE_ABLATIONS } from "../../../../measure/evaluation/ablation/ablations.ts";
import { constantAblations } from "../../../../measure/evaluation/ablation/constants.ts";
import { type Ablation, changedModel } from "../../../../measure/evaluation/ablation/measure-model.ts";
import { align } from "../../../../src/matching/words/align.ts";
import { ALIGNMENT } from "../../../../src/matching/words/model.ts";
import { prepareQuery } from "../../../../src/matching/words/text-pair.ts";
import { newWords, tokenised } from "../../../matching/words/sample-texts.ts";

describe("the ablation", () => {
  const all = [...RULE_ABLATIONS, ...constantAblations()];

  it("changes the model, each time in another way, and never that of every check", () => {
    const before = JSON.stringify(ALIGNMENT);
    const models = all.map((ablation) => JSON.stringify(changedModel([ablation]), withInfinity));
    expect(models).to.not.include(before);
    expect(new Set(models.slice(RULE_ABLATIONS.length)).size).to.equal(constantAblations().length);
    expect(JSON.stringify(ALIGNMENT)).to.equal(before);
  });

  it("has a name of its own for each change", () => {
    const names = all.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
  });

  it("disables every rule of the model", () => {
    const { rules } = changedModel(RULE_ABLATIONS);
    expect(Object.values(rules)).to.deep.equal(Object.keys(ALIGNMENT.rules).map(() => false));
  });

  it("changes the numbers of the model, alone and in groups, each to a smaller and a larger one", () => {
    expect(constantAblations().map(({ name }) => name)).to.include.members([
      "kept 0.42 → 0.336",
      "kept 0.42 → 0.525",
      "decision.namesOnly -5 → -4",
      "coveredShareMost 0.75 → 0.6",
      "ascentSourcePadding.0 113 → 90",
    ]);
  });

  it("applies several changes at once, and the alignment uses them", () => {
    const copy = newWords("copied", 30);
    const found = (changes: readonly Ablation[]) => {
      const options = { language: "en", model: changedModel(changes) };
      const query = prepareQuery(tokenised(`${newWords("own", 40)}. ${copy}.`), options);
      return align(query, tokenised(`${newWords("other", 40)}. ${copy}.`)).kept.length;
    };
    const chosen = all.filter(({ name }) => name === "copies below the decision score");
    const strict: Ablation = {
      name: "a high threshold",
      change: (model) => {
        model.decision.bias = -1_000;
      },
    };
    expect(found([])).to.equal(1);
    expect(found(chosen)).to.equal(1);
    expect(found([strict])).to.equal(1);
    expect(found([...chosen, strict])).to.equal(0);
  });
});

/** JSON has no infinity. */
function withInfinity(_key: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? "infinity" : value;
}

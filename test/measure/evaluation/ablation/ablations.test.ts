import { expect } from "chai";
import {
  changedModel,
  constantAblations,
  RULE_ABLATIONS,
} from "../../../../measure/evaluation/ablation/ablations.ts";
import { MODEL } from "../../../../src/matching/words/model.ts";

describe("the ablation", () => {
  it("changes the model with each of its changes, and has a name for each", () => {
    const ablations = [
      ...RULE_ABLATIONS.filter(({ language }) => language === undefined),
      ...constantAblations(),
    ];
    for (const { name, change } of ablations) expect(changedModel(change), name).to.not.deep.equal(MODEL);
    expect(new Set(ablations.map(({ name }) => name)).size).to.equal(ablations.length);
  });

  it("changes only the given constants, and no group that the model lacks", () => {
    expect(changedModel({ chance: { burst: 1 } })).to.deep.equal({
      ...MODEL,
      chance: { ...MODEL.chance, burst: 1 },
    });
    for (const { change } of RULE_ABLATIONS)
      expect(Object.keys(changedModel(change))).to.deep.equal(Object.keys(MODEL));
  });

  it("makes each constant smaller and larger, whole numbers by at least one", () => {
    const names = constantAblations().map(({ name }) => name);
    expect(names).to.include.members(["chance.min 0.02 → 0.016", "chance.min 0.02 → 0.025"]);
    expect(names).to.include.members(["decision.rareWords 2 → 1", "decision.rareWords 2 → 3"]);
  });
});

import { expect } from "chai";
import { formulaLength } from "../../../src/matching/meaning/formulas.ts";

describe("the formulas of a sentence", () => {
  for (const [sentence, formulas] of [
    ["Let $v_{i}$ be a node of $G=(V, E)$.", "$v_{i}$$G=(V, E)$"],
    ["The rate \\alpha grows with x_1 and y^2.", "\\alpha_^"],
    ["It costs $5 or $10, and US$ 20 at most.", ""],
    ["They paid $5-$10 a day.", ""],
    ["No formula is here.", ""],
  ] as const)
    it(`have the length of ${JSON.stringify(formulas)} in ${JSON.stringify(sentence)}`, () => {
      expect(formulaLength(sentence)).to.equal(formulas.length);
    });
});

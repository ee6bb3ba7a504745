import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { RULE_ABLATIONS } from "../../../../measure/evaluation/ablation/ablations.ts";
import {
  constantAblations,
  MODEL_FILE,
  NOT_FITTED,
} from "../../../../measure/evaluation/ablation/constants.ts";
import { applyEdit, ROOT } from "../../../../measure/evaluation/ablation/measure-sources.ts";

describe("the ablation", () => {
  it("applies each of its edits to the sources, where each text occurs exactly once", async () => {
    for (const { edits } of [...RULE_ABLATIONS, ...(await constantAblations())]) {
      for (const edit of edits) {
        const source = await readFile(join(ROOT, edit.file), "utf8");
        expect(applyEdit(source, edit)).to.not.equal(source);
      }
    }
  });

  it("has a name of its own for each change", async () => {
    const names = [...RULE_ABLATIONS, ...(await constantAblations())].map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
  });

  it("finds the constants of the model, alone and in tables, each smaller and larger", async () => {
    const names = (await constantAblations()).map(({ name }) => name);
    expect(names).to.include.members([
      "KEPT 0.42 → 0.336",
      "KEPT 0.42 → 0.525",
      "DECISION.namesOnly -5 → -4",
      "COVERED_SHARE_MOST 0.75 → 0.6",
    ]);
  });

  it("leaves out only constants that exist", async () => {
    const model = await readFile(join(ROOT, MODEL_FILE), "utf8");
    for (const name of NOT_FITTED)
      expect(model).to.include(name.split(".")[0]).and.include(name.split(".").at(-1));
  });

  it("refuses a text that occurs twice or not at all", () => {
    const edit = { file: "a.ts", find: "x", replace: "y" };
    expect(applyEdit("a x b", edit)).to.equal("a y b");
    expect(() => applyEdit("x x", edit)).to.throw('a.ts contains "x" 2 times instead of once.');
    expect(() => applyEdit("a", edit)).to.throw('a.ts contains "x" 0 times instead of once.');
  });
});

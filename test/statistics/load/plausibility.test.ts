import { expect } from "chai";
import { implausibleChanges, unknownReason } from "../../../src/statistics/load/plausibility.ts";

describe("a refresh", () => {
  it("is not plausible when a kind that was counted before is missing altogether", () => {
    const before = { rows: 1_000, "keys of country": 200, "keys of discipline": 26 };
    const after = { rows: 974, "keys of country": 200 };
    expect(implausibleChanges(before, after)).to.deep.equal(["keys of discipline: 0, 26 before"]);
  });

  it("may have an unknown reason no longer", () => {
    expect(implausibleChanges({ papers: 40, [unknownReason("Plagiarism of Idea")]: 40 }, { papers: 40 })).to
      .be.empty;
  });
});

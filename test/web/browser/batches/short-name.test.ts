import { expect } from "chai";
import { shortNames } from "../../../../src/web/browser/batches/batch-wording.ts";

const shown = (names: readonly string[], charsMax = 18) => [...shortNames(names, charsMax).values()];

describe("short names of members", () => {
  it("begin with the student's name where a learning platform appends the same to all", () => {
    const names = ["Keller Anna", "Keller Benedikt", "Frey Carl"].map(
      (student, at) =>
        `HS26 Abgabe/${student}_1234${at}_assignsubmission_file/Essay final_v2 (korrigiert).docx`,
    );
    expect(shown(names)).to.deep.equal(["Keller Anna_12340", "Keller Benedikt_1…", "Frey Carl_12342"]);
  });

  it("begin with it also where the files have names of their own", () => {
    const names = [
      "Keller Anna_17_assignsubmission_file/Essay.docx",
      "Frey Carl_18_assignsubmission_file/Hausarbeit.pdf",
    ];
    expect(shown(names, 13)).to.deep.equal(["Keller Anna_…", "Frey Carl_18…"]);
  });

  it("keep the end where only it tells names apart", () => {
    const names = ["one", "two", "three"].map((name) => `an unusually long folder/${name}.txt`);
    expect(shown([...names, "another long folder/four.txt"], 8)).to.deep.equal([
      "…der/one",
      "…der/two",
      "…r/three",
      "…er/four",
    ]);
  });

  it("leave out the folder and the ending, at whole parts only", () => {
    expect(shown(["essays/anna/text.txt", "essays/anton/text.txt"], 10)).to.deep.equal(["anna", "anton"]);
    expect(shown(["text 1.txt", "text 2.txt"])).to.deep.equal(["text 1", "text 2"]);
    expect(shown(["anna.txt", "anton.txt"], 4)).to.deep.equal(["anna", "ant…"]);
  });

  it("are never empty", () => {
    for (const names of [
      [".txt"],
      ["essay"],
      ["essay.txt", "essay_2.txt"],
      ["a_x", "_x"],
      ["a/", "a/b"],
      ["a b", "a b c"],
    ])
      expect(shown(names, 2), names.join()).to.not.include("");
    expect(shown(["only one/of them.txt"])).to.deep.equal(["only one/of them"]);
    expect(shown([])).to.deep.equal([]);
  });
});

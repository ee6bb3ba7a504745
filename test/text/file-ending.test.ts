import { expect } from "chai";
import { withoutFileEnding } from "../../src/text/file-ending.ts";

describe("the name of a text without the ending of its file", () => {
  it("lacks the ending of every kind of file that is read, in any case", () => {
    for (const ending of ["pdf", "docx", "docm", "dotx", "txt", "md", "PDF", "Docx"])
      expect(withoutFileEnding(`essay.v2.${ending}`)).to.equal("essay.v2");
  });

  it("keeps other ends of names, and a name that is only an ending", () => {
    for (const name of ["Vol. 2.5", "essay", "pdf", ".pdf", "archive.zip", "essay.pdf.", ""])
      expect(withoutFileEnding(name)).to.equal(name);
  });
});

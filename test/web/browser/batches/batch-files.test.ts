import { expect } from "chai";
import { addedFiles } from "../../../../src/web/browser/batches/batch-files.ts";

const fileOf = (name: string, text: string, lastModified = 1) => new File([text], name, { lastModified });

describe("the files of a batch", () => {
  it("are listed by name, each once, without those of the system", () => {
    const chosen = addedFiles([], [fileOf("essay 10.txt", "ten"), fileOf("essay 9.txt", "nine")]);
    const again = addedFiles(chosen, [fileOf("essay 9.txt", "nine"), fileOf("set/.DS_Store", "x")]);
    expect(again.map(({ name }) => name)).to.deep.equal(["essay 9.txt", "essay 10.txt"]);
  });

  it("get a number when another text has their name", async () => {
    const [anna, ben] = [fileOf("essay.txt", "by Anna"), fileOf("essay.txt", "by Ben", 2)];
    const chosen = addedFiles([anna], [ben, fileOf("essay.txt", "by Cy", 3)]);
    expect(chosen.map(({ name }) => name)).to.have.members(["essay.txt", "essay (2).txt", "essay (3).txt"]);
    expect(await Promise.all(chosen.map((file) => file.text()))).to.have.members([
      "by Anna",
      "by Ben",
      "by Cy",
    ]);
    expect(addedFiles(chosen, [anna, ben])).to.have.length(3);
  });
});

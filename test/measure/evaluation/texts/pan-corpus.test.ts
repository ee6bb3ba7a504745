import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { type PanFolderInput, writePanFolder } from "../../../../measure/evaluation/support/pan-folder.ts";
import {
  isPanCorpus,
  readPanCorpus,
  readQuery,
  readText,
} from "../../../../measure/evaluation/texts/pan-corpus.ts";

const INPUT: PanFolderInput = {
  queries: { "susp1.txt": "one\r\ntwo 😀 three", "susp2.txt": "four\0five" },
  sources: { "src-a.txt": "two", "src-b.txt": "five" },
  pairs: [
    { className: "02-copied", queryName: "susp1.txt", sourceName: "src-a.txt", passages: [[5, 3, 0, 3]] },
    { className: "01-clean", queryName: "susp1.txt", sourceName: "src-b.txt", passages: [] },
    {
      className: "02-copied",
      queryName: "susp2.txt",
      sourceName: "src-b.txt",
      passages: [
        [5, 4, 0, 4],
        [0, 4, 0, 4],
      ],
    },
  ],
};

describe("a corpus in PAN's layout", () => {
  let folder: string;

  before(async () => {
    folder = await writePanFolder(INPUT);
  });

  after(() => rm(folder, { recursive: true }));

  it("is read with its classes, pairs and cases", async () => {
    const { pairs } = await readPanCorpus(folder);
    expect(
      pairs.map(({ className, queryName, sourceName }) => [className, queryName, sourceName]),
    ).to.deep.equal([
      ["01-clean", "susp1.txt", "src-b.txt"],
      ["02-copied", "susp1.txt", "src-a.txt"],
      ["02-copied", "susp2.txt", "src-b.txt"],
    ]);
    expect(pairs[0]?.cases).to.deep.equal([]);
    expect(pairs[1]?.cases).to.deep.equal([
      { query: { start: 5, end: 8 }, source: { start: 0, end: 3 }, kind: "random" },
    ]);
    expect(pairs[2]?.cases).to.have.length(2);
  });

  it("keeps line ends, because the offsets count them", async () => {
    const text = await readQuery(folder, "susp1.txt");
    expect([...text].slice(5, 8).join("")).to.equal("two");
  });

  it("replaces a character that can't be stored with a space, so that offsets stay the same", async () => {
    expect(await readText(join(folder, "susp", "susp2.txt"))).to.equal("four five");
  });

  it("is distinguished from other folders", () => {
    expect(isPanCorpus(folder)).to.equal(true);
    expect(isPanCorpus(join(folder, "susp"))).to.equal(false);
  });

  it("is refused if a passage has no length", async () => {
    const broken = await writePanFolder({
      ...INPUT,
      pairs: [
        { className: "02-copied", queryName: "susp1.txt", sourceName: "src-a.txt", passages: [[5, 0, 0, 3]] },
      ],
    });
    const refusal = await readPanCorpus(broken).catch((error: unknown) => error);
    await rm(broken, { recursive: true });
    expect(String(refusal)).to.contain("this_length");
  });
});

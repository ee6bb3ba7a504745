import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { Journal } from "../../../src/statistics/sources/fetching/journal.ts";
import { refusal } from "../written-file.ts";

describe("the journal of a fetch", () => {
  let folder = "";
  let path = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "journal-"));
    path = join(folder, "journal.jsonl");
  });
  afterEach(() => rm(folder, { recursive: true }));

  const journal = () => new Journal(path, z.object({ text: z.string() }));
  const texts = async () => (await Array.fromAsync(journal().read())).map(({ text }) => text);

  it("is empty at first, returns the added records, and is empty again after its removal", async () => {
    expect(await texts()).to.deep.equal([]);
    await journal().append({ text: "one" }, { text: "two\nlines\u2028of text" });
    await journal().append({ text: "three" });
    expect(await texts()).to.deep.equal(["one", "two\nlines\u2028of text", "three"]);
    await journal().remove();
    expect(await texts()).to.deep.equal([]);
  });

  it("drops only an incomplete last record, however long", async () => {
    for (const torn of ['{"te', `{"text":"${"x".repeat(200_000)}`]) {
      await journal().append({ text: "whole" });
      await appendFile(path, torn);
      await journal().append({ text: "after" });
      expect(await texts()).to.deep.equal(["whole", "after"]);
      expect(await readFile(path, "utf8")).to.equal('{"text":"whole"}\n{"text":"after"}\n');
      await journal().remove();
      await appendFile(path, torn);
      expect(await texts()).to.deep.equal([]);
      await journal().remove();
    }
  });

  it("reports unexpected contents", async () => {
    await appendFile(path, '{"number":1}\n');
    expect(await refusal(texts())).to.equal("journal.jsonl is damaged");
  });
});

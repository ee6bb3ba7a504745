import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { Journal } from "../../../src/statistics/sources/fetching/journal.ts";
import { refusal } from "../written-file.ts";

describe("a journal of what was fetched", () => {
  let folder = "";
  let path = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "journal-"));
    path = join(folder, "journal.jsonl");
  });
  afterEach(() => rm(folder, { recursive: true }));

  const journal = () => new Journal(path, z.object({ text: z.string() }));
  const texts = async () => (await Array.fromAsync(journal().read())).map(({ text }) => text);

  it("is empty at first, gives back what was added, and is empty again when it was removed", async () => {
    expect(await texts()).to.deep.equal([]);
    await journal().append({ text: "one" }, { text: "two\nlines\u2028of text" });
    await journal().append({ text: "three" });
    expect(await texts()).to.deep.equal(["one", "two\nlines\u2028of text", "three"]);
    await journal().remove();
    expect(await texts()).to.deep.equal([]);
  });

  it("forgets a record that was torn, however long, and no other", async () => {
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

  it("says when it holds something else", async () => {
    await appendFile(path, '{"number":1}\n');
    expect(await refusal(texts())).to.equal("journal.jsonl is damaged");
  });
});

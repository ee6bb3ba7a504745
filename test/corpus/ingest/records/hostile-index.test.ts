import { expect } from "chai";
import { prose } from "../../../support/work/prose.ts";
import { failure } from "../folder/folder-corpus.ts";
import { useIndices } from "./index-documents.ts";

describe("ingesting a hostile index", function () {
  this.timeout(120_000);
  const indices = useIndices();

  it("keeps the good documents beside identifiers and values of any type, size and encoding", async () => {
    const body = (seed: number) => prose(seed, 40);
    await indices.corpus.opensearch.indices.create({
      index: indices.nameOf("hostile"),
      body: { mappings: { enabled: false } },
    });
    await indices.write("hostile", {
      good: { body: body(1), title: "good" },
      "nul\u0000in": { body: body(2) },
      "..": { body: body(3) },
      "%2e/ \u202e": { body: `${body(4)}\u0000\ufffe` },
      object: { body: { deeper: body(5) }, title: { a: 1 } },
      list: { body: [[body(6)], null, 7, { a: 1 }], title: ["a", ["b"]] },
      number: { body: 42, title: false },
      blank: { body: "   " },
      huge: { body: "word ".repeat(1_000_000) },
      deep: { body: JSON.parse(`${"[".repeat(900)}"${body(9)}"${"]".repeat(900)}`) },
    });
    const { added, failures } = await indices.ingest("hostile", { title: "title" });
    const { files } = await indices.contents("hostile");
    expect({ added, failed: failures.map(({ path }) => path).toSorted() }).to.deep.equal({
      added: files.size,
      failed: ["blank", "nul\u0000in", "object"],
    });
    await indices.expectMatchable("hostile");
  });

  it("says which field is missing when the mapping is another one, and deletes nothing", async () => {
    await indices.write("moved", { a: { body: prose(1, 40) }, b: { body: prose(2, 40) } });
    expect((await indices.ingest("moved")).added).to.equal(2);
    await indices.corpus.opensearch.indices.delete({ index: indices.nameOf("moved") });
    await indices.write("moved", { a: { content: prose(1, 40) }, b: { content: prose(2, 40) } });
    expect(String(await failure(indices.ingest("moved")))).to.match(/has the field body \(--text\)/);
    expect((await indices.contents("moved")).files.size).to.equal(2);
  });
});

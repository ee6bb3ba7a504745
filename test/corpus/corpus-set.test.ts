import { createHash } from "node:crypto";
import { expect } from "chai";
import { z } from "zod";
import { corpusSet } from "../../src/corpus/corpus-set.ts";
import type { CorpusSelection } from "../../src/corpus/documents/document-store.ts";
import { readIndexTemplate } from "../../src/platform/opensearch/index-template.ts";
import { useCorpus } from "../support/use-corpus.ts";
import { prose } from "../support/work/prose.ts";
import { PLAIN } from "./upkeep/rebuild-runs.ts";

const WHOLE: CorpusSelection = { collections: null, withoutOwner: null, withoutGroup: null };

describe("the corpus as a set", () => {
  const made = useCorpus();
  const ids = new Map<string, string>();

  before(async () => {
    for (const [seed, name] of ["ann", "bob", "eve"].entries()) {
      const text = prose(seed, 100);
      const [added] = await made.corpus.ingestDocuments([
        {
          origin: { scope: "uploaded", collection: name === "eve" ? "theses" : "essays" },
          belonging: { owner: name, group: name === "bob" ? "drafts" : null },
          ...{ filename: name, title: name, mediaType: "text/plain", language: "en", sourceUrl: null },
          ...{ text, sizeBytes: text.length, sha256: createHash("sha256").update(text).digest("hex") },
        },
      ]);
      ids.set(added?.document.documentId ?? "", name);
    }
    await made.corpus.fingerprintDocuments([...ids.keys()]);
    await made.corpus.chunkIndex.addMeaningTerms(
      new Map([...ids.keys()].map((id) => [id, new Map([[0, ["1-77"]]])])),
    );
  });

  async function near(selection?: CorpusSelection): Promise<string[]> {
    const [found] = await corpusSet(made.corpus, selection).findNear(
      [[[{ term: "1-77", weight: 1 }]]],
      10,
      5_000,
    );
    return (found?.hits ?? []).map(({ documentId }) => ids.get(documentId) ?? "").toSorted();
  }

  it("searches a selection of documents by meaning, too", async () => {
    expect(await near()).to.deep.equal(["ann", "bob", "eve"]);
    expect(await near({ ...WHOLE, withoutOwner: "ann" })).to.deep.equal(["bob", "eve"]);
    expect(await near({ ...WHOLE, withoutGroup: "drafts" })).to.deep.equal(["ann", "eve"]);
    expect(await near({ ...WHOLE, collections: ["essays"] })).to.deep.equal(["ann", "bob"]);
    expect(await near({ ...WHOLE, collections: ["essays", "theses"], withoutOwner: "eve" })).to.deep.equal([
      "ann",
      "bob",
    ]);
  });

  it("counts the documents of a selection", async () => {
    const count = (selection: Partial<CorpusSelection>, max = 10) =>
      made.corpus.documents.countSelected(made.corpus.database, { ...WHOLE, ...selection }, max);
    expect(await count({ collections: ["essays"] })).to.deep.equal({
      matchable: 2,
      encoded: 0,
      lacking: 2,
    });
    expect(await count({ withoutOwner: "eve", withoutGroup: "drafts" })).to.deep.equal({
      matchable: 1,
      encoded: 0,
      lacking: 1,
    });
  });

  it("estimates a large selection, and takes the documents that wait for their meaning from the backlog", async () => {
    const { database, documents } = made.corpus;
    await database.query(
      "insert into semantic_backlog (document_id) select document_id from documents on conflict do nothing",
    );
    await database.query("delete from semantic_backlog where document_id = $1", [idOf("ann")]);
    await database.query("analyze");
    const count = (selection: Partial<CorpusSelection>, max: number) =>
      documents.countSelected(database, { ...WHOLE, ...selection }, max);
    expect(await count({}, 1)).to.deep.equal({ matchable: 3, encoded: 1, lacking: 2 });
    expect((await count({ collections: ["essays"] }, 1)).lacking).to.equal(1);
    expect((await count({ withoutOwner: "ann", collections: ["essays"] }, 1)).matchable).to.equal(1);
  });

  it("never aligns with a document that is left out, even where its chunks lack the fields of the filter", async () => {
    const selected = corpusSet(made.corpus, { ...WHOLE, collections: ["essays"], withoutGroup: "drafts" });
    const found = await selected.findDocuments([...ids.keys()]);
    expect(found.map(({ documentId }) => ids.get(documentId))).to.deep.equal(["ann"]);
  });

  function idOf(name: string): string | undefined {
    return [...ids].find(([, known]) => known === name)?.[0];
  }
});

describe("an index of a release without collections", () => {
  const made = useCorpus();

  async function add(text: string, origin: { scope: "uploaded"; collection?: string }): Promise<string> {
    const [added] = await made.corpus.ingestDocuments([
      {
        ...{ origin, belonging: { owner: "ann", group: null } },
        ...{ filename: "a", title: "a", mediaType: "text/plain", language: "en", sourceUrl: null },
        ...{ text, sizeBytes: text.length, sha256: createHash("sha256").update(text).digest("hex") },
      },
    ]);
    const id = added?.document.documentId ?? "";
    await made.corpus.fingerprintDocuments([id]);
    return id;
  }

  it("takes documents with an owner at once, and answers for collections after a rebuild", async () => {
    const { chunkIndex, opensearch } = made.corpus;
    const { opensearchIndexPrefix: prefix } = made.options;
    await opensearch.indices.delete({ index: `${prefix}chunks-v1` });
    await opensearch.indices.putIndexTemplate({
      name: `${prefix}chunks`,
      body: await earlierTemplate(prefix),
    });
    await chunkIndex.createFirst();
    // As this release does at its start.
    await chunkIndex.putTemplates();
    const asked = await chunkIndex.assertCollections().catch((error: Error) => error.message);
    expect(asked).to.include("npm run corpus:rebuild");
    const documentId = await add(prose(9, 60), { scope: "uploaded", collection: "essays" });
    expect(await chunkIndex.count({ term: { owner: "ann" } })).to.equal(1);
    expect(await chunkIndex.countOf([documentId])).to.deep.equal(new Map([[documentId, 1]]));
    await made.corpus.rebuildIndex(PLAIN);
    await chunkIndex.assertCollections();
    expect(await chunkIndex.count({ term: { collection: "essays" } })).to.equal(1);
  });

  async function earlierTemplate(prefix: string) {
    const { template, ...file } = await readIndexTemplate("chunks", prefix);
    const { properties, _meta, ...mappings } = Mappings.parse(template.mappings);
    const { collection: _c, owner: _o, group: _g, ...known } = properties;
    const { has_collections: _h, ...meta } = _meta;
    const earlier: Record<string, unknown> = { ...mappings, properties: known, _meta: meta };
    return { ...file, template: { ...template, mappings: earlier } };
  }
});

const Mappings = z.looseObject({ properties: z.looseObject({}), _meta: z.looseObject({}) });

import { expect } from "chai";
import { pino } from "pino";
import { openCorpus } from "../../../src/service/connect-corpus.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, indexContent } from "./damaged-corpus.ts";
import { agrees, roles } from "./rebuild-runs.ts";

const QUIET = { say: () => undefined };

describe("a chunk index that is missing", () => {
  const made = useCorpus();
  let whole: ReadonlyMap<string, unknown>;

  before(async () => {
    await addTexts(made.corpus, [prose(1, 700), prose(2, 700), prose(3, 700)]);
    whole = await indexContent(made.corpus);
  });

  async function dropIndices(): Promise<void> {
    await made.corpus.opensearch.indices.delete({ index: made.corpus.chunkIndex.names.everyIndex });
  }

  it("stays missing when a process starts, as an empty one would pass for the whole corpus", async () => {
    await dropIndices();
    const other = await openCorpus(made.options, pino({ level: "silent" }));
    await other.close();
    expect(await made.corpus.chunkIndex.state()).to.equal("missing");
  });

  it("is never searched, written or compared", async () => {
    const { chunkIndex, fingerprintDocuments, reconcile, documents, database } = made.corpus;
    const [id = ""] = [...whole.keys()].map((key) => key.split(":")[0] ?? "");
    expect(await documents.countMatchable(database)).to.equal(3);
    const refusals = await Promise.all(
      [
        chunkIndex.search([["term"]], 5, 1_000),
        fingerprintDocuments([id]),
        reconcile(),
        made.corpus.refreshStatistics(),
      ].map((work) => work.then(() => "done", String)),
    );
    for (const refusal of refusals) expect(refusal).to.include("chunk index is missing");
  });

  it("comes back once it is complete, however many ask for it", async () => {
    await Promise.all([made.corpus.restoreIndex(QUIET), made.corpus.restoreIndex(QUIET)]);
    expect(await made.corpus.chunkIndex.state()).to.equal("ok");
    expect(await indexContent(made.corpus)).to.deep.equal(whole);
    expect(await agrees(made.corpus)).to.equal(true);
    const before = await roles(made.corpus);
    await made.corpus.restoreIndex(QUIET);
    expect(await roles(made.corpus)).to.deep.equal(before);
  });

  it("is found again where only its aliases are lost, and completed", async () => {
    const { opensearch, chunkIndex, indexVersions } = made.corpus;
    const [current] = await indexVersions.list();
    const index = current?.name ?? "";
    await opensearch.deleteByQuery({
      index,
      refresh: true,
      body: { query: { ids: { values: [[...whole.keys()][0] ?? ""] } } },
    });
    await opensearch.indices.deleteAlias({
      index,
      name: [chunkIndex.readAlias, chunkIndex.names.writeAlias],
    });
    await made.corpus.restoreIndex(QUIET);
    expect(await roles(made.corpus)).to.deep.equal({ current: [current?.number] });
    expect(await indexContent(made.corpus)).to.deep.equal(whole);
  });

  it("is created empty for a corpus without matchable documents", async () => {
    await dropIndices();
    await made.corpus.database.query("delete from documents");
    await made.corpus.restoreIndex(QUIET);
    expect(await made.corpus.chunkIndex.state()).to.equal("ok");
    expect((await indexContent(made.corpus)).size).to.equal(0);
  });
});

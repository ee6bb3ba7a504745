import { expect } from "chai";
import { useCorpus } from "../../support/use-corpus.ts";
import { roles } from "../upkeep/rebuild-runs.ts";

describe("the numbered chunk indices", () => {
  const made = useCorpus();

  it("begin with one behind both aliases, however many processes create it at once", async () => {
    await Promise.all(Array.from({ length: 5 }, () => made.corpus.chunkIndex.createFirst()));
    expect(await roles(made.corpus)).to.deep.equal({ current: [1] });
  });

  it("are numbered after one that exists without an alias", async () => {
    const { opensearch, chunkIndex, indexVersions } = made.corpus;
    const [first] = await indexVersions.list();
    const name = [chunkIndex.readAlias, chunkIndex.names.writeAlias];
    await opensearch.indices.deleteAlias({ index: first?.name ?? "", name });
    expect(await chunkIndex.state()).to.equal("missing");
    await chunkIndex.createFirst();
    expect(await roles(made.corpus)).to.deep.equal({ former: [1], current: [2] });
    expect(await chunkIndex.state()).to.equal("ok");
  });

  it("may be swapped repeatedly without another effect", async () => {
    const { indexVersions } = made.corpus;
    const name = indexVersions.nameAfter(await indexVersions.list());
    await indexVersions.createNext(name);
    expect(await roles(made.corpus)).to.deep.equal({ former: [1], current: [2], next: [3] });
    for (let time = 0; time < 2; time += 1) {
      await indexVersions.swap(name);
      expect(await roles(made.corpus)).to.deep.equal({ former: [1, 2], current: [3] });
    }
    const [one = "", two = ""] = (await indexVersions.list()).map((version) => version.name);
    await indexVersions.drop([one, two, one]);
    expect(await roles(made.corpus)).to.deep.equal({ current: [3] });
  });
});

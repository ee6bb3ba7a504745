import { expect } from "chai";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

describe("the reconciliation worker", () => {
  const engine = useEngine();

  it("rebuilds a deleted index, and accepts uploads meanwhile", async () => {
    const text = prose(1, 300);
    await engine.client.addDocument("before.txt", text);
    await engine.opensearch.indices.delete({ index: `${engine.options.opensearchIndexPrefix}chunks-v*` });
    expect((await engine.client.request("/ready")).status).to.equal(503);

    // A check waits until all of the index is back: an empty or half-filled one would have it say that there is nothing.
    const uploaded = prose(2, 300);
    const found = async (query: string) => {
      const { coverage, sources } = await engine.client.checked(query);
      expect(coverage).to.equal("full");
      return sources.map(({ source_filename }) => source_filename);
    };
    const [names] = await Promise.all([found(text), engine.client.addDocument("after.txt", uploaded)]);
    expect(names).to.deep.equal(["before.txt"]);
    expect(await found(uploaded)).to.deep.equal(["after.txt"]);
    expect((await engine.client.request("/ready")).status).to.equal(200);
  });
}).timeout(120_000);

import { expect } from "chai";
import { prose } from "../../support/prose.ts";
import { useEngine } from "../../support/use-engine.ts";

describe("a worker keeps the index in step with the rows by itself", () => {
  const engine = useEngine();

  it("makes and fills the index again when somebody has deleted it, and takes uploads meanwhile", async () => {
    const text = prose(1, 300);
    await engine.client.addDocument("before.txt", text);
    await engine.opensearch.indices.delete({ index: `${engine.options.opensearchIndexPrefix}chunks-v*` });
    expect((await engine.client.request("/ready")).status).to.equal(503);

    // Fingerprinted says that it is matchable, so this waits for the new index.
    const uploaded = prose(2, 300);
    await engine.client.addDocument("after.txt", uploaded);
    const found = async (query: string) =>
      (await engine.client.checked(query)).sources.map(({ source_filename }) => source_filename);
    expect(await found(uploaded)).to.deep.equal(["after.txt"]);
    while ((await found(text)).length === 0);
    expect(await found(text)).to.deep.equal(["before.txt"]);
    expect((await engine.client.request("/ready")).status).to.equal(200);
    expect(await (await engine.client.request("/metrics")).text()).to.match(
      /^similarity_documents_mended_total\{kind="missing"\} 1$/m,
    );
  });
}).timeout(60_000);

import { expect } from "chai";
import { ChunkIndex } from "../../../src/corpus/index/chunk-index.ts";
import { connectOpenSearch, type OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { type Act, answerWith, editAnswer, FaultProxy, passOn } from "../../support/faults/fault-proxy.ts";
import { searchesRejected } from "../../support/faults/faulty-answers.ts";
import { testStores } from "../../support/stores.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, indexContent } from "../upkeep/damaged-corpus.ts";

const SEARCH = /_msearch/;

describe("searches that an overloaded node rejects", function () {
  this.timeout(120_000);
  const made = useCorpus();
  let proxy: FaultProxy;
  let client: OpenSearch;
  let chunkIndex: ChunkIndex;
  let terms: string[][];
  /** The number of searches in each request. */
  const asked: number[] = [];

  before(async () => {
    await addTexts(
      made.corpus,
      [0, 1, 2, 3].map((at) => prose(85 + at, 120)),
    );
    const forms = [...(await indexContent(made.corpus)).values()].map((chunk) =>
      String(Object(chunk).fingerprint),
    );
    terms = forms.map((form) => form.split(" ").slice(0, 20));
    const { opensearchNodes } = await testStores();
    proxy = await FaultProxy.open(opensearchNodes[0] ?? "");
    client = connectOpenSearch([proxy.url]);
    chunkIndex = new ChunkIndex(client, made.options.opensearchIndexPrefix, () => undefined);
  });
  beforeEach(() => {
    asked.length = 0;
    proxy.liftAll();
  });
  after(async () => {
    await client?.close();
    await proxy?.close();
  });

  function counted(act: Act): Act {
    return (exchange) => {
      asked.push(exchange.body.toString().trimEnd().split("\n").length / 2);
      return act(exchange);
    };
  }

  const search = (timeMs: number) =>
    chunkIndex.searchWords(
      terms.map((list) => list.map((term) => ({ term, weight: 1 }))),
      5,
      timeMs,
      0,
    );

  it("are sent again after a wait, without those that were answered", async () => {
    const undisturbed = await search(60_000);
    expect(undisturbed.map(({ complete }) => complete)).to.deep.equal([true, true, true, true]);
    proxy.set({ on: SEARCH, times: 1, act: counted(editAnswer(searchesRejected((at) => at % 2 === 1))) });
    proxy.set({ on: SEARCH, times: 1, act: counted(editAnswer(searchesRejected((at) => at === 0))) });
    proxy.set({ on: SEARCH, act: counted(passOn) });
    expect(await search(60_000)).to.deep.equal(undisturbed);
    expect(asked).to.deep.equal([4, 2, 1]);
  });

  it("do not make the index count as missing", async () => {
    const error = { type: "search_phase_execution_exception", reason: "all shards failed" };
    const fault = proxy.set({ on: /\/_search/, act: answerWith(429, { error, status: 429 }) });
    expect(await chunkIndex.usability()).to.equal("ok");
    expect(fault.met).to.equal(1);
  });

  it("are incomplete in the end, and are not repeated after the time is up", async () => {
    proxy.set({ on: SEARCH, act: counted(editAnswer(searchesRejected(() => true))) });
    const nothing = { hits: [], complete: false };
    expect(await search(60_000)).to.deep.equal([nothing, nothing, nothing, nothing]);
    expect(asked).to.deep.equal([4, 4, 4, 4, 4, 4]);
    asked.length = 0;
    expect(await search(50)).to.deep.equal([nothing, nothing, nothing, nothing]);
    expect(asked).to.deep.equal([4]);
  });
});

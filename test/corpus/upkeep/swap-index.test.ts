import { expect } from "chai";
import { pino } from "pino";
import { type Corpus, openCorpus } from "../../../src/service/connect-corpus.ts";
import { type Act, answerWith, FaultProxy, loseAnswer } from "../../support/faults/fault-proxy.ts";
import { StoreLink } from "../../support/faults/store-link.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts } from "./damaged-corpus.ts";
import { agrees, PLAIN, roles } from "./rebuild-runs.ts";

const SWAP = /POST \/_aliases/;
const LIST = /GET \/\S*chunks-v/;
const CREATE = /PUT \/\S*chunks-v\d+/;

/** The client sends it three times before it gives up. */
const SENT_BY_CLIENT = 3;

describe("a rebuild whose requests are executed while their answers are lost", function () {
  this.timeout(120_000);
  const made = useCorpus();
  let proxy: FaultProxy;
  let linked: Corpus;
  let said: string[];

  before(async () => {
    await addTexts(made.corpus, [prose(1, 300), prose(2, 300)]);
    proxy = await FaultProxy.open(made.options.opensearchNodes[0] ?? "");
    linked = await openCorpus({ ...made.options, opensearchNodes: [proxy.url] }, pino({ level: "silent" }));
  });
  beforeEach(() => {
    said = [];
  });
  afterEach(() => proxy.liftAll());
  after(async () => {
    await linked?.close();
    await proxy?.close();
  });

  const input = { ...PLAIN, say: (line: string) => void said.push(line) };
  const current = async () => (await roles(made.corpus)).current?.at(0) ?? 0;

  it("continues with the index that it has created", async () => {
    const before = await current();
    const fault = proxy.set({ on: CREATE, act: loseAnswer, times: 1 });
    await linked.rebuildIndex(input);
    expect([fault.met, await current()]).to.deep.equal([1, before + 1]);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("has succeeded when the aliases were moved, and says so once OpenSearch answers again", async () => {
    const before = await current();
    const fault = proxy.set({ on: SWAP, act: loseAnswer, times: SENT_BY_CLIENT });
    const { rebuilt } = await linked.rebuildIndex(input);
    expect(fault.met).to.equal(SENT_BY_CLIENT);
    expect(rebuilt?.index).to.equal(`${made.options.opensearchIndexPrefix}chunks-v${before + 1}`);
    expect(await current()).to.equal(before + 1);
    expect(said.some((line) => line.includes("Waiting for it"))).to.equal(true);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("has succeeded even when it is told to stop while it waits for the answer", async () => {
    const before = await current();
    const { rebuilt } = await stoppedDuringSwap(loseAnswer);
    expect(rebuilt?.index).to.equal(`${made.options.opensearchIndexPrefix}chunks-v${before + 1}`);
    expect(await current()).to.equal(before + 1);
  });

  it("has failed when it is told to stop and the aliases have not moved, and continues from there", async () => {
    const before = await current();
    const outcome = await stoppedDuringSwap(answerWith(503, "Sorry")).catch((error: unknown) => error);
    expect(outcome).to.have.property("message", "stopped by the test");
    expect(await roles(made.corpus)).to.deep.include({ current: [before], next: [before + 1] });
    proxy.liftAll();
    await linked.rebuildIndex(input);
    expect(await current()).to.equal(before + 1);
  });

  it("says that the outcome is unknown when OpenSearch does not tell", async () => {
    const before = await current();
    const stopping = new AbortController();
    const swap = proxy.set({ on: SWAP, act: loseAnswer });
    const rebuilding = linked.rebuildIndex({ ...input, signal: stopping.signal });
    rebuilding.catch(() => undefined);
    await swap.metTimes(SENT_BY_CLIENT);
    proxy.set({ on: LIST, act: answerWith(503, "Sorry") });
    stopping.abort(new Error("stopped by the test"));
    const outcome = await rebuilding.catch((error: unknown) => error);
    expect(outcome).to.have.property("message").that.includes(`did not confirm whether checks now search`);
    expect(await current()).to.equal(before + 1);
  });

  /** A rebuild that is stopped when its swap has met the fault as often as the client sends it. */
  async function stoppedDuringSwap(act: Act) {
    const stopping = new AbortController();
    const fault = proxy.set({ on: SWAP, act });
    const rebuilding = linked.rebuildIndex({ ...input, signal: stopping.signal });
    rebuilding.catch(() => undefined);
    await fault.metTimes(SENT_BY_CLIENT);
    stopping.abort(new Error("stopped by the test"));
    return rebuilding;
  }
});

describe("a rebuild that loses OpenSearch just after the swap", function () {
  this.timeout(120_000);
  const made = useCorpus();
  let link: StoreLink;
  let linked: Corpus;

  before(async () => {
    await addTexts(made.corpus, [prose(1, 300)]);
    link = await StoreLink.open(made.options.opensearchNodes[0] ?? "");
    linked = await openCorpus({ ...made.options, opensearchNodes: [link.url] }, pino({ level: "silent" }));
  });
  after(async () => {
    await linked?.close();
    await link?.cut();
  });

  it("has succeeded, and says that it could not delete the former indices", async () => {
    const said: string[] = [];
    let cutting: Promise<void> | undefined;
    const say = (line: string) => {
      said.push(line);
      if (line.startsWith("Checks now search")) cutting = link.cut();
    };
    const [number = 0] = (await roles(made.corpus)).current ?? [];
    const outcome = await linked.rebuildIndex({ ...PLAIN, dropOld: true, restart: true, say });
    await cutting;
    expect(outcome.rebuilt?.index).to.equal(`${made.options.opensearchIndexPrefix}chunks-v${number + 1}`);
    expect(said.at(-1)).to.match(/^Former indices were not deleted\. OpenSearch /);
    expect((await roles(made.corpus)).current).to.deep.equal([number + 1]);
    await link.mend();
  });
});

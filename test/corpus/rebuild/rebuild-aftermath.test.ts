import { expect } from "chai";
import { pino } from "pino";
import { type Corpus, openCorpus } from "../../../src/app/connect-corpus.ts";
import { createRebuildIndex } from "../../../src/corpus/rebuild/rebuild-index.ts";
import { StoreLink } from "../../support/faults/store-link.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts } from "../reconciliation/damaged-corpus.ts";
import { PLAIN, roles } from "./rebuild-runs.ts";

describe("what goes wrong after the swap of a rebuild", function () {
  this.timeout(60_000);
  const made = useCorpus();
  let link: StoreLink;
  let linked: Corpus;
  let said: string[];

  before(async () => {
    await addTexts(made.corpus, [prose(1, 300)]);
    link = await StoreLink.open(made.options.opensearchNodes[0] ?? "");
    linked = await openCorpus({ ...made.options, opensearchNodes: [link.url] }, pino({ level: "silent" }));
  });
  after(async () => {
    await linked?.close();
    await link?.cut();
  });
  beforeEach(() => {
    said = [];
  });

  const say = (line: string) => {
    said.push(line);
  };

  it("is said, and the rebuild has succeeded", async () => {
    const reconcile = () => Promise.reject(new TypeError("nobody has foreseen this"));
    const rebuildIndex = createRebuildIndex({ ...made.corpus, reconcile });
    const { rebuilt, former } = await rebuildIndex({ ...PLAIN, say });
    expect(rebuilt).to.include({ documents: 1 });
    expect(former).to.have.lengthOf(1);
    expect(said.at(-1)).to.match(
      /^The new index stands; .*`npm run corpus:verify`.* nobody has foreseen this$/,
    );
  });

  it("is said, and the rebuild has succeeded, also when OpenSearch goes away in that moment", async () => {
    const reconcile = async () => {
      await link.cut();
      return linked.reconcile();
    };
    const [number = 0] = (await roles(made.corpus)).standing ?? [];
    const outcome = await createRebuildIndex({ ...linked, reconcile })({
      ...PLAIN,
      dropOld: true,
      restart: true,
      say,
    });
    expect(outcome.rebuilt?.index).to.equal(`${made.options.opensearchIndexPrefix}chunks-v${number + 1}`);
    expect(said.at(-2)).to.match(/^The new index stands; /);
    expect(said.at(-1)).to.match(/^Former indices were not deleted\. OpenSearch /);
    expect((await roles(made.corpus)).standing).to.deep.equal([number + 1]);
    await link.mend();
  });
});

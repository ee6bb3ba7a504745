import { expect } from "chai";
import { createCompareTexts } from "../../../src/checks/comparisons/compare-texts.ts";
import { corpusSet } from "../../../src/corpus/corpus-set.ts";
import { DomainError } from "../../../src/platform/domain-error.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";

/** As many as are in progress and wait at most. */
const TAKEN = 4 + 32;

describe("comparisons beyond what a process can do", function () {
  this.timeout(120_000);
  const opened = useCorpus();
  const units = { offsets: "code_point", lengths: "code_point" } as const;
  const side = (text: string) => ({ text, pageMargins: [], language: "en", filename: null });
  const [query, source] = [side(prose(831, 20_000)), side(prose(832, 20_000))];

  const open = (timeMaxMs: number) =>
    createCompareTexts({
      compute: opened.corpus.compute,
      encoder: opened.corpus.encoderModels,
      corpus: corpusSet(opened.corpus),
      timeBudgetMs: 60_000,
      timeMaxMs,
    });

  it("are refused as busy where no thread is free in time, and never answered with nothing found", async () => {
    const { signal } = new AbortController();
    const error = await open(1)(query, query, { units, signal }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(DomainError).and.to.have.property("code", "service_busy");
  });

  it("are refused as busy; those whose client is gone end at once, and the next one is compared", async () => {
    const compareTexts = open(60_000);
    const leaving = new AbortController();
    const gone = new Error("the client disconnected");
    const taken = Array.from({ length: TAKEN }, () =>
      compareTexts(query, source, { units, signal: leaving.signal }),
    );
    const ended = Promise.allSettled(taken);
    const { signal } = new AbortController();
    const refusal = await compareTexts(query, source, { units, signal }).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(DomainError).and.to.have.property("code", "service_busy");
    leaving.abort(gone);
    for (const one of await ended) {
      expect(one.status).to.equal("rejected");
      if (one.status === "rejected" && one.reason !== gone)
        expect(one.reason).to.have.property("cause", gone);
    }
    const short = side(prose(833, 50));
    const { passages } = await compareTexts(short, short, { units, signal });
    expect(passages).to.have.length(1);
  });
});

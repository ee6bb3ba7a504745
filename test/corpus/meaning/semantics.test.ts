import { expect } from "chai";
import { SemanticStore } from "../../../src/corpus/documents/semantic-store.ts";
import { Semantics } from "../../../src/corpus/meaning/semantics.ts";
import { EncoderUnavailable } from "../../../src/matching/encoder/sentence-encoder.ts";
import { CountingEncoder } from "../../support/counting-encoder.ts";
import { useCorpus } from "../../support/use-corpus.ts";

describe("the encoder of a process", () => {
  const made = useCorpus();
  const realNow = performance.now;
  let openings = 0;
  let canOpen = true;
  let encoder: CountingEncoder;
  let meaning: Semantics;

  beforeEach(() => {
    openings = 0;
    encoder = new CountingEncoder();
    meaning = new Semantics({
      database: made.corpus.database,
      semantics: new SemanticStore(),
      encoders: {
        wanted: encoder.model,
        open: async () => {
          openings += 1;
          if (!canOpen) throw new EncoderUnavailable("nothing can be downloaded");
          return encoder;
        },
      },
    });
  });

  afterEach(async () => {
    performance.now = realNow;
    await meaning.close();
  });

  const later = (seconds: number) => {
    performance.now = () => realNow.call(performance) + 1_000 * seconds;
  };

  const isOpened = () =>
    meaning.encoder().then(
      () => true,
      () => false,
    );

  it("counts as unavailable when it does not work, until it does again", async () => {
    const opened = await meaning.encoder();
    expect(meaning.isUnavailable).to.equal(false);
    encoder.callsLeft = 0;
    await opened.encode(["A sentence."], "check").catch(() => undefined);
    expect(meaning.isUnavailable).to.equal(true);
    encoder.callsLeft = 1;
    await opened.encode(["A sentence."], "check");
    expect(meaning.isUnavailable).to.equal(false);
  });

  it("is opened again after a failure, in the background and each time after twice the wait", async () => {
    canOpen = false;
    expect(await isOpened()).to.equal(false);
    expect([meaning.isUnavailable, openings]).to.deep.equal([true, 1]);
    later(29);
    expect([await isOpened(), openings]).to.deep.equal([false, 1]);
    later(31);
    expect([await isOpened(), openings], "the earlier failure is the answer").to.deep.equal([false, 2]);
    await isOpened();
    later(31 + 59);
    expect([await isOpened(), openings]).to.deep.equal([false, 2]);
    canOpen = true;
    later(31 + 61);
    expect([await isOpened(), openings]).to.deep.equal([false, 3]);
    expect([await isOpened(), openings]).to.deep.equal([true, 3]);
    expect(meaning.isUnavailable).to.equal(false);
  });
});

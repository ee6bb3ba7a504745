import { expect } from "chai";
import { MeaningStore } from "../../../src/corpus/documents/meaning-store.ts";
import { EncoderModels } from "../../../src/corpus/meaning/encoder-models.ts";
import { EncoderUnavailable } from "../../../src/matching/encoder/sentence-encoder.ts";
import { CountingEncoder } from "../../support/counting-encoder.ts";
import { useCorpus } from "../../support/use-corpus.ts";

describe("the encoder of a process", () => {
  const made = useCorpus();
  const realNow = performance.now;
  let openings = 0;
  let canOpen = true;
  let encoder: CountingEncoder;
  let encoderModels: EncoderModels;

  beforeEach(() => {
    openings = 0;
    encoder = new CountingEncoder();
    encoderModels = new EncoderModels({
      database: made.corpus.database,
      meaning: new MeaningStore(),
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
    await encoderModels.close();
  });

  const later = (seconds: number) => {
    performance.now = () => realNow.call(performance) + 1_000 * seconds;
  };

  const isOpened = () =>
    encoderModels.encoder().then(
      () => true,
      () => false,
    );

  it("counts as unavailable when it does not work, until it does again", async () => {
    const opened = await encoderModels.encoder();
    expect(encoderModels.isUnavailable).to.equal(false);
    encoder.callsLeft = 0;
    await opened.encode(["A sentence."], "check").catch(() => undefined);
    expect(encoderModels.isUnavailable).to.equal(true);
    encoder.callsLeft = 1;
    await opened.encode(["A sentence."], "check");
    expect(encoderModels.isUnavailable).to.equal(false);
  });

  it("is opened again after a failure, in the background and each time after twice the wait", async () => {
    canOpen = false;
    expect(await isOpened()).to.equal(false);
    expect([encoderModels.isUnavailable, openings]).to.deep.equal([true, 1]);
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
    expect(encoderModels.isUnavailable).to.equal(false);
  });
});

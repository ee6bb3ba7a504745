import { readFile } from "node:fs/promises";
import type { SampleArticle } from "../../../src/corpus/sample-corpus/select-articles.ts";
import { LocalEncoder } from "../../../src/matching/encoder/local-encoder.ts";
import type { ReadyModel } from "../../../src/matching/encoder/sentence-encoder.ts";
import { BACKGROUND_CENTROIDS } from "../../../src/matching/meaning/meaning-model.ts";
import { analyseQuery } from "../../../src/matching/tasks.ts";
import type { Corpus } from "../../../src/service/connect-corpus.ts";
import { DrawnEncoder, type EncodedSentences } from "./drawn-encoder.ts";

/** The cost of encoding the real articles. */
export type EncodingFigures = {
  readonly sentences: number;
  readonly perSecond: number;
  /** Undefined where the system does not tell the time of a process. */
  readonly perCoreSecond: number | undefined;
};

type ModelParts = Pick<Corpus, "encoderModels" | "calibrateModel">;

const SENTENCES_AT_ONCE = 1_024;

/** Encodes the sentences of the articles, which takes two minutes. */
export async function encodeArticles(
  parts: ModelParts,
  articles: readonly SampleArticle[],
): Promise<{ readonly real: EncodedSentences; readonly figures: EncodingFigures }> {
  const { encoder, model } = await readyModel(parts);
  const sentences = articles.flatMap(({ text }) =>
    analyseQuery({ text, language: "en", withSentences: true }).sentences.map((sentence) => sentence.text),
  );
  const { dimensions } = model.centroids;
  const values = new Float32Array(sentences.length * dimensions);
  // Its process starts with the first sentence.
  await encoder.encode(sentences.slice(0, 1), "corpus");
  const pid = encoder instanceof LocalEncoder ? encoder.processId : undefined;
  const [startedAt, cpuBefore] = [performance.now(), await cpuSeconds(pid)];
  for (let from = 0; from < sentences.length; from += SENTENCES_AT_ONCE) {
    const part = await encoder.encode(sentences.slice(from, from + SENTENCES_AT_ONCE), "corpus");
    values.set(part.values, from * dimensions);
  }
  const vectors = { dimensions, values };
  const nearest = await encoder.nearest(vectors, model.centroids, BACKGROUND_CENTROIDS, "corpus");
  const seconds = (performance.now() - startedAt) / 1000;
  const cores = await cpuSeconds(pid);
  const figures = {
    sentences: sentences.length,
    perSecond: sentences.length / seconds,
    perCoreSecond:
      cores === undefined || cpuBefore === undefined ? undefined : sentences.length / (cores - cpuBefore),
  };
  return { real: { sentences, vectors, nearest }, figures };
}

/** Makes all waiting documents matchable by meaning as a worker does, with drawn vectors for all but the articles' sentences. */
export async function encodeWaiting(
  { encodeDocuments, ...parts }: ModelParts & Pick<Corpus, "encodeDocuments">,
  real: EncodedSentences,
): Promise<void> {
  const { encoder, model } = await readyModel(parts);
  const drawn = await DrawnEncoder.open(encoder, model, real);
  while ((await encodeDocuments(drawn, model, new AbortController().signal)) > 0);
}

/** The built-in model, whose measurements are shipped; the first time, they are stored. */
async function readyModel({ encoderModels, calibrateModel }: ModelParts): Promise<ReadyModel> {
  const known = await encoderModels.wanted();
  if (known !== undefined) return known;
  await calibrateModel.firstTime(await encoderModels.encoder(), { say: () => {}, signal: undefined });
  const ready = await encoderModels.wanted();
  if (ready === undefined) throw new Error("the built-in model was not stored");
  return ready;
}

/** The processor time of a process, in seconds. */
async function cpuSeconds(pid: number | undefined): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}

/** A second of `/proc` has so many, on every Linux of today. */
const CLOCK_TICKS = 100;

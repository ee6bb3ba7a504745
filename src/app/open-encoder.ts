import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NewSemanticModel } from "../corpus/index.ts";
import { encoderFiles } from "../encoder/encoder-files.ts";
import { LocalEncoder } from "../encoder/local-encoder.ts";
import { EncoderUnavailable, type SentenceEncoder } from "../encoder/sentence-encoder.ts";
import { USE_DIMENSIONS, USE_MODEL } from "../encoder/use-graph.ts";
import type { Config } from "../platform/config.ts";
import type { Logger } from "../platform/logger.ts";

/** Opens the encoder of a model, by default that of the settings. @throws EncoderUnavailable. */
export async function openEncoder(
  { dataDir = ".data" }: Partial<Pick<Config, "dataDir">>,
  model = USE_MODEL,
  log: Pick<Logger, "info">,
  signal?: AbortSignal,
): Promise<SentenceEncoder> {
  if (model !== USE_MODEL)
    throw new EncoderUnavailable(`the settings name no encoder for the fingerprints of ${model}`);
  const say = (line: string) => log.info(line);
  return new LocalEncoder(await encoderFiles(join(dataDir, "encoder"), { say, signal }));
}

/** What is known of the Universal Sentence Encoder: measured on the sample corpus, see `docs/algorithm.md`. */
export async function describeModel({ model }: SentenceEncoder): Promise<NewSemanticModel> {
  if (model !== USE_MODEL) throw new EncoderUnavailable(`the model ${model} is not calibrated`);
  const bytes = await readFile(CENTROIDS);
  return {
    model,
    dimensions: USE_DIMENSIONS,
    centroids: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    calibration: { background: { base: 0.128, slope: 0.739 }, code: { scale: 0.0624, offset: -0.0283 } },
  };
}

/** 4,096 centroids of the 59,418 sentences of the sample corpus, one signed byte per dimension. */
const CENTROIDS = new URL("../../src/encoder/use-multilingual-v3.centroids", import.meta.url);

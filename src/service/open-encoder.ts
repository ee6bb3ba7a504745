import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NewMeaningModel } from "../corpus/documents/meaning-store.ts";
import type { Encoders } from "../corpus/meaning/encoder-models.ts";
import { EmbeddingServer, SERVER_MODEL } from "../matching/encoder/embedding-server.ts";
import { findEncoder, type PrepareEncoder } from "../matching/encoder/encoder-files.ts";
import { LocalEncoder } from "../matching/encoder/local-encoder.ts";
import { EncoderUnavailable } from "../matching/encoder/sentence-encoder.ts";
import { USE_DIMENSIONS, USE_MODEL } from "../matching/encoder/use-model.ts";
import type { Config } from "../platform/config.ts";
import type { Logger } from "../platform/logger.ts";
import type { ServicePool } from "./compute-pool.ts";

type Settings = Partial<
  Pick<Config, "dataDir" | "embeddingsUrl" | "embeddingsModel" | "embeddingsApiKey">
> & {
  readonly prepareEncoder?: PrepareEncoder;
};

/**
 * The encoders of the settings: the built-in one, and with `EMBEDDINGS_URL` the models of that server. All can be opened, because
 * checks use the fingerprints of an earlier model until the fingerprints of the configured one are complete.
 */
export function encodersOf(
  {
    dataDir = ".data",
    embeddingsUrl,
    embeddingsModel,
    embeddingsApiKey,
    prepareEncoder = findEncoder,
  }: Settings,
  compute: ServicePool,
  log: Pick<Logger, "info">,
): Encoders {
  if (embeddingsUrl !== undefined)
    log.info({ host: new URL(embeddingsUrl).host }, "sentences are sent to the embedding server");
  return {
    wanted: embeddingsModel === undefined ? USE_MODEL : SERVER_MODEL + embeddingsModel,
    open: async (model, signal) => {
      if (model === USE_MODEL) {
        const say = (line: string) => log.info(line);
        return new LocalEncoder(await prepareEncoder(join(dataDir, "encoder"), { say, signal }));
      }
      if (embeddingsUrl === undefined || !model.startsWith(SERVER_MODEL))
        throw new EncoderUnavailable(`the settings name no encoder for the fingerprints of ${model}`);
      return new EmbeddingServer({
        url: embeddingsUrl,
        modelName: model.slice(SERVER_MODEL.length),
        apiKey: embeddingsApiKey,
        findNearest: (input) => compute.run("findNearestCentroids", input),
      });
    },
  };
}

/** The shipped measurements of the built-in model, made on the sample corpus; see `docs/algorithm.md`. */
export async function shippedModel(model: string): Promise<NewMeaningModel | undefined> {
  if (model !== USE_MODEL) return undefined;
  const bytes = await readFile(CENTROIDS);
  return {
    model,
    dimensions: USE_DIMENSIONS,
    centroids: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    calibration: {
      background: { base: 0.128, slope: 0.739 },
      code: { scale: 0.0624, offset: -0.0283 },
      marginScale: 1,
    },
  };
}

/** 4,096 centroids of the 59,418 sentences of the sample corpus, one signed byte per dimension. */
const CENTROIDS = new URL("../../src/matching/encoder/use-multilingual-v3.centroids", import.meta.url);

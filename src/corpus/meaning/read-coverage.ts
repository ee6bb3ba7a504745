import type { CorpusStores } from "../index/corpus-stores.ts";
import type { EncoderModels } from "./encoder-models.ts";

/** How much of the corpus checks can find, by words and by meaning. Counts beyond 100,000 are estimates. */
export type CorpusCoverage = {
  readonly documents: number;
  /** Matchable by words. */
  readonly fingerprinted: number;
  /** Matchable by meaning, as far as semantic matching is on and has an encoder. */
  readonly encoded: number;
  /** Why checks do not compare the meaning of all matchable documents; null when they do. */
  readonly reason: "off" | "unavailable" | "not_encoded" | null;
};

export type ReadCoverage = () => Promise<CorpusCoverage>;

export function createReadCoverage(
  { database, documents, meaning }: CorpusStores,
  encoderModels: EncoderModels,
): ReadCoverage {
  return async () => {
    const [all, fingerprinted, { encoded, lacking }] = await Promise.all([
      documents.countAll(database),
      documents.countMatchable(database),
      meaning.progress(database),
    ]);
    return { documents: all, fingerprinted, encoded, reason: reasonOf(lacking) };
  };

  function reasonOf(lacking: number): CorpusCoverage["reason"] {
    if (!encoderModels.isOn) return "off";
    if (encoderModels.isUnavailable) return "unavailable";
    return lacking > 0 ? "not_encoded" : null;
  }
}

import type { Span } from "../../text/span.ts";
import type { NearCentroid } from "./centroids.ts";
import type { MeaningModel } from "./meaning-model.ts";
import { codeBytes, writeSentenceCode } from "./sentence-code.ts";
import type { SentenceFingerprint } from "./sentence-section.ts";

/**
 * The background of a sentence, which is subtracted from its cosines: a sentence that is near many others proves nothing when it is
 * near one more (as in CSLS; Conneau et al., 2018). Its nearest centroids represent these others.
 */
export function backgroundOf({ calibration }: MeaningModel, nearest: readonly NearCentroid[]): number {
  const mean = nearest.reduce((sum, { cosine }) => sum + cosine, 0) / Math.max(1, nearest.length);
  return calibration.background.base + calibration.background.slope * mean;
}

/** Nearest centroids whose cells are examined: the nearest cell of a corpus sentence nearly always belongs to its nearest centroid. */
const CENTROIDS_OF_CELL = 1;

/** The fingerprints of sentences: their vectors stand one after the other in `vectors`. */
export function fingerprintSentences(
  model: MeaningModel,
  spans: readonly Span[],
  vectors: Float32Array,
  nearestCentroids: readonly (readonly NearCentroid[])[],
): SentenceFingerprint[] {
  const { dimensions } = model.centroids;
  return spans.map((span, at) => {
    const vector = vectors.subarray(at * dimensions, (at + 1) * dimensions);
    const code = new Uint8Array(codeBytes(dimensions));
    writeSentenceCode(vector, model.mean, code, 0);
    const near = nearestCentroids[at] ?? [];
    const [nearest] = model.cells.nearest(vector, near.slice(0, CENTROIDS_OF_CELL), 1);
    return { span, cell: nearest?.cell ?? 0, background: backgroundOf(model, near), code };
  });
}

import type { Span } from "../text/span.ts";
import type { NearCentroid } from "./centroids.ts";
import type { SemanticModel } from "./semantic-model.ts";
import { codeBytes, writeSentenceCode } from "./sentence-code.ts";
import type { SentenceFingerprint } from "./sentence-section.ts";

/**
 * What the cosine of a sentence with another is compared with: a sentence that is near many others proves nothing when it is
 * near one more (as in CSLS; Conneau et al., 2018). Its nearest centroids stand for the many.
 */
export function backgroundOf({ calibration }: SemanticModel, nearest: readonly NearCentroid[]): number {
  const mean = nearest.reduce((sum, { cosine }) => sum + cosine, 0) / Math.max(1, nearest.length);
  return calibration.background.base + calibration.background.slope * mean;
}

/** The fingerprints of sentences: their vectors stand one after the other in `vectors`. */
export function fingerprintSentences(
  model: SemanticModel,
  spans: readonly Span[],
  vectors: Float32Array,
  nearest: readonly (readonly NearCentroid[])[],
): SentenceFingerprint[] {
  const { dimensions } = model.centroids;
  return spans.map((span, at) => {
    const vector = vectors.subarray(at * dimensions, (at + 1) * dimensions);
    const code = new Uint8Array(codeBytes(dimensions));
    writeSentenceCode(vector, model.mean, code, 0);
    const near = nearest[at] ?? [];
    return { span, centroid: near[0]?.centroid ?? 0, background: backgroundOf(model, near), code };
  });
}

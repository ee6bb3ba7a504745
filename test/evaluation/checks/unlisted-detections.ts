import { createHash } from "node:crypto";
import { joinSpans, subtractSpans } from "../../../src/core/text/span.ts";
import type { PassagePair } from "../scoring/passage-pair.ts";
import type { CheckedText } from "./run-checks.ts";

/** A detection in a source with which the suspicious text is not listed. */
export type UnlistedDetection = {
  readonly queryName: string;
  readonly sourceName: string;
  readonly passage: PassagePair;
};

/** Fewer characters than this may stand in two texts by chance. */
const REST_CHARS_MIN = 100;

/** So many from the start of a stretch are looked for: enough to name a text, and white space at its end is out of it. */
const REST_CHARS_SOUGHT = 200;

/** What was found in sources that are not listed with the text: reuse that nobody planted, or an error. */
export function unlistedDetections({ queryName, pairs, detections }: CheckedText): UnlistedDetection[] {
  const listed = new Set(pairs.map(({ sourceName }) => sourceName));
  return [...detections]
    .filter(([sourceName]) => !listed.has(sourceName))
    .flatMap(([sourceName, found]) => found.map((passage) => ({ queryName, sourceName, passage })));
}

/**
 * Whether a source holds, word for word, the text in which the passages were planted: its longest stretch without any. The
 * mixed texts are made from articles that are themselves sources of other pairs, so to find them is right.
 * @param queryText the suspicious text.
 */
export function holdsSurroundings(queryText: string, { pairs }: CheckedText, sourceText: string): boolean {
  const characters = [...queryText];
  const planted = joinSpans(pairs.flatMap(({ cases }) => cases.map(({ query }) => query)));
  const rests = subtractSpans({ start: 0, end: characters.length }, planted)
    .map(({ start, end }) => characters.slice(start, end).join("").trim())
    .toSorted((a, b) => b.length - a.length);
  const rest = rests[0]?.slice(0, REST_CHARS_SOUGHT) ?? "";
  return rest.length >= REST_CHARS_MIN && sourceText.includes(rest);
}

/** So many of the detections, picked at random but always the same ones. */
export function pickedDetections(
  detections: readonly UnlistedDetection[],
  count: number,
): readonly UnlistedDetection[] {
  const keyed = detections.map((detection) => ({ detection, key: hashOf(detection) }));
  return keyed
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count)
    .map(({ detection }) => detection);
}

function hashOf(detection: UnlistedDetection): string {
  return createHash("md5").update(JSON.stringify(detection)).digest("hex");
}

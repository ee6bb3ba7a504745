import { createHash } from "node:crypto";
import { joinSpans, subtractSpans } from "../../../src/text/span.ts";
import { excerpt } from "../report/error-lines.ts";
import type { PassagePair } from "../scoring/match-passages.ts";
import { readQuery } from "../texts/pan-corpus.ts";
import type { EvaluationService } from "./evaluation-service.ts";
import type { CheckedText } from "./run-checks.ts";

/** A detection in a source that is not listed with the suspicious text. */
export type UnlistedDetection = {
  readonly queryName: string;
  readonly sourceName: string;
  readonly passage: PassagePair;
};

/**
 * Separates the detections in unlisted sources: `surroundings` are those in the source that the rest of the suspicious text
 * was made from, which are right; the `others` are errors, or reuse that nobody planted.
 */
export async function findUnlisted(
  { documents }: EvaluationService,
  folder: string,
  checked: readonly CheckedText[],
): Promise<{ readonly others: UnlistedDetection[]; readonly surroundings: UnlistedDetection[] }> {
  const textOf = new Map(documents.values().map(({ name, text }) => [name, text]));
  const others: UnlistedDetection[] = [];
  const surroundings: UnlistedDetection[] = [];
  for (const one of checked) {
    const queryText = await readQuery(folder, one.queryName);
    const bySource = Map.groupBy(unlistedDetections(one), ({ sourceName }) => sourceName);
    for (const [sourceName, found] of bySource) {
      const isOwn = containsSurroundings(queryText, one, textOf.get(sourceName) ?? "");
      (isOwn ? surroundings : others).push(...found);
    }
  }
  return { others, surroundings };
}

function unlistedDetections({ queryName, pairs, detections }: CheckedText): UnlistedDetection[] {
  const listed = new Set(pairs.map(({ sourceName }) => sourceName));
  return [...detections]
    .filter(([sourceName]) => !listed.has(sourceName))
    .flatMap(([sourceName, found]) => found.map((passage) => ({ queryName, sourceName, passage })));
}

/** Shorter text may be in two texts by chance. */
const REST_CHARS_MIN = 100;

/** Enough to identify a text; the start only, because white space at the end of a stretch is trimmed. */
const REST_CHARS_SOUGHT = 200;

/**
 * Whether a source contains, word for word, the longest stretch of the suspicious text without planted passages. The mixed
 * texts are made from articles that are also sources of other pairs, so detecting those is right.
 */
function containsSurroundings(queryText: string, { pairs }: CheckedText, sourceText: string): boolean {
  const characters = [...queryText];
  const planted = joinSpans(pairs.flatMap(({ cases }) => cases.map(({ query }) => query)));
  const rests = subtractSpans({ start: 0, end: characters.length }, planted)
    .map(({ start, end }) => characters.slice(start, end).join("").trim())
    .toSorted((a, b) => b.length - a.length);
  const rest = rests[0]?.slice(0, REST_CHARS_SOUGHT) ?? "";
  return rest.length >= REST_CHARS_MIN && sourceText.includes(rest);
}

/** Both texts of `count` detections, for a person to judge. The choice is by hash and always the same. */
export async function unlistedLines(
  { documents }: EvaluationService,
  folder: string,
  detections: readonly UnlistedDetection[],
  count: number,
): Promise<string[]> {
  const shown = detections
    .map((detection) => ({ detection, key: hashOf(detection) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count);
  const lines: string[] = [];
  for (const { detection } of shown) {
    const { queryName, sourceName, passage } = detection;
    const query = [...(await readQuery(folder, queryName))];
    const source = documents.values().find(({ name }) => name === sourceName)?.text ?? "";
    lines.push(
      "",
      `${queryName} ${sourceName}: not listed`,
      `  query  ${excerpt(query, passage.query)}`,
      `  source ${excerpt([...source], passage.source)}`,
    );
  }
  return lines;
}

function hashOf(detection: UnlistedDetection): string {
  return createHash("md5").update(JSON.stringify(detection)).digest("hex");
}

import type { Span } from "../../../src/text/span.ts";
import type { DetectedPair, ScoredPair } from "../scoring/evaluate-pairs.ts";
import type { Match } from "../scoring/match-passages.ts";
import { type PassagePair, pairLength } from "../scoring/match-passages.ts";
import { type PanCorpus, readQuery, readSource } from "../texts/pan-corpus.ts";

/** An error, the pair that it is in, and the passages that show it. */
type Finding = {
  readonly pair: DetectedPair;
  readonly what: string;
  readonly weight: number;
  readonly passages: readonly { readonly label: string; readonly passage: PassagePair }[];
};

/** A passage counts as an error if more than a tenth of it is missing or too much. */
const SHARE_FINE = 0.9;

/**
 * The worst errors with excerpts of both texts, at most `limit` of each kind: missed cases, false detections, edges that are
 * too short or too wide, and cases with several detections. «» enclose a passage.
 */
export async function errorLines(
  corpus: PanCorpus,
  pairs: readonly ScoredPair[],
  limit: number,
): Promise<string[]> {
  const groups = [
    ["Missed cases", pairs.flatMap(missed)],
    ["False detections", pairs.flatMap(falseDetections)],
    ["Cases that are not completely covered", pairs.flatMap(shortCases)],
    ["Detections that exceed their cases", pairs.flatMap(wideDetections)],
    ["Cases with several detections", pairs.flatMap(splitCases)],
  ] as const;
  const lines: string[] = [];
  for (const [title, findings] of groups) {
    const worst = findings.toSorted((a, b) => b.weight - a.weight).slice(0, limit);
    lines.push("", `## ${title}: ${findings.length}, the worst ${worst.length}`);
    for (const finding of worst) lines.push("", ...(await show(corpus, finding)));
  }
  return lines;
}

function missed({ pair, cases }: ScoredPair): Finding[] {
  return cases
    .filter(({ partners }) => partners.length === 0)
    .map((one) =>
      finding(pair, `${one.passage.kind}, missed`, pairLength(one.passage), { case: one.passage }),
    );
}

function falseDetections({ pair, detections }: ScoredPair): Finding[] {
  return detections
    .filter(({ partners }) => partners.length === 0)
    .map((one) => finding(pair, "false", pairLength(one.passage), { found: one.passage }));
}

function shortCases({ pair, cases }: ScoredPair): Finding[] {
  return cases.filter(isNotFine).map((one) => {
    const what = `${one.passage.kind}, ${percent(one.share)} covered`;
    return finding(pair, what, 1 - one.share, { case: one.passage, found: one.partners[0] });
  });
}

function wideDetections({ pair, detections }: ScoredPair): Finding[] {
  return detections.filter(isNotFine).map((one) => {
    const what = `${percent(one.share)} right, ${one.partners.length} cases`;
    return finding(pair, what, 1 - one.share, {
      found: one.passage,
      case: one.partners[0],
      other: one.partners[1],
    });
  });
}

function splitCases({ pair, cases }: ScoredPair): Finding[] {
  return cases
    .filter(({ partners }) => partners.length > 1)
    .map((one) => {
      const what = `${one.passage.kind}, ${one.partners.length} detections, ${percent(one.share)} covered`;
      const [first, second] = one.partners;
      return finding(pair, what, one.partners.length, { case: one.passage, first, second });
    });
}

function isNotFine({ partners, share }: Match): boolean {
  return partners.length > 0 && share < SHARE_FINE;
}

function finding(
  pair: DetectedPair,
  what: string,
  weight: number,
  labelled: Readonly<Record<string, PassagePair | undefined>>,
): Finding {
  const passages = Object.entries(labelled).flatMap(([label, passage]) =>
    passage === undefined ? [] : [{ label, passage }],
  );
  return { pair, what, weight, passages };
}

async function show(corpus: PanCorpus, { pair, what, passages }: Finding): Promise<string[]> {
  const query = [...(await readQuery(corpus.folder, pair.queryName))];
  const source = [...(await readSource(corpus.folder, pair.sourceName))];
  return [
    `${pair.className} ${pair.queryName} ${pair.sourceName}: ${what}`,
    ...passages.flatMap(({ label, passage }) => [
      `  ${label.padEnd(6)} query  ${excerpt(query, passage.query)}`,
      `  ${label.padEnd(6)} source ${excerpt(source, passage.source)}`,
    ]),
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}

/** Characters shown at each end of a passage, and of the text around it. */
const SHOWN_CHARS = 160;
const AROUND_CHARS = 60;

/**
 * A passage in one line: its offsets, the text before it, «the passage», the text after it. The middle of a long passage is
 * left out.
 * @param characters the text by code points.
 */
export function excerpt(characters: readonly string[], { start, end }: Span): string {
  const part = (from: number, to: number) => characters.slice(Math.max(0, from), to).join("");
  const inside =
    end - start <= 2 * SHOWN_CHARS
      ? part(start, end)
      : `${part(start, start + SHOWN_CHARS)} [...] ${part(end - SHOWN_CHARS, end)}`;
  const shown = `${part(start - AROUND_CHARS, start)}«${inside}»${part(end, end + AROUND_CHARS)}`;
  return `${start}-${end} ${shown.replaceAll(/\s*\n\s*/g, " ⏎ ")}`;
}

import type { DetectedPair, ScoredPair } from "../scoring/evaluate-pairs.ts";
import type { Match } from "../scoring/match-passages.ts";
import { type PassagePair, pairLength } from "../scoring/passage-pair.ts";
import { type PanCorpus, readQuery, readSource } from "../texts/pan-corpus.ts";
import { excerpt } from "./excerpt.ts";

/** Something to read: what went wrong, in which pair, and the passages that show it. */
type Finding = {
  readonly pair: DetectedPair;
  readonly what: string;
  readonly weight: number;
  readonly passages: readonly { readonly label: string; readonly passage: PassagePair }[];
};

/** A passage that is a tenth short or a tenth too wide is not worth reading. */
const SHARE_FINE = 0.9;

/**
 * The worst errors, each with excerpts of both texts: missed cases, false detections, edges that are short or wide, and cases
 * in pieces; at most `limit` of each. «» stand around a passage, the text outside them is not part of it.
 */
export async function errorLines(
  corpus: PanCorpus,
  pairs: readonly ScoredPair[],
  limit: number,
): Promise<string[]> {
  const groups = [
    ["Missed cases", pairs.flatMap(missed)],
    ["False detections", pairs.flatMap(falseDetections)],
    ["Cases that are not wholly covered", pairs.flatMap(shortCases)],
    ["Detections that hold more than their cases", pairs.flatMap(wideDetections)],
    ["Cases in pieces", pairs.flatMap(splitCases)],
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

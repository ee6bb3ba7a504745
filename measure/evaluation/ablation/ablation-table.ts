import type { AblationFigures } from "./measure-model.ts";

export type AblationResult = AblationFigures & { readonly name: string };

const HEAD = [
  "rule or constant",
  "PAN13",
  "worst class",
  "mixed",
  "worst class",
  "modern found",
  "independent",
  "clean pairs",
  "exact sentences",
  "articles",
];

/** A Markdown table of the changes against the unmodified sources, the largest effect last. */
export function ablationTable(baseline: AblationFigures, results: readonly AblationResult[]): string {
  const rows = results
    .toSorted((a, b) => largestLoss(baseline, a) - largestLoss(baseline, b))
    .map((one) => [
      one.name,
      signed(total(one.pan13) - total(baseline.pan13)),
      worstClass(baseline.pan13, one.pan13),
      signed(total(one.mixed) - total(baseline.mixed)),
      worstClass(baseline.mixed, one.mixed),
      signed(total(one.modern) - total(baseline.modern), 3),
      signed(one.independent - baseline.independent, 0),
      signed(one.flaggedPairs - baseline.flaggedPairs, 0),
      signed(one.sentences - baseline.sentences, 3),
      signed(one.articles - baseline.articles, 0),
    ]);
  const lines = [HEAD, HEAD.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function largestLoss(baseline: AblationFigures, one: AblationFigures): number {
  return Math.max(
    total(baseline.pan13) - total(one.pan13),
    total(baseline.mixed) - total(one.mixed),
    total(baseline.modern) - total(one.modern),
  );
}

function worstClass(baseline: AblationFigures["pan13"], figures: AblationFigures["pan13"]): string {
  const changes = Object.entries(baseline)
    .filter(([name]) => name !== "all")
    .map(([name, before]) => ({ name: name.replace(/^\d\d-/, ""), change: (figures[name] ?? 0) - before }));
  const worst = changes.toSorted((a, b) => a.change - b.change)[0];
  return worst === undefined || worst.change > -0.00005 ? "-" : `${worst.name} ${signed(worst.change)}`;
}

function total(figures: AblationFigures["pan13"]): number {
  return figures.all ?? 0;
}

function signed(change: number, decimals = 4): string {
  const text = Math.abs(change).toFixed(decimals);
  return Number(text) === 0 ? "0" : `${change < 0 ? "−" : "+"}${text}`;
}

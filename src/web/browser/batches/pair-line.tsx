import { percent } from "../shared/wording.ts";
import type { GraphPair } from "./batch-graph.ts";

type PairLineProps = {
  readonly pair: GraphPair;
  readonly href: string;
  /** Short ones, by the members' names, where space is scarce. */
  readonly names?: ReadonlyMap<string, string>;
};

/** A pair beside a drawing: both names with their shares, and a link to the comparison. */
export function PairLine({ pair, href, names }: PairLineProps) {
  const { a, b, aPct, bPct } = pair;
  return (
    <a class="pair-line" href={href} title={pairInWords(pair)}>
      <span>
        <bdi>{names?.get(a.name) ?? a.name}</bdi> <span class="pct">{percent(aPct)}</span>
      </span>
      <span>
        <bdi>{names?.get(b.name) ?? b.name}</bdi> <span class="pct">{percent(bPct)}</span>
      </span>
    </a>
  );
}

/** The same in a sentence, which screen readers get while a drawing is explored. */
export function pairInWords({ a, b, aPct, bPct }: GraphPair): string {
  return `${a.name} and ${b.name}: ${percent(aPct)} of the first text, ${percent(bPct)} of the second one`;
}

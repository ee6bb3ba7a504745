import { percent } from "../wording/numbers.ts";

/**
 * A share of a text, as a number over a bar of that length. Its colour is the same for every share: how much is too
 * much is for the reader to judge.
 */
export function PercentBadge({ value }: { readonly value: number }) {
  return (
    <span class="percent">
      <span class="percent-number">{percent(value)}</span>
      <span class="percent-bar" aria-hidden="true">
        <span style={{ inlineSize: `${value}%` }} />
      </span>
    </span>
  );
}

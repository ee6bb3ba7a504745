import type { MeaningComparison } from "../../../client/index.ts";
import { MARGIN_CLEAR, MARGIN_FAR, marginInWords } from "../../../report/wording.ts";
import { count } from "../shared/wording.ts";
import { connectedPairs } from "./sentence-rows.ts";

/** How much more alike than usual the sentences of each pair are, in the order in which the pairs are numbered. */
export function WhyByMeaning({ meaning }: { readonly meaning: MeaningComparison }) {
  return (
    <>
      <p>
        This passage was found by its meaning. The figures say how much more alike two sentences are than the
        closest sentences of other texts usually are, which is 0. Sentences that only share a subject hardly
        ever reach {signed(MARGIN_CLEAR)}; half of all translated sentences reach {signed(MARGIN_FAR)}.
      </p>
      <ul>
        {connectedPairs(meaning.sentence_pairs).map((group, index) => (
          <li key={group[0]?.query_start}>
            Pair {count(index + 1)}:{" "}
            {group.map(({ margin }) => `${marginInWords(margin)} (${signed(margin)})`).join("; ")}
          </li>
        ))}
      </ul>
    </>
  );
}

function signed(margin: number): string {
  return `${margin >= 0 ? "+" : "−"}${Math.abs(margin).toFixed(2)}`;
}

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MeaningComparison } from "../../../client/index.ts";
import { mirroredMeaning } from "../report/sentence-rows.ts";
import { SentenceTable, type TableSide } from "../report/sentence-table.tsx";
import { WhyByMeaning } from "../report/why-by-meaning.tsx";
import { SmallButton } from "../shared/elements.tsx";
import { otherSide, type PairedPassage, type PairedText, type Side } from "./paired-passages.ts";

type PairedSentencesProps = {
  readonly passage: PairedPassage;
  readonly meaning: MeaningComparison;
  readonly texts: Readonly<Record<Side, PairedText>>;
  /** The text on the left. */
  readonly first: Side;
};

/** The sentences of a passage that was found by its meaning, in the place of both texts. */
export function PairedSentences({ passage, meaning, texts, first }: PairedSentencesProps) {
  const [showsWhy, setShowsWhy] = useState(false);
  const section = useRef<HTMLElement>(null);
  // The section stays from passage to passage, and each begins at its top.
  useLayoutEffect(() => section.current?.scrollTo(0, 0), [passage.index]);
  const tableSide = (side: Side): TableSide => {
    const { name, text, language } = texts[side];
    const { start, end } = passage[side];
    const named = <bdi>{name}</bdi>;
    return { text, at: 0, start, end, name: named, heading: named, language };
  };
  const type = passage.passage.match_type;
  // The table is in the order of the text on the left.
  const shown = first === "query" ? meaning : mirroredMeaning(meaning);
  return (
    <section
      ref={section}
      class={`pair-sentences k-${type}-mark`}
      aria-label="Sentences that correspond"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the section scrolls, so the keyboard has to reach it
      tabIndex={0}
    >
      <p>
        <SmallButton aria-expanded={showsWhy} onClick={() => setShowsWhy(!showsWhy)}>
          Why?
        </SmallButton>
      </p>
      {showsWhy && (
        <div class="why">
          <WhyByMeaning meaning={shown} />
        </div>
      )}
      <SentenceTable
        key={passage.index}
        meaning={shown}
        isTranslated={type === "translated"}
        query={tableSide(first)}
        source={tableSide(otherSide(first))}
      />
    </section>
  );
}

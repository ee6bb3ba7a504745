import { type ComponentChild, Fragment } from "preact";
import { visibleSigns } from "../../../../core/text/visible-signs.ts";
import { colourOf } from "../../../../reports/source-colours.ts";
import { flagCount, matchTypeLabel } from "../../../../reports/wording.ts";
import type { PlacedPassage } from "../model/passages.ts";
import { filterReason } from "../model/report-wording.ts";
import type { Segment } from "../model/segments.ts";

/** What of the text stands out: one passage, or the passages of one source. */
export type Emphasis = {
  readonly passage: PlacedPassage | undefined;
  readonly source: number | undefined;
  /** The passage that the Tab key reaches; the others are reached from it. */
  readonly tabStop: PlacedPassage | undefined;
};

/** How many sources of a stretch are drawn one below the other; the numbers name as many. */
const SHOWN_SOURCES = 3;

/** A stretch of the text with what is to be said about it. Its text content is the submitted text, character by character. */
export function SegmentView({
  text,
  segment,
  emphasis,
  linkOf,
}: {
  /** Of the segment. */
  readonly text: string;
  readonly segment: Segment;
  readonly emphasis: Emphasis;
  readonly linkOf: (passage: PlacedPassage) => string;
}) {
  const shown = segment.flags.length === 0 ? text : <Signs text={text} segment={segment} />;
  return (
    <Fragment>
      <Numbers segment={segment} emphasis={emphasis} linkOf={linkOf} />
      {marked(shown, segment, emphasis)}
    </Fragment>
  );
}

function marked(shown: ComponentChild, segment: Segment, emphasis: Emphasis): ComponentChild {
  const { passages, leftOut, isOrphan } = segment;
  if (leftOut !== undefined)
    return (
      <span class="left-out" title={`Left out: ${filterReason(leftOut.filter)}`}>
        {shown}
      </span>
    );
  if (isOrphan)
    return (
      <mark class="orphan" title="Matched a source that has since been deleted">
        {shown}
      </mark>
    );
  const first = leading(passages, emphasis);
  if (first === undefined) return shown;
  const others = passages.filter((one) => one.source !== first.source).slice(0, SHOWN_SOURCES - 1);
  const classes = [
    `c${colourOf(first.source.number)}`,
    `t-${first.passage.match_type}`,
    ...others.map(({ source }, index) => `${index === 0 ? "u" : "v"}${colourOf(source.number)}`),
  ];
  if (emphasis.passage !== undefined && passages.includes(emphasis.passage)) classes.push("chosen");
  if (emphasis.source !== undefined && first.source.number !== emphasis.source) classes.push("faint");
  return (
    <mark class={classes.join(" ")} data-passage={first.index}>
      {shown}
    </mark>
  );
}

/** The passage whose colour a stretch has: the chosen one, one of the chosen source, else the first source's. */
function leading(
  passages: readonly PlacedPassage[],
  { passage, source }: Emphasis,
): PlacedPassage | undefined {
  if (passage !== undefined && passages.includes(passage)) return passage;
  return passages.find((one) => one.source.number === source) ?? passages[0];
}

function Numbers({
  segment,
  emphasis,
  linkOf,
}: {
  readonly segment: Segment;
  readonly emphasis: Emphasis;
  readonly linkOf: (passage: PlacedPassage) => string;
}) {
  const { begins } = segment;
  if (begins.length === 0) return null;
  const own = begins.filter(({ source }) => source.number === emphasis.source);
  const kept = emphasis.passage !== undefined && begins.includes(emphasis.passage) ? [emphasis.passage] : own;
  const numbered = [...new Set([...kept, ...begins])]
    .slice(0, SHOWN_SOURCES)
    .sort((a, b) => a.source.number - b.source.number);
  const more = begins.length - numbered.length;
  return (
    <span class="numbers">
      {numbered.map((passage) => (
        // biome-ignore lint/a11y/useAnchorContent: its label says it; what it shows stands in the styles, outside the text
        <a
          key={passage.index}
          class={`number c${colourOf(passage.source.number)}${isFaint(passage, emphasis) ? " faint" : ""}`}
          href={linkOf(passage)}
          data-passage={passage.index}
          data-number={passage.source.number}
          tabIndex={passage === emphasis.tabStop ? 0 : -1}
          aria-label={`Passage ${passage.index + 1}, ${matchTypeLabel(passage.passage.match_type)}, of source ${passage.source.number}: ${passage.source.title}`}
        />
      ))}
      {more > 0 && <span class="more-numbers" data-more={`+${more}`} />}
    </span>
  );
}

function isFaint({ source }: PlacedPassage, emphasis: Emphasis): boolean {
  return emphasis.source !== undefined && source.number !== emphasis.source;
}

/** Flagged text, with its hidden characters shown as code points and its foreign letters marked. */
function Signs({ text, segment }: { readonly text: string; readonly segment: Segment }) {
  const kinds = [...new Set(segment.flags.map(({ kind }) => kind))];
  return (
    <span class="flagged" title={kinds.map((kind) => flagCount(kind, 1).replace(/^\S+ /, "A ")).join("; ")}>
      {visibleSigns(text, segment.flags).map(({ text: piece, code, script }, index) => {
        if (code !== undefined) return <SignMark key={index} text={piece} code={code} />;
        if (script !== undefined)
          return (
            <span key={index} class="stranger" title={`${script} letter`}>
              {piece}
            </span>
          );
        return <Fragment key={index}>{piece}</Fragment>;
      })}
    </span>
  );
}

/** The character itself stays, for whoever copies the text, but turns no direction beyond its own place. */
export function SignMark({ text, code }: { readonly text: string; readonly code: string }) {
  return (
    <span class="sign" data-code={code}>
      {text}
    </span>
  );
}

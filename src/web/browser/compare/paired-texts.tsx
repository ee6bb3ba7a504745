import { useMemo, useState } from "preact/hooks";
import type { ComparedSide, Comparison } from "../../../client/index.ts";
import {
  flagCount,
  languageName,
  languageOriginInWords,
  matchTypeLabel,
  passageInWords,
  semanticCoverageInWords,
} from "../../../reports/wording.ts";
import { Kinds } from "../report/kinds.tsx";
import { useReportKeys } from "../report/report-keys.tsx";
import { SmallButton } from "../shared/elements.tsx";
import { announce } from "../shared/mount.tsx";
import { Notice } from "../shared/notice.tsx";
import { textBlocks } from "../shared/text-blocks.ts";
import { count, counted, percent } from "../shared/wording.ts";
import { Bands } from "./bands.tsx";
import {
  type MatchType,
  otherSide,
  type PairedPassage,
  pairedPassages,
  passageBeside,
  type Side,
  sideSegments,
} from "./paired-passages.ts";
import { TextColumn } from "./text-column.tsx";
import { usePairedScroll } from "./use-paired-scroll.ts";
import "../report/report.css";
import "../report/text.css";
import "./paired-texts.css";

type PairedTextsProps = {
  /** With offsets in UTF-16 units and lengths in characters. */
  readonly comparison: Comparison;
  readonly names: Readonly<Record<Side, string>>;
};

/** Two texts side by side with the passages that they share: they scroll in step, and passages are connected. */
export function PairedTexts({ comparison, names }: PairedTextsProps) {
  const [first, setFirst] = useState<Side>("query");
  const [hidden, setHidden] = useState<ReadonlySet<MatchType>>(new Set());
  const [chosenIndex, setChosenIndex] = useState<number>();
  const [litIndex, setLitIndex] = useState<number>();
  const { query, source } = comparison;
  const passages = useMemo(() => pairedPassages(comparison.passages, hidden), [comparison, hidden]);
  const blocks = useMemo(
    () => ({ query: textBlocks(query.text), source: textBlocks(source.text) }),
    [comparison],
  );
  const segments = useMemo(
    () => ({
      query: sideSegments(blocks.query, marksOf("query", query, passages)),
      source: sideSegments(blocks.source, marksOf("source", source, passages)),
    }),
    [blocks, passages, comparison],
  );
  const lengths = useMemo(() => ({ query: query.text.length, source: source.text.length }), [comparison]);
  const scroll = usePairedScroll(passages, blocks, lengths);
  const chosen = passages.find(({ index }) => index === chosenIndex);
  const lit = passages.find(({ index }) => index === litIndex);
  const step = (direction: 1 | -1) => {
    const next = passageBeside(passages, chosen, direction);
    if (next === undefined) return;
    setChosenIndex(next.index);
    scroll.reveal(next);
    announce(`Passage ${next.index + 1}, ${passageInWords(next.passage, source.language)}.`);
  };
  useReportKeys(
    new Map([
      ["n", () => step(1)],
      ["p", () => step(-1)],
      ["Escape", () => setChosenIndex(undefined)],
    ]),
    true,
  );
  const choose = (index: number, side: Side) => {
    const passage = passages.find((one) => one.index === index);
    setChosenIndex(index);
    if (passage !== undefined) scroll.level(passage, side);
  };
  const column = (side: Side) => (
    <TextColumn
      key={side}
      side={side}
      name={names[side]}
      text={comparison[side].text}
      language={comparison[side].language}
      sourceLanguage={source.language}
      refs={scroll.refs[side]}
      blocks={blocks[side]}
      segments={segments[side]}
      emphasis={{ chosen, lit, tabStop: chosen ?? passages[0] }}
      onLight={setLitIndex}
      onChoose={(index) => choose(index, side)}
    />
  );
  const second = otherSide(first);
  return (
    <div class="pair">
      <CoverageNotices comparison={comparison} />
      <div class="pair-heads">
        <SideHead side={comparison[first]} name={names[first]} />
        <SideHead side={comparison[second]} name={names[second]} />
      </div>
      <div class="pair-reading">
        <div class="passage-bar">
          <p role="status">{positionInWords(passages, chosen, comparison.passages.length)}</p>
          <KindChoice comparison={comparison} hidden={hidden} onHidden={setHidden} />
          <span class="steps">
            <SmallButton disabled={passages.length === 0} onClick={() => step(-1)}>
              <span aria-hidden="true">↑</span> <span class="word">Previous</span>
            </SmallButton>
            <SmallButton disabled={passages.length === 0} onClick={() => step(1)}>
              <span aria-hidden="true">↓</span> <span class="word">Next</span>
            </SmallButton>
            <SmallButton onClick={() => setFirst(second)}>
              <span aria-hidden="true">⇄</span> <span class="word">Swap sides</span>
            </SmallButton>
          </span>
        </div>
        <div class="pair-texts">
          {column(first)}
          <Bands passages={passages} scroll={scroll} first={first} chosen={chosen} lit={lit} />
          {column(second)}
        </div>
      </div>
    </div>
  );
}

function marksOf(
  side: Side,
  { integrity_flags: flags, page_margins: margins }: ComparedSide,
  passages: readonly PairedPassage[],
) {
  return { side, passages, flags, margins };
}

function positionInWords(
  passages: readonly PairedPassage[],
  chosen: PairedPassage | undefined,
  all: number,
): string {
  if (all === 0) return "No passages in common";
  if (chosen !== undefined)
    return `Passage ${count(passages.indexOf(chosen) + 1)} of ${count(passages.length)}`;
  return passages.length === all
    ? counted(all, "passage")
    : `${count(passages.length)} of ${counted(all, "passage")}`;
}

function CoverageNotices({ comparison }: { readonly comparison: Comparison }) {
  const { coverage, semantic_coverage_reason: reason, passages } = comparison;
  const semantic = semanticCoverageInWords(
    { ...comparison, semantic_documents: 1, corpus_sources: 1 },
    count,
  );
  return (
    <>
      {coverage === "partial" && (
        <Notice kind="warn" title="The texts were not compared">
          <p>Time ran out before their words were compared. Compare them again, or in smaller pieces.</p>
        </Notice>
      )}
      {coverage === "full" && passages.length === 0 && (
        <Notice kind="warn" title="No passages in common">
          <p>The two texts share no passage that is long enough to count as reuse.</p>
        </Notice>
      )}
      {reason !== "off" && semantic !== undefined && (
        <Notice kind="warn" title="Not everything was compared by meaning">
          <p>{semantic}</p>
        </Notice>
      )}
      {reason === "off" && <p class="quiet">{semantic}</p>}
    </>
  );
}

function SideHead({ side, name }: { readonly side: ComparedSide; readonly name: string }) {
  const flags = [...Map.groupBy(side.integrity_flags, ({ kind }) => kind)];
  return (
    <section class="pair-head">
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <p class="pair-score">
        <strong>{percent(side.overall_similarity_pct)}</strong> of this text is also in the other one
      </p>
      <Kinds report={side} />
      <p class="quiet facts">
        {languageName(side.language)}
        {languageOriginInWords(side.language_origin)} · {counted(side.char_count, "character")} ·{" "}
        {counted(side.word_count, "word")}
        {flags.map(([kind, all]) => ` · ${flagCount(kind, all.length, count)}`)}
      </p>
    </section>
  );
}

const KINDS = ["identical", "minor_changes", "paraphrased", "translated"] as const;

type KindChoiceProps = {
  readonly comparison: Comparison;
  readonly hidden: ReadonlySet<MatchType>;
  readonly onHidden: (hidden: ReadonlySet<MatchType>) => void;
};

/** The legend: the kinds that occur, each of which can be hidden. */
function KindChoice({ comparison, hidden, onHidden }: KindChoiceProps) {
  const occurring = new Set(comparison.passages.flatMap(({ runs }) => runs.map((run) => run.match_type)));
  if (occurring.size === 0) return null;
  const toggle = (kind: MatchType) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    onHidden(next);
  };
  return (
    <fieldset class="pair-kinds">
      <legend class="hidden-visually">Kinds of passages that are shown</legend>
      {KINDS.filter((kind) => occurring.has(kind)).map((kind) => (
        <label key={kind}>
          <input type="checkbox" checked={!hidden.has(kind)} onChange={() => toggle(kind)} />
          <span class={`kind-sign k-${kind}`} aria-hidden="true" />
          {matchTypeLabel(kind)}
        </label>
      ))}
    </fieldset>
  );
}

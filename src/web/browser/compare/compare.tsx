import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ComparedSide, Comparison } from "../../../client/index.ts";
import { Button } from "../shared/elements.tsx";
import { mount } from "../shared/mount.tsx";
import { type Compared, CompareForm } from "./compare-form.tsx";
import "./compare.css";
import {
  flagCount,
  languageName,
  languageOriginInWords,
  semanticCoverageInWords,
} from "../../../report/wording.ts";
import { Kinds } from "../shared/elements.tsx";
import { Notice } from "../shared/notice.tsx";
import { count, counted, percent } from "../shared/wording.ts";
import type { PairedText, Side } from "./paired-passages.ts";
import { PairedTexts } from "./paired-texts.tsx";

/** Two texts or files, then their shared passages. The form keeps its content for another attempt. */
function ComparePage() {
  const [compared, setCompared] = useState<Compared>();
  const [showsResult, setShowsResult] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The back button leads from the result to the form.
    const show = () => setShowsResult(history.state?.[RESULT] === true);
    addEventListener("popstate", show);
    return () => removeEventListener("popstate", show);
  }, []);
  useEffect(() => {
    if (!showsResult) return;
    scrollTo({ top: 0, behavior: "instant" });
    title.current?.focus({ preventScroll: true });
  }, [showsResult, compared]);
  const isShown = showsResult && compared !== undefined;
  return (
    <>
      <div class="compare-title">
        <h1 ref={title} tabIndex={-1}>
          Compare two texts
        </h1>
        {isShown && <Button onClick={() => history.back()}>Change the texts</Button>}
      </div>
      <div hidden={isShown}>
        <p class="lead">
          See which passages two texts share, side by side. Neither is stored, and neither is added to the
          corpus.
        </p>
        <CompareForm
          onCompared={(next) => {
            setCompared(next);
            setShowsResult(true);
            if (history.state?.[RESULT] !== true) history.pushState({ [RESULT]: true }, "");
          }}
        />
      </div>
      {isShown && <ComparisonView key={keyOf(compared.comparison)} {...compared} />}
    </>
  );
}

const RESULT = "comparison";

const KEYS = new WeakMap<Comparison, number>();
let keys = 0;

/** Another comparison starts at its beginning, with all kinds of passages. */
function keyOf(comparison: Comparison): number {
  const known = KEYS.get(comparison) ?? ++keys;
  KEYS.set(comparison, known);
  return known;
}

// After a reload there is no comparison to go back to.
history.replaceState(null, "");

/** The result: shared passages side by side, below a summary of the coverage. */
function ComparisonView({ comparison, names }: Compared) {
  const texts = useMemo(() => ({ query: textOf("query"), source: textOf("source") }), [comparison, names]);
  function textOf(side: Side): PairedText {
    const { text, language, integrity_flags: flags, page_margins: margins } = comparison[side];
    const uncompared = margins.map(([start, end]) => ({ start, end, reason: MARGIN }));
    return { name: names[side], text, language, flags, uncompared };
  }
  return (
    <>
      <CoverageNotices comparison={comparison} />
      <PairedTexts
        texts={texts}
        passages={comparison.passages}
        headOf={(side) => <SideHead key={side} side={comparison[side]} name={names[side]} />}
      />
    </>
  );
}

const MARGIN = "Header, footer or page number: not compared";

function CoverageNotices({ comparison }: { readonly comparison: Comparison }) {
  const { coverage, semantic_coverage_reason: reason, passages } = comparison;
  const semantic = semanticCoverageInWords(
    { ...comparison, semantic_documents: 1, corpus_sources: 1 },
    count,
  );
  return (
    <>
      {coverage === "partial" && (
        <Notice kind="warn" title="Not everything was compared">
          <p>Time ran out after verbatim copies were found. Compare the texts again, or in smaller pieces.</p>
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

mount(<ComparePage />);

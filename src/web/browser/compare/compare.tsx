import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ComparedSide, Comparison } from "../../../client/index.ts";
import { flagCount, languageOriginInWords, semanticCoverageInWords } from "../../../report/wording.ts";
import { Button, Kinds, ProgressBar } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { Form, useSubmitKeys } from "../shared/field.tsx";
import { fileFault, useFileDrop } from "../shared/files.ts";
import { LanguageField } from "../shared/language-field.tsx";
import { announce, mount } from "../shared/mount.tsx";
import { ErrorNotice, Fault, Notice } from "../shared/notice.tsx";
import { languageName, texts } from "../shared/texts.ts";
import { counted, percent } from "../shared/wording.ts";
import { Composer } from "../submit/composer.tsx";
import { textFault, useTextSize } from "../submit/draft.ts";
import type { PairedText, Side } from "./paired-passages.ts";
import { PairedTexts } from "./paired-texts.tsx";
import "./compare.css";
import "../submit/submit.css";

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
    texts,
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
        {languageOriginInWords(side.language_origin, texts)} · {counted(side.char_count, "character")} ·{" "}
        {counted(side.word_count, "word")}
        {flags.map(([kind, all]) => ` · ${flagCount(kind, all.length, texts)}`)}
      </p>
    </section>
  );
}

/** A comparison, and the names of its texts. */
type Compared = { readonly comparison: Comparison; readonly names: Readonly<Record<Side, string>> };

const NAMES = { query: "First text", source: "Second text" } as const satisfies Record<Side, string>;

/** The two texts or files, and the button that compares them. */
function CompareForm({ onCompared }: { readonly onCompared: (compared: Compared) => void }) {
  const [query, source] = [useSide("query"), useSide("source")];
  const sides = { query, source };
  const [running, setRunning] = useState<AbortController>();
  const [error, setError] = useState<unknown>();
  const [fault, setFault] = useState<string>();
  const isFileOver = useFileDrop((files, target) => {
    const [first, second] = files;
    if (first === undefined) return;
    if (second !== undefined) {
      query.setFile(first);
      source.setFile(second);
      return;
    }
    const isSecond = target?.closest("[data-side]")?.getAttribute("data-side") === "source";
    const isFirstTaken = query.file !== undefined || query.text !== "";
    const isAnywhere = target?.closest("[data-side]") == null;
    (isSecond || (isAnywhere && isFirstTaken) ? source : query).setFile(first);
  });

  const compare = async () => {
    if (running !== undefined) return;
    const found = faultOf(query) ?? faultOf(source);
    setFault(found);
    setError(undefined);
    if (found !== undefined) return (faultOf(query) === undefined ? source : query).focus();
    const started = new AbortController();
    setRunning(started);
    try {
      const comparison = await requestComparison(query, source, started.signal);
      onCompared({
        comparison,
        names: {
          query: comparison.query.filename ?? NAMES.query,
          source: comparison.source.filename ?? NAMES.source,
        },
      });
    } catch (failure) {
      if (!started.signal.aborted) setError(failure);
    } finally {
      setRunning(undefined);
    }
  };
  useSubmitKeys(compare);

  return (
    <Form class="compare-form" label="Compare two texts" onSubmit={compare}>
      <div class="compare-sides">
        {(["query", "source"] as const).map((side) => (
          <div key={side} class="compare-side" data-side={side}>
            <h2>{NAMES[side]}</h2>
            <Composer
              prefix={`${side}-`}
              label={NAMES[side]}
              field={sides[side].field}
              initialText=""
              size={sides[side].size}
              file={sides[side].file}
              isFileOver={isFileOver}
              onText={sides[side].setText}
              onFile={sides[side].setFile}
            />
            <LanguageField
              label={`Language of the ${NAMES[side].toLowerCase()}`}
              value={sides[side].language}
              onChange={sides[side].setLanguage}
            />
          </div>
        ))}
      </div>
      {error !== undefined && <ErrorNotice error={error} onRetry={compare} />}
      <Fault text={fault} />
      <div class="submit-row">
        <button type="submit" class="primary" aria-disabled={running !== undefined}>
          {running === undefined ? "Compare" : "Comparing…"}
        </button>
        {running !== undefined && (
          <>
            <ProgressBar value={undefined} label="Comparing the texts" />
            <Button onClick={() => running.abort()}>Cancel</Button>
          </>
        )}
      </div>
    </Form>
  );
}

type SideInput = ReturnType<typeof useSide>;

/** A text that is typed, or a file in its place. */
function useSide(side: Side) {
  const [text, setText] = useState("");
  const [file, setFile] = useState<File>();
  const [language, setLanguage] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const size = useTextSize(text, language);
  return {
    side,
    ...{ text, setText, file, language, setLanguage, field, size },
    setFile: (chosen: File | undefined) => {
      setFile(chosen);
      if (chosen !== undefined) announce(`${chosen.name} selected as ${NAMES[side].toLowerCase()}.`);
    },
    focus: () => field.current?.focus(),
  };
}

function faultOf({ side, text, file, size }: SideInput): string | undefined {
  const fault = file === undefined ? textFault(text, size.chars) : fileFault(file);
  return fault === undefined ? undefined : `${NAMES[side]}: ${fault}`;
}

const UNITS = { offset_unit: "utf16", length_unit: "code_point" } as const;

function requestComparison(query: SideInput, source: SideInput, signal: AbortSignal): Promise<Comparison> {
  const languages = {
    ...(query.language !== "" && { language: query.language }),
    ...(source.language !== "" && { source_language: source.language }),
  };
  if (query.file === undefined && source.file === undefined) {
    const texts = { query_text: query.text, source_text: source.text };
    return engine.compareTexts({ ...texts, ...languages }, UNITS, { signal });
  }
  const form = {
    ...(query.file === undefined ? { query_text: query.text } : { query_file: query.file }),
    ...(source.file === undefined ? { source_text: source.text } : { source_file: source.file }),
    ...languages,
  };
  return engine.compareFiles(form, UNITS, { signal });
}

mount(<ComparePage />);

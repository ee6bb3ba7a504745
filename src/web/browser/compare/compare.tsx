import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  type ComparedSide,
  type CompareFilesForm,
  type Comparison,
  ProblemError,
} from "../../../client/index.ts";
import { flagCount, languageOriginInWords, semanticCoverageInWords } from "../../../report/wording.ts";
import { Button, Kinds, ProgressBar } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { Form, useSubmitKeys } from "../shared/field.tsx";
import { fileFault, useFileDrop } from "../shared/files.ts";
import { LanguageField } from "../shared/language-field.tsx";
import { announce, mount } from "../shared/mount.tsx";
import { ErrorNotice, Fault, NotFound, Notice, Pending } from "../shared/notice.tsx";
import { languageName, pageLanguage, say, sayCount, sayParts, texts } from "../shared/texts.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { percent } from "../shared/wording.ts";
import { Composer } from "../submit/composer.tsx";
import { textFault, useTextSize } from "../submit/draft.ts";
import { ComparisonActions } from "./comparison-actions.tsx";
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
          {say("compare.title")}
        </h1>
        {isShown && <Button onClick={() => history.back()}>{say("compare.change")}</Button>}
      </div>
      <div hidden={isShown}>
        <p class="lead">{say("compare.lead")}</p>
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

/** A comparison that somebody has made a link to. */
function KeptPage({ comparisonId }: { readonly comparisonId: string }) {
  const { value, error, reload } = useLoaded(comparisonId, (signal) =>
    engine.getComparison(comparisonId, UNITS, { signal }),
  );
  const gone = error instanceof ProblemError ? GONE[error.code] : undefined;
  if (gone !== undefined) return <NotFound {...gone} listHref="/compare" listName={say("compare.title")} />;
  return (
    <>
      <div class="compare-title">
        <h1>{say("comparison.title")}</h1>
        <a class="button" href="/compare">
          {say("compare.title")}
        </a>
      </div>
      {value === undefined ? (
        <Pending text={say("comparison.loading")} error={error} reload={reload} />
      ) : (
        <>
          <p class="compare-actions">
            <a
              class="button"
              href={`/v1/comparisons/${comparisonId}/comparison.pdf?language=${pageLanguage}`}
            >
              {say("report.pdf")}
            </a>
          </p>
          {value.expires_at !== undefined && (
            <p class="quiet">{say("comparison.linkUntil", { date: texts.utcDate(value.expires_at) })}</p>
          )}
          <ComparisonView comparison={value} names={namesOf(value)} />
        </>
      )}
    </>
  );
}

/** Why there is no comparison under a link, by the code of the problem. */
const GONE: Readonly<Record<string, { readonly title: string; readonly advice: string }>> = {
  comparison_not_found: { title: say("problem.comparison_not_found"), advice: say("comparison.gone") },
  comparison_links_off: { title: say("problem.comparison_links_off"), advice: say("comparison.linksOff") },
};

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
function ComparisonView({ comparison, names, form }: Compared) {
  const texts = useMemo(() => ({ query: textOf("query"), source: textOf("source") }), [comparison, names]);
  function textOf(side: Side): PairedText {
    const { text, language, integrity_flags: flags, page_margins: margins } = comparison[side];
    const uncompared = margins.map(([start, end]) => ({ start, end, reason: say("mark.margin") }));
    return { name: names[side], text, language, flags, uncompared };
  }
  return (
    <>
      {form !== undefined && (
        <ComparisonActions form={form} name={names.query} allowsLinks={comparison.link_days !== undefined} />
      )}
      <CoverageNotices comparison={comparison} />
      <PairedTexts
        texts={texts}
        passages={comparison.passages}
        headOf={(side) => <SideHead key={side} side={comparison[side]} name={names[side]} />}
      />
    </>
  );
}

function CoverageNotices({ comparison }: { readonly comparison: Comparison }) {
  const { coverage, semantic_coverage_reason: reason, passages } = comparison;
  const semantic = semanticCoverageInWords(
    { ...comparison, semantic_documents: 1, corpus_sources: 1 },
    texts,
  );
  return (
    <>
      {coverage === "partial" && (
        <Notice kind="warn" title={say("compare.partialTitle")}>
          <p>{say("compare.partial")}</p>
        </Notice>
      )}
      {coverage === "full" && passages.length === 0 && (
        <Notice kind="warn" title={say("pair.none")}>
          <p>{say("pair.noneText")}</p>
        </Notice>
      )}
      {reason !== "off" && semantic !== undefined && (
        <Notice kind="warn" title={say("meaning.title")}>
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
        {sayParts("pair.share", { pct: <strong>{percent(side.overall_similarity_pct)}</strong> })}
      </p>
      <Kinds report={side} />
      <p class="quiet facts">
        {languageName(side.language)}
        {languageOriginInWords(side.language_origin, texts)} · {sayCount("count.characters", side.char_count)}{" "}
        · {sayCount("count.words", side.word_count)}
        {flags.map(([kind, all]) => ` · ${flagCount(kind, all.length, texts)}`)}
      </p>
    </section>
  );
}

/** A comparison, and the names of its texts. */
type Compared = {
  readonly comparison: Comparison;
  readonly names: Readonly<Record<Side, string>>;
  /** The texts as they were sent; undefined for a comparison that is kept. */
  readonly form?: CompareFilesForm;
};

function namesOf({ query, source }: Comparison): Compared["names"] {
  return { query: query.filename ?? NAMES.query, source: source.filename ?? NAMES.source };
}

const NAMES = { query: say("compare.first"), source: say("compare.second") } as const;
const LANGUAGE_LABELS = {
  query: say("compare.firstLanguage"),
  source: say("compare.secondLanguage"),
} as const;

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
      const form = formOf(query, source);
      const comparison = await requestComparison(form, started.signal);
      onCompared({ comparison, names: namesOf(comparison), form });
    } catch (failure) {
      if (!started.signal.aborted) setError(failure);
    } finally {
      setRunning(undefined);
    }
  };
  useSubmitKeys(compare);

  return (
    <Form class="compare-form" label={say("compare.title")} onSubmit={compare}>
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
              label={LANGUAGE_LABELS[side]}
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
          {say(running === undefined ? "nav.compare" : "compare.comparing")}
        </button>
        {running !== undefined && (
          <>
            <ProgressBar value={undefined} label={say("compare.comparing")} />
            <Button onClick={() => running.abort()}>{say("common.cancel")}</Button>
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
      if (chosen !== undefined) announce(ofSide(side, say("submit.selected", { name: chosen.name })));
    },
    focus: () => field.current?.focus(),
  };
}

function faultOf({ side, text, file, size }: SideInput): string | undefined {
  const fault = file === undefined ? textFault(text, size.chars) : fileFault(file);
  return fault === undefined ? undefined : ofSide(side, fault);
}

function ofSide(side: Side, text: string): string {
  return say("join.colon", { name: NAMES[side], text });
}

const UNITS = { offset_unit: "utf16", length_unit: "code_point" } as const;

function formOf(query: SideInput, source: SideInput): CompareFilesForm {
  return {
    ...(query.file === undefined ? { query_text: query.text } : { query_file: query.file }),
    ...(source.file === undefined ? { source_text: source.text } : { source_file: source.file }),
    ...(query.language !== "" && { language: query.language }),
    ...(source.language !== "" && { source_language: source.language }),
  };
}

function requestComparison(form: CompareFilesForm, signal: AbortSignal): Promise<Comparison> {
  const { query_text, source_text, query_file: _, source_file: __, ...languages } = form;
  // A form would change the line ends of texts.
  return query_text !== undefined && source_text !== undefined
    ? engine.compareTexts({ query_text, source_text, ...languages }, UNITS, { signal })
    : engine.compareFiles(form, UNITS, { signal });
}

const [, , comparisonId = ""] = location.pathname.split("/");

mount(comparisonId === "" ? <ComparePage /> : <KeptPage comparisonId={comparisonId} />);

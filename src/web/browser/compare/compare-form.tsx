import { useRef, useState } from "preact/hooks";
import type { Comparison } from "../../../client/index.ts";
import { Button, ProgressBar } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { Form, useSubmitKeys } from "../shared/field.tsx";
import { fileFault, useFileDrop } from "../shared/files.ts";
import { LanguageField } from "../shared/language-field.tsx";
import { announce } from "../shared/mount.tsx";
import { ErrorNotice, Fault } from "../shared/notice.tsx";
import { Composer } from "../submit/composer.tsx";
import { textFault, useTextSize } from "../submit/draft.ts";
import type { Side } from "./paired-passages.ts";
import "../submit/submit.css";

/** A comparison, and the names of its texts. */
export type Compared = { readonly comparison: Comparison; readonly names: Readonly<Record<Side, string>> };

const NAMES = { query: "First text", source: "Second text" } as const satisfies Record<Side, string>;

/** The two texts or files, and the button that compares them. */
export function CompareForm({ onCompared }: { readonly onCompared: (compared: Compared) => void }) {
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

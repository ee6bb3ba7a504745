import { useRef, useState } from "preact/hooks";
import { MeaningCoverage, useCoverage } from "../corpus/coverage.tsx";
import { ProgressBar } from "../shared/elements.tsx";
import { TextField } from "../shared/field.tsx";
import { useFileDrop } from "../shared/files.ts";
import { LanguageField } from "../shared/language-field.tsx";
import { announce } from "../shared/mount.tsx";
import { ErrorNotice, Fault } from "../shared/notice.tsx";
import { TITLE_CHARS_MAX } from "../shared/title-editor.tsx";
import { useWindowEvent } from "../shared/use-window-event.ts";
import { Composer } from "./composer.tsx";
import { type Draft, edited, useDraft, useTextSize } from "./draft.ts";
import { useSubmission } from "./use-submission.ts";

type SubmitFormProps = {
  /** Nothing can be found then: adding documents comes first. */
  readonly isCorpusEmpty: boolean;
};

/** The form that submits a check and opens its page. */
export function SubmitForm({ isCorpusEmpty }: SubmitFormProps) {
  const { value: coverage } = useCoverage();
  const { draft, change, forget } = useDraft();
  // Later changes are in the fields already: writing them back would move the cursor.
  const [initial] = useState(draft);
  const [file, setFile] = useState<File>();
  const field = useRef<HTMLTextAreaElement>(null);
  const size = useTextSize(draft.text, draft.language);
  const { sent, error, fault, clearFault, submit } = useSubmission({
    onFault: () => field.current?.focus(),
    onAccepted: forget,
  });

  const edit = (changes: Partial<Omit<Draft, "key">>) => {
    clearFault();
    change(edited(draft, changes));
  };
  const chooseFile = (chosen: File | undefined) => {
    setFile(chosen);
    // Another file is another check, and so needs another key.
    edit({});
    if (chosen !== undefined) announce(`${chosen.name} selected.`);
  };
  const isFileOver = useFileDrop(([first]) => chooseFile(first));
  const submitNow = () => void submit(draft, file, size.chars);
  // From anywhere on the page.
  useWindowEvent("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submitNow();
  });

  return (
    <form
      class="submit-form"
      aria-label="Submit a check"
      onSubmit={(event) => {
        event.preventDefault();
        submitNow();
      }}
    >
      <Composer
        label="Text to check"
        field={field}
        initialText={initial.text}
        size={size}
        file={file}
        isFileOver={isFileOver}
        onText={(text) => edit({ text })}
        onFile={chooseFile}
      />
      <div class="submit-fields">
        <TextField
          label="Title"
          hint="Helps you find the check again."
          maxLength={TITLE_CHARS_MAX}
          initial={initial.title}
          onText={(title) => edit({ title })}
        />
        <LanguageField
          label="Language"
          hint="Affects how the text is split and how word forms are compared."
          value={draft.language}
          onChange={(language) => edit({ language })}
        />
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
      <Fault text={fault} />
      {coverage !== undefined && coverage.semantic_coverage_reason !== null && (
        <MeaningCoverage coverage={coverage} />
      )}
      <div class="submit-row">
        <button type="submit" class={isCorpusEmpty ? "" : "primary"} aria-disabled={sent !== undefined}>
          {sent === undefined ? "Check" : "Sending…"}
        </button>
        {sent !== undefined && file !== undefined ? (
          <ProgressBar
            value={sent < 1 ? sent : undefined}
            label={sent < 1 ? "Uploading the file" : "Extracting text"}
          />
        ) : (
          <span class="hint keys">{submitKeysName()}</span>
        )}
      </div>
    </form>
  );
}

function submitKeysName(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ + Enter" : "Ctrl + Enter";
}

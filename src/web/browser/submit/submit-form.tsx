import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../frame/announce.ts";
import { fileFault } from "../frame/file-limits.ts";
import { Field } from "../frame/parts/field.tsx";
import { LanguageSelect } from "../frame/parts/language-select.tsx";
import { ErrorNotice } from "../frame/parts/notice.tsx";
import { ProgressBar } from "../frame/parts/progress-bar.tsx";
import { TITLE_CHARS_MAX } from "../frame/parts/title-editor.tsx";
import { useFileDrop } from "../frame/state/use-file-drop.ts";
import { Composer } from "./composer.tsx";
import { edited, forgetDraft } from "./draft.ts";
import { submitDraft } from "./submit-draft.ts";
import { TEXT_CHARS_MAX } from "./text-size.ts";
import { useDraft } from "./use-draft.ts";
import { useTextSize } from "./use-text-size.ts";

/** The form that a check is submitted with; it goes on to the check's own page. */
export function SubmitForm() {
  const [draft, setDraft] = useDraft();
  const [initial] = useState(draft);
  const [file, setFile] = useState<File>();
  const [sent, setSent] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [lack, setLack] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const size = useTextSize(draft.text, draft.language);
  const chooseFile = (chosen: File | undefined) => {
    setFile(chosen);
    setLack(undefined);
    setDraft(edited(draft, {}));
    if (chosen !== undefined) announce(`${chosen.name} is chosen.`);
  };
  const isFileOver = useFileDrop(([first]) => chooseFile(first));
  const isSending = sent !== undefined;

  const submit = async () => {
    if (isSending) return;
    const lacking = whatIsLacking(draft.text, size.chars, file);
    setLack(lacking);
    if (lacking !== undefined) return field.current?.focus();
    setError(undefined);
    setSent(0);
    try {
      const checkId = await submitDraft(draft, file, setSent);
      forgetDraft(sessionStorage);
      location.assign(`/checks/${checkId}`);
    } catch (failure) {
      setError(failure);
      setSent(undefined);
    }
  };
  useSubmitKeys(submit);

  return (
    <form
      class="submit-form"
      aria-label="Submit a check"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Composer
        field={field}
        initialText={initial.text}
        size={size}
        file={file}
        isFileOver={isFileOver}
        onText={(text) => {
          setLack(undefined);
          setDraft(edited(draft, { text }));
        }}
        onFile={chooseFile}
      />
      <div class="submit-fields">
        <Field label="Title" optional hint="To find the check again.">
          {(ids) => (
            <input
              {...ids}
              dir="auto"
              autocomplete="off"
              maxLength={TITLE_CHARS_MAX}
              defaultValue={initial.title}
              onInput={(event) => setDraft(edited(draft, { title: event.currentTarget.value }))}
            />
          )}
        </Field>
        <Field label="Language" optional hint="It decides how sentences and words are found.">
          {(ids) => (
            <LanguageSelect
              ids={ids}
              value={draft.language}
              onChange={(language) => setDraft(edited(draft, { language }))}
            />
          )}
        </Field>
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
      {lack !== undefined && (
        <p class="fault" role="alert">
          {lack}
        </p>
      )}
      <div class="submit-row">
        <button type="submit" class="primary" aria-disabled={isSending}>
          {isSending ? "Sending…" : "Check"}
        </button>
        {isSending && file !== undefined ? (
          <ProgressBar
            value={sent < 1 ? sent : undefined}
            label={sent < 1 ? "Sending the file" : "Reading the file"}
          />
        ) : (
          <span class="hint keys">{isApple() ? "⌘" : "Ctrl"} + Enter</span>
        )}
      </div>
    </form>
  );
}

function whatIsLacking(text: string, chars: number, file: File | undefined): string | undefined {
  if (file !== undefined) return fileFault(file);
  if (text.trim() === "") return "Paste a text or choose a file first.";
  return chars > TEXT_CHARS_MAX ? "The text is too long to be checked in one go." : undefined;
}

/** Ctrl or Command with Enter submits from anywhere on the page, as in a letter. */
function useSubmitKeys(submit: () => Promise<void>): void {
  const latest = useRef(submit);
  latest.current = submit;
  useEffect(() => {
    const ended = new AbortController();
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void latest.current();
    };
    addEventListener("keydown", press, { signal: ended.signal });
    return () => ended.abort();
  }, []);
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

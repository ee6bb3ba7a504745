import { useState } from "preact/hooks";
import { ProgressBar } from "../shared/elements.tsx";
import { engineWithProgress, newKey } from "../shared/engine.ts";
import { FileChooser, Form, SelectField, TextField, TITLE_CHARS_MAX, Tick } from "../shared/field.tsx";
import { LanguageField } from "../shared/language-field.tsx";
import { ErrorNotice, Fault } from "../shared/notice.tsx";
import { say, texts } from "../shared/texts.ts";
import { usePageRestored } from "../shared/use-loaded.ts";
import { addedFiles, filesFault, filesInWords } from "./batch-files.ts";
import { FilesField } from "./files-field.tsx";

const COMPARE_WITH = (["members", "corpus", "both"] as const).map((value) => ({
  value,
  label: say(`batches.${value}`),
}));

type Draft = {
  readonly files: readonly File[];
  readonly templates: readonly File[];
  readonly title: string;
  readonly language: string;
  readonly compareWith: (typeof COMPARE_WITH)[number]["value"];
  readonly groupByFolder: boolean;
  readonly addToCorpus: boolean;
  /** The idempotency key of all attempts to submit this draft. */
  readonly key: string;
};

const emptyDraft = (): Draft => ({
  ...{ files: [], templates: [], title: "", language: "", compareWith: "members" },
  ...{ groupByFolder: false, addToCorpus: false, key: newKey() },
});

/** The form that submits a batch and opens its page. */
export function BatchForm() {
  const [draft, setDraft] = useState(emptyDraft);
  /** The fraction of the files that is sent, from 0 to 1; undefined while nothing is being sent. */
  const [sent, setSent] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [fault, setFault] = useState<string>();
  usePageRestored(() => setSent(undefined));
  const { files, templates } = draft;
  const edit = (changes: Partial<Omit<Draft, "key">>) => {
    setFault(undefined);
    // Another form is another batch, and so needs another key.
    setDraft((before) => ({ ...before, ...changes, key: newKey() }));
  };
  const submit = async () => {
    if (sent !== undefined) return;
    const found = filesFault(files, templates);
    setFault(found);
    setError(undefined);
    if (found !== undefined) return document.getElementById("batch-files")?.focus();
    setSent(0);
    try {
      location.assign(`/batches/${await submitDraft(draft, setSent)}`);
    } catch (failure) {
      setError(failure);
      setSent(undefined);
    }
  };
  return (
    <Form class="batch-form" label={say("batches.form")} onSubmit={submit}>
      <FilesField files={files} onFiles={(chosen) => edit({ files: chosen })} />
      <div class="batch-fields">
        <TextField
          label={say("common.title")}
          maxLength={TITLE_CHARS_MAX}
          onText={(title) => edit({ title })}
        />
        <SelectField
          label={say("nav.compare")}
          value={draft.compareWith}
          options={COMPARE_WITH}
          onValue={(compareWith) => edit({ compareWith })}
        />
        <LanguageField
          label={say("batches.textsLanguage")}
          value={draft.language}
          onChange={(language) => edit({ language })}
        />
      </div>
      <details class="batch-more">
        <summary>{say("submit.more")}</summary>
        <div class="batch-options">
          <section aria-labelledby="templates-title">
            <h2 id="templates-title">{say("submit.template")}</h2>
            <p class="hint">
              {say("submit.templateHint")}{" "}
              {templates.length > 0 && say("batches.chosen", { files: filesInWords(templates) })}
            </p>
            <FileChooser
              id="templates"
              label={say("file.choose")}
              hint={texts.list(templates.map(({ name }) => name))}
              isMultiple
              onFiles={(chosen) => edit({ templates: addedFiles(templates, chosen) })}
            />
          </section>
          <div class="batch-ticks">
            <Tick
              label={say("batches.byFolder")}
              isSet={draft.groupByFolder}
              onSet={(groupByFolder) => edit({ groupByFolder })}
            />
            <Tick
              label={say("batches.addToCorpus")}
              isSet={draft.addToCorpus}
              onSet={(addToCorpus) => edit({ addToCorpus })}
            />
          </div>
        </div>
      </details>
      {error !== undefined && <ErrorNotice error={error} />}
      <Fault text={fault} />
      <div class="submit-row">
        <button type="submit" class="primary" aria-disabled={sent !== undefined}>
          {say(sent === undefined ? "nav.compare" : "submit.sending")}
        </button>
        {sent !== undefined && (
          <ProgressBar
            value={sent < 1 ? sent : undefined}
            label={say(sent < 1 ? "batches.uploading" : "batches.storing")}
          />
        )}
      </div>
    </Form>
  );
}

async function submitDraft(draft: Draft, onSent: (fraction: number) => void): Promise<string> {
  const title = draft.title.trim();
  const fields = {
    ...(title !== "" && { title }),
    ...(draft.language !== "" && { language: draft.language }),
    compare_with: draft.compareWith,
    group_by_folder: draft.groupByFolder ? "true" : "false",
    add_to_corpus: draft.addToCorpus ? "true" : "false",
    templates: draft.templates,
  } as const;
  const engine = engineWithProgress({ onSent });
  const { batch_id: id } = await engine.submitBatch(draft.files, fields, { idempotencyKey: draft.key });
  return id;
}

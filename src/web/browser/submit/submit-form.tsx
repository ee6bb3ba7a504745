import { useRef, useState } from "preact/hooks";
import { announce } from "../shared/announce.ts";
import { ErrorNotice } from "../shared/parts/notice.tsx";
import { useFileDrop } from "../shared/state/use-file-drop.ts";
import { Composer } from "./composer.tsx";
import { type Draft, edited } from "./draft/draft.ts";
import { useDraft } from "./draft/use-draft.ts";
import { useSubmission } from "./draft/use-submission.ts";
import { DraftFields } from "./draft-fields.tsx";
import { SubmitRow } from "./submit-row.tsx";
import { useSubmitKeys } from "./use-submit-keys.ts";
import { useTextSize } from "./use-text-size.ts";

/** The form that a check is submitted with; it goes on to the check's own page. */
export function SubmitForm() {
  const { draft, change, forget } = useDraft();
  const [initial] = useState(draft);
  const [file, setFile] = useState<File>();
  const field = useRef<HTMLTextAreaElement>(null);
  const size = useTextSize(draft.text, draft.language);
  const { sent, error, lack, forgetLack, submit } = useSubmission({
    onLack: () => field.current?.focus(),
    onTaken: forget,
  });

  const edit = (changes: Partial<Omit<Draft, "key">>) => {
    forgetLack();
    change(edited(draft, changes));
  };
  const chooseFile = (chosen: File | undefined) => {
    setFile(chosen);
    // Another file is another check, as another text would be.
    edit({});
    if (chosen !== undefined) announce(`${chosen.name} is chosen.`);
  };
  const isFileOver = useFileDrop(([first]) => chooseFile(first));
  const submitNow = () => submit(draft, file, size.chars);
  useSubmitKeys(submitNow);

  return (
    <form
      class="submit-form"
      aria-label="Submit a check"
      onSubmit={(event) => {
        event.preventDefault();
        void submitNow();
      }}
    >
      <Composer
        field={field}
        initialText={initial.text}
        size={size}
        file={file}
        isFileOver={isFileOver}
        onText={(text) => edit({ text })}
        onFile={chooseFile}
      />
      <DraftFields initialTitle={initial.title} language={draft.language} onChange={edit} />
      {error !== undefined && <ErrorNotice error={error} />}
      {lack !== undefined && (
        <p class="fault" role="alert">
          {lack}
        </p>
      )}
      <SubmitRow sent={sent} hasFile={file !== undefined} />
    </form>
  );
}

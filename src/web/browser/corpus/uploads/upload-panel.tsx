import { useState } from "preact/hooks";
import { Field } from "../../shared/parts/field.tsx";
import { LanguageSelect } from "../../shared/parts/language-select.tsx";
import { useFileDrop } from "../../shared/state/use-file-drop.ts";
import { isUnderWay, uploadsSummary } from "./upload.ts";
import { UploadRow } from "./upload-row.tsx";
import { useUploads } from "./use-uploads.ts";

/** Where files are dropped or chosen, and what becomes of each. */
export function UploadPanel({ onTaken }: { readonly onTaken: () => void }) {
  const { uploads, add, retry, clear } = useUploads(onTaken);
  const [language, setLanguage] = useState("");
  const isFileOver = useFileDrop((files) => add(files, language));
  const isDone = uploads.length > 0 && !uploads.some(isUnderWay);
  return (
    <section class={isFileOver ? "upload-panel over" : "upload-panel"} aria-labelledby="upload-title">
      <h2 id="upload-title">Add documents</h2>
      <div class="upload-controls">
        <div class="file-chooser">
          <input
            id="files"
            class="hidden-visually"
            type="file"
            multiple
            accept=".pdf,.docx,.docm,.dotx,.txt,.md,text/plain,text/markdown"
            aria-describedby="file-kinds"
            onChange={(event) => {
              add([...(event.currentTarget.files ?? [])], language);
              // So that the same files can be chosen once more.
              event.currentTarget.value = "";
            }}
          />
          <label class="button primary" for="files">
            Choose files…
          </label>
          <p id="file-kinds" class="hint">
            or drop them anywhere on this page. PDF, DOCX, TXT or Markdown, up to 10 MB each unless the
            operator has set another limit.
          </p>
        </div>
        <Field label="Language of the files" optional>
          {(ids) => <LanguageSelect ids={ids} value={language} onChange={setLanguage} />}
        </Field>
      </div>
      {uploads.length > 0 && (
        <>
          <ul class="uploads" aria-label="Files">
            {uploads.map((upload) => (
              <UploadRow key={upload.id} upload={upload} onRetry={() => retry(upload)} />
            ))}
          </ul>
          <div class="uploads-foot">
            <p role="status">{uploadsSummary(uploads)}</p>
            {isDone && (
              <button type="button" class="small" onClick={clear}>
                Clear the list
              </button>
            )}
          </div>
        </>
      )}
    </section>
  );
}

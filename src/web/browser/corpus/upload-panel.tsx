import { useState } from "preact/hooks";
import { hasCoarsePointer, ProgressBar, SmallButton } from "../shared/elements.tsx";
import { FileChooser } from "../shared/field.tsx";
import { useFileDrop } from "../shared/files.ts";
import { LanguageField } from "../shared/language-field.tsx";
import { Fault } from "../shared/notice.tsx";
import { bytes } from "../shared/wording.ts";
import { isInProgress, stateFraction, stateLabel, type Upload, uploadsSummary } from "./upload.ts";
import { useUploads } from "./use-uploads.ts";

/** Chooses files, uploads them and shows the state of each. */
export function UploadPanel({ onAccepted }: { readonly onAccepted: () => void }) {
  const { uploads, add, retry, clear } = useUploads(onAccepted);
  const [language, setLanguage] = useState("");
  const addFiles = (files: readonly File[]) => add(files, language);
  const isFileOver = useFileDrop(addFiles);
  return (
    <section class={isFileOver ? "upload-panel over" : "upload-panel"} aria-labelledby="upload-title">
      <h2 id="upload-title">Add documents</h2>
      <div class="upload-controls">
        <FileChooser
          id="files"
          label="Choose files…"
          hint={`${hasCoarsePointer() ? "" : "or drop them anywhere on this page. "}PDF, DOCX, TXT or Markdown, by default up to 10 MiB each.`}
          isPrimary
          isMultiple
          onFiles={addFiles}
        />
        <LanguageField label="Language of the files" value={language} onChange={setLanguage} />
      </div>
      {uploads.length > 0 && (
        <>
          <ul class="uploads" aria-label="Files">
            {uploads.map((upload) => (
              <Row key={upload.id} upload={upload} onRetry={() => retry(upload)} />
            ))}
          </ul>
          <div class="uploads-foot">
            <p role="status">{uploadsSummary(uploads)}</p>
            {!uploads.some(isInProgress) && <SmallButton onClick={clear}>Clear list</SmallButton>}
          </div>
        </>
      )}
    </section>
  );
}

function Row({ upload, onRetry }: { readonly upload: Upload; readonly onRetry: () => void }) {
  const { file, state } = upload;
  const name = <bdi>{file.name}</bdi>;
  return (
    <li class={`upload ${state.step}`}>
      <div class="upload-name">
        {"document" in state ? <a href={`/corpus/${state.document.document_id}`}>{name}</a> : name}
        <span class="hint">{bytes(file.size)}</span>
      </div>
      <div class="upload-state">
        <span>{stateLabel(state)}</span>
        {isInProgress(upload) && (
          <ProgressBar value={stateFraction(state)} label={`Upload of ${file.name}`} />
        )}
      </div>
      {state.step === "failed" && (
        <div class="upload-fault">
          <Fault text={state.fault} />
          {state.isTemporary && (
            <SmallButton aria-label={`Retry ${file.name}`} onClick={onRetry}>
              Retry
            </SmallButton>
          )}
        </div>
      )}
    </li>
  );
}

import { ProgressBar } from "../../shared/parts/progress-bar.tsx";
import { bytes } from "../../shared/wording/numbers.ts";
import { isUnderWay, stateFraction, stateLabel, type Upload } from "./upload.ts";

/** A file on its way, with how far it is, or with what is wrong with it. */
export function UploadRow({ upload, onRetry }: { readonly upload: Upload; readonly onRetry: () => void }) {
  const { file, state } = upload;
  return (
    <li class={`upload ${state.step}`}>
      <div class="upload-name">
        {"document" in state ? (
          <a href={`/corpus/${state.document.document_id}`}>
            <bdi>{file.name}</bdi>
          </a>
        ) : (
          <bdi>{file.name}</bdi>
        )}
        <span class="hint">{bytes(file.size)}</span>
      </div>
      <div class="upload-state">
        <span>{stateLabel(state)}</span>
        {isUnderWay(upload) && <ProgressBar value={stateFraction(state)} label={`Upload of ${file.name}`} />}
      </div>
      {state.step === "failed" && (
        <div class="upload-fault">
          <p class="fault" role="alert" dir="auto">
            {state.fault}
          </p>
          {state.passes && (
            <button type="button" class="small" aria-label={`Try ${file.name} again`} onClick={onRetry}>
              Try again
            </button>
          )}
        </div>
      )}
    </li>
  );
}

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { hasCoarsePointer, ProgressBar, SmallButton } from "../shared/elements.tsx";
import { engine, engineWithProgress, failureLine, failureOf } from "../shared/engine.ts";
import { FileChooser, TextField, TITLE_CHARS_MAX } from "../shared/field.tsx";
import { fileFault, useFileDrop } from "../shared/files.ts";
import { LanguageField } from "../shared/language-field.tsx";
import { Fault } from "../shared/notice.tsx";
import { say } from "../shared/texts.ts";
import { useRefreshed } from "../shared/use-loaded.ts";
import { bytes } from "../shared/wording.ts";
import {
  acceptedState,
  findDocuments,
  isInProgress,
  stateFraction,
  stateLabel,
  type Upload,
  type UploadState,
  uploadsSummary,
} from "./upload.ts";

/** Chooses files, uploads them and shows the state of each. */
export function UploadPanel({ onAccepted }: { readonly onAccepted: () => void }) {
  const { uploads, add, retry, clear } = useUploads(onAccepted);
  const [language, setLanguage] = useState("");
  const [collection, setCollection] = useState("");
  const addFiles = (files: readonly File[]) => add(files, { language, collection: collection.trim() });
  const isFileOver = useFileDrop(addFiles);
  return (
    <section class={isFileOver ? "upload-panel over" : "upload-panel"} aria-labelledby="upload-title">
      <h2 id="upload-title">{say("submit.addDocuments")}</h2>
      <div class="upload-controls">
        <FileChooser
          id="files"
          label={say("file.choose")}
          hint={`${say("corpus.fileHint")} ${hasCoarsePointer() ? "" : say("corpus.drop")}`}
          isPrimary
          isMultiple
          onFiles={addFiles}
        />
        <LanguageField label={say("corpus.filesLanguage")} value={language} onChange={setLanguage} />
        <TextField label={say("corpus.collection")} maxLength={TITLE_CHARS_MAX} onText={setCollection} />
      </div>
      {uploads.length > 0 && (
        <>
          <ul class="uploads" aria-label={say("corpus.files")}>
            {uploads.map((upload) => (
              <Row key={upload.id} upload={upload} onRetry={() => retry(upload)} />
            ))}
          </ul>
          <div class="uploads-foot">
            <p role="status">{uploadsSummary(uploads)}</p>
            {!uploads.some(isInProgress) && (
              <SmallButton onClick={clear}>{say("corpus.clearList")}</SmallButton>
            )}
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
          <ProgressBar value={stateFraction(state)} label={say("upload.of", { name: file.name })} />
        )}
      </div>
      {state.step === "failed" && (
        <div class="upload-fault">
          <Fault text={state.fault} />
          {state.isTemporary && (
            <SmallButton aria-label={say("upload.retry", { name: file.name })} onClick={onRetry}>
              {say("common.tryAgain")}
            </SmallButton>
          )}
        </div>
      )}
    </li>
  );
}

/** Parallel uploads: the service extracts the text of one file while the other is sent. */
const PARALLEL = 2;

/** Uploads files and follows them until checks find them. `onAccepted` is called when one is accepted and when indexed. */
function useUploads(onAccepted: () => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const lastId = useRef(0);
  const queue = useRef<Upload[]>([]);
  const running = useRef(0);

  const show = (id: number, state: UploadState) => {
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, state } : one)));
    if (state.step === "ready" || state.step === "fingerprinting") onAccepted();
  };
  const work = async () => {
    if (running.current >= PARALLEL) return;
    running.current++;
    for (let next = queue.current.shift(); next !== undefined; next = queue.current.shift()) {
      const { id } = next;
      await sendDocument(next, (state) => show(id, state));
    }
    running.current--;
  };
  const enqueue = (added: readonly Upload[]) => {
    queue.current.push(...added);
    for (let worker = 0; worker < PARALLEL; worker++) void work();
  };

  usePendingDocuments(uploads, show);
  useLeaveWarning(uploads.some(isInProgress));

  return {
    uploads,
    add: (files: readonly File[], fields: Pick<Upload, "language" | "collection">) => {
      const added = files.map(
        (file): Upload => ({ id: ++lastId.current, file, ...fields, state: { step: "waiting" } }),
      );
      setUploads((all) => [...all, ...added]);
      enqueue(added);
    },
    retry: (upload: Upload) => {
      show(upload.id, { step: "waiting" });
      enqueue([upload]);
    },
    clear: () => setUploads((all) => all.filter(isInProgress)),
  };
}

const CREATED = 201;

/** Operators set the corpus's limit, and the service's error states it. */
const BYTES_MAX = Number.POSITIVE_INFINITY;

async function sendDocument(
  { file, language, collection }: Upload,
  show: (state: UploadState) => void,
): Promise<void> {
  const fault = fileFault(file, BYTES_MAX);
  if (fault !== undefined) return show({ step: "failed", fault, isTemporary: false });
  let status = 0;
  show({ step: "sending", fraction: 0 });
  try {
    const client = engineWithProgress({
      onSent: (fraction) => show(fraction < 1 ? { step: "sending", fraction } : { step: "reading" }),
      onStatus: (received) => {
        status = received;
      },
    });
    const document = await client.uploadDocument(file, {
      ...(language !== "" && { language }),
      ...(collection !== "" && { collection }),
    });
    show(acceptedState(document, status === CREATED));
  } catch (error) {
    const failure = failureOf(error, navigator.onLine);
    show({ step: "failed", fault: failureLine(failure), isTemporary: failure.isTemporary });
  }
}

function usePendingDocuments(
  uploads: readonly Upload[],
  show: (id: number, state: UploadState) => void,
): void {
  const latest = useRef(uploads);
  latest.current = uploads;
  const isAsking = useRef(false);
  const ask = useCallback(async () => {
    const pending = latest.current.flatMap(({ id, state }) =>
      state.step === "fingerprinting" ? [{ id, ...state }] : [],
    );
    if (isAsking.current || pending.length === 0) return;
    isAsking.current = true;
    try {
      const found = await findDocuments(engine, new Set(pending.map(({ document }) => document.document_id)));
      for (const { id, document, isNew } of pending) {
        const now = found.get(document.document_id);
        if (now === undefined) show(id, { step: "failed", fault: say("upload.deleted"), isTemporary: false });
        else if (now.fingerprint_status === "fingerprinted") show(id, acceptedState(now, isNew));
      }
    } catch {
      // The next attempt may succeed; the service already has the file.
    } finally {
      isAsking.current = false;
    }
  }, []);
  useRefreshed(
    uploads.some(({ state }) => state.step === "fingerprinting"),
    ask,
  );
}

/** Leaving the page would lose the files that are not sent yet. */
function useLeaveWarning(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isActive]);
}

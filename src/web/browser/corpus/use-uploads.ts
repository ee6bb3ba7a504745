import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { engine, engineWithProgress } from "../shared/engine.ts";
import { failureLine, failureOf } from "../shared/failure.ts";
import { fileFault } from "../shared/files.ts";
import { useRefreshed } from "../shared/use-loaded.ts";
import { acceptedState, findDocuments, isInProgress, type Upload, type UploadState } from "./upload.ts";

/** Parallel uploads: the service extracts the text of one file while the other is sent. */
const PARALLEL = 2;

/** Uploads files and follows them until checks find them. `onAccepted` is called when one is accepted and when indexed. */
export function useUploads(onAccepted: () => void) {
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
    add: (files: readonly File[], language: string) => {
      const added = files.map(
        (file): Upload => ({ id: ++lastId.current, file, language, state: { step: "waiting" } }),
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

async function sendDocument({ file, language }: Upload, show: (state: UploadState) => void): Promise<void> {
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
    const document = await client.uploadDocument(file, language === "" ? {} : { language });
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
        if (now === undefined)
          show(id, { step: "failed", fault: "It has since been deleted.", isTemporary: false });
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

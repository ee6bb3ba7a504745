import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { engine } from "../../shared/engine.ts";
import { useRefreshed } from "../../shared/state/use-refreshed.ts";
import { findDocuments } from "./pending-documents.ts";
import { sendDocument } from "./send-document.ts";
import { isUnderWay, takenState, type Upload, type UploadState } from "./upload.ts";

/** Files that are sent at once: while one is read by the service, the next is on the line. */
const AT_ONCE = 2;

export type Uploads = {
  readonly uploads: readonly Upload[];
  readonly add: (files: readonly File[], language: string) => void;
  readonly retry: (upload: Upload) => void;
  /** Takes those that are done with off the list. */
  readonly clear: () => void;
};

/**
 * Sends files one after another and follows them until they can be found. A bad one does not hold up the rest.
 * @param onTaken called when the service has taken a file, or has finished with one
 */
export function useUploads(onTaken: () => void): Uploads {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const made = useRef(0);
  const queue = useRef<Upload[]>([]);
  const running = useRef(0);

  const show = (id: number, state: UploadState) => {
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, state } : one)));
    if (state.step === "ready" || state.step === "fingerprinting") onTaken();
  };
  const work = async () => {
    if (running.current >= AT_ONCE) return;
    running.current++;
    for (let next = queue.current.shift(); next !== undefined; next = queue.current.shift()) {
      const { id } = next;
      await sendDocument(next, (state) => show(id, state));
    }
    running.current--;
  };
  const enqueue = (added: readonly Upload[]) => {
    queue.current.push(...added);
    for (let worker = 0; worker < AT_ONCE; worker++) void work();
  };

  usePending(uploads, show);
  useLeaveWarning(uploads.some(isUnderWay));

  return {
    uploads,
    add: (files, language) => {
      const added = files.map(
        (file): Upload => ({ id: ++made.current, file, language, state: { step: "waiting" } }),
      );
      setUploads((all) => [...all, ...added]);
      enqueue(added);
    },
    retry: (upload) => {
      show(upload.id, { step: "waiting" });
      enqueue([upload]);
    },
    clear: () => setUploads((all) => all.filter(isUnderWay)),
  };
}

/** Asks after the documents that are being fingerprinted. */
function usePending(uploads: readonly Upload[], show: (id: number, state: UploadState) => void): void {
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
          show(id, { step: "failed", fault: "It was deleted meanwhile.", passes: false });
        else if (now.fingerprint_status === "fingerprinted") show(id, takenState(now, isNew));
      }
    } catch {
      // The next time will tell: what was sent is in the service's hands.
    } finally {
      isAsking.current = false;
    }
  }, []);
  useRefreshed(
    uploads.some(({ state }) => state.step === "fingerprinting"),
    ask,
  );
}

/** Files that are not sent yet would be forgotten with the page. */
function useLeaveWarning(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isActive]);
}

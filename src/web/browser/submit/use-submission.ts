import { useState } from "preact/hooks";
import { engine, engineWithProgress } from "../shared/engine.ts";
import { fileFault } from "../shared/files.ts";
import { usePageRestored } from "../shared/use-loaded.ts";
import { type Draft, TEXT_CHARS_MAX } from "./draft.ts";

type SubmissionOptions = { readonly onFault: () => void; readonly onAccepted: () => void };

/** Submits drafts, and calls `onFault` for one that can't be submitted or `onAccepted`. */
export function useSubmission({ onFault, onAccepted }: SubmissionOptions) {
  /** The fraction of the file that is sent, from 0 to 1; undefined while nothing is being sent. */
  const [sent, setSent] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [fault, setFault] = useState<string>();
  usePageRestored(() => setSent(undefined));

  /** Submits the draft, or the file instead, and opens the check's page. */
  const submit = async (draft: Draft, file: File | undefined, chars: number) => {
    if (sent !== undefined) return;
    const found = file === undefined ? textFault(draft.text, chars) : fileFault(file);
    setFault(found);
    if (found !== undefined) return onFault();
    setError(undefined);
    setSent(0);
    try {
      const checkId = await submitDraft(draft, file, setSent);
      onAccepted();
      location.assign(`/checks/${checkId}`);
    } catch (failure) {
      setError(failure);
      setSent(undefined);
    }
  };
  return { sent, error, fault, clearFault: () => setFault(undefined), submit };
}

/** Why a text can't be sent, known before. */
export function textFault(text: string, chars: number): string | undefined {
  if (text.trim() === "") return "Paste a text or choose a file first.";
  return chars > TEXT_CHARS_MAX ? "The text is too long for one check." : undefined;
}

/** Returns the check's identifier. The draft's key makes repeated attempts a single check. */
async function submitDraft(
  { text, title, language, key }: Draft,
  file: File | undefined,
  onSent: (fraction: number) => void,
): Promise<string> {
  const name = title.trim();
  const fields = { ...(name !== "" && { title: name }), ...(language !== "" && { language }) };
  const options = { idempotencyKey: key };
  const submitted =
    file === undefined
      ? await engine.submitCheck({ query_text: text, ...fields }, options)
      : await engineWithProgress({ onSent }).submitUpload(file, fields, options);
  return submitted.check_id;
}

import { useEffect, useState } from "preact/hooks";
import { fileFault } from "../../shared/file-limits.ts";
import { TEXT_CHARS_MAX } from "../text-size.ts";
import type { Draft } from "./draft.ts";
import { submitDraft } from "./submit-draft.ts";

export type Submission = {
  /** The part of the file that is sent, from 0 to 1; undefined while nothing is. */
  readonly sent: number | undefined;
  readonly error: unknown;
  /** What stands in the way of submitting. */
  readonly lack: string | undefined;
  /** Takes back what was said of the last attempt. */
  readonly forgetLack: () => void;
  /** Submits and goes on to the check's page, or says what is in the way. */
  readonly submit: (draft: Draft, file: File | undefined, chars: number) => Promise<void>;
};

/** Submits a draft and keeps it until the service has taken it. */
export function useSubmission({
  onLack,
  onTaken,
}: {
  /** Called when something stands in the way. */
  readonly onLack: () => void;
  /** Called when the service has the draft. */
  readonly onTaken: () => void;
}): Submission {
  const [sent, setSent] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [lack, setLack] = useState<string>();

  useEffect(() => {
    // A page that the browser kept and shows again, by the back button, has nothing on its way.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && setSent(undefined);
    addEventListener("pageshow", comeBack);
    return () => removeEventListener("pageshow", comeBack);
  }, []);

  const submit = async (draft: Draft, file: File | undefined, chars: number) => {
    if (sent !== undefined) return;
    const lacking = whatIsLacking(draft.text, chars, file);
    setLack(lacking);
    if (lacking !== undefined) return onLack();
    setError(undefined);
    setSent(0);
    try {
      const checkId = await submitDraft(draft, file, setSent);
      onTaken();
      location.assign(`/checks/${checkId}`);
    } catch (failure) {
      setError(failure);
      setSent(undefined);
    }
  };
  return { sent, error, lack, forgetLack: () => setLack(undefined), submit };
}

function whatIsLacking(text: string, chars: number, file: File | undefined): string | undefined {
  if (file !== undefined) return fileFault(file);
  if (text.trim() === "") return "Paste a text or choose a file first.";
  return chars > TEXT_CHARS_MAX ? "The text is too long to be checked in one go." : undefined;
}

import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { PassageNote as WrittenNote } from "../../../client/index.ts";
import { readStored, store, tabStorage } from "../shared/browser-storage.ts";
import { SmallButton } from "../shared/elements.tsx";
import { engine, failureLine, failureOf } from "../shared/engine.ts";
import { Fault } from "../shared/notice.tsx";
import { say } from "../shared/texts.ts";

/** The engine's limit. The browser counts some characters twice. */
const NOTE_CHARS_MAX = 2_000;

/** A pause in typing after which the note is saved. */
const SAVE_AFTER_MS = 500;

type PassageNoteProps = {
  readonly checkId: string;
  /** Names the passage; give the component the same key. */
  readonly reference: string;
  readonly note: string;
  readonly onWritten: (written: WrittenNote) => void;
};

/** The note of a passage, which saves itself. Text that could not be saved stays in this browser tab, even after a reload. */
export function PassageNote({ checkId, reference, note, onWritten }: PassageNoteProps) {
  const id = useId();
  const kept = `similarity-check-note ${checkId} ${reference}`;
  const [text, setText] = useState(() => readStored(tabStorage, kept) ?? note);
  const [state, setState] = useState<{ readonly status: string; readonly fault?: string }>({ status: "" });
  const latest = useRef(text);
  const stored = useRef(note);
  const isSaving = useRef(false);

  const save = async () => {
    if (isSaving.current || latest.current === stored.current) return;
    isSaving.current = true;
    const sent = latest.current;
    try {
      setState({ status: say("note.saving") });
      onWritten(await engine.setNote(checkId, reference, { text: sent }));
      stored.current = sent;
      setState({ status: say(sent === "" ? "note.removed" : "note.saved") });
      if (latest.current === sent) store(tabStorage, kept, undefined);
    } catch (error) {
      setState({
        status: "",
        fault: say("note.notSaved", { reason: failureLine(failureOf(error, navigator.onLine)) }),
      });
      return;
    } finally {
      isSaving.current = false;
    }
    if (latest.current !== sent) await save();
  };

  useEffect(() => {
    if (text === stored.current) return;
    const timer = setTimeout(save, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => () => void save(), []);

  return (
    <div class="passage-note">
      <label for={id}>{say("note.label")}</label>
      <textarea
        id={id}
        rows={1}
        dir="auto"
        value={text}
        maxLength={NOTE_CHARS_MAX}
        aria-describedby={`${id}-status`}
        onInput={({ currentTarget: { value } }) => {
          latest.current = value;
          store(tabStorage, kept, value);
          setText(value);
        }}
        onBlur={save}
      />
      <p id={`${id}-status`} class="quiet" role="status">
        {state.status}
      </p>
      <Fault text={state.fault} />
      {state.fault !== undefined && <SmallButton onClick={save}>{say("common.tryAgain")}</SmallButton>}
    </div>
  );
}

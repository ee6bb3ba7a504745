import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./elements.tsx";
import { failureLine, failureOf } from "./failure.ts";
import { Fault } from "./notice.tsx";

/** The engine's limit on a title, in characters. */
export const TITLE_CHARS_MAX = 200;

type TitleEditorProps = {
  readonly title: string;
  readonly onSave: (title: string | null) => Promise<void>;
  readonly onClose: () => void;
};

/** A field in place of a title. Enter saves, Escape cancels; an empty title is removed; an error keeps it open. */
export function TitleEditor({ title, onSave, onClose }: TitleEditorProps) {
  const field = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string>();
  useLayoutEffect(() => field.current?.select(), []);

  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = field.current?.value.trim() ?? "";
    if (typed === title) return onClose();
    try {
      await onSave(typed === "" ? null : typed);
      onClose();
    } catch (error) {
      setFault(failureLine(failureOf(error, navigator.onLine)));
    }
  };

  return (
    <form class="title-editor" onSubmit={save}>
      <input
        ref={field}
        aria-label="Title"
        aria-invalid={fault === undefined ? undefined : true}
        dir="auto"
        defaultValue={title}
        maxLength={TITLE_CHARS_MAX}
        autocomplete="off"
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onClose();
        }}
      />
      <button type="submit" class="primary">
        Save
      </button>
      <Button onClick={onClose}>Cancel</Button>
      <Fault text={fault} />
    </form>
  );
}

/** Returns the focus when an editor closes. @returns the `ref` of the element that gets it */
export function useFocusAfter<Element extends HTMLElement>(isOpen: boolean) {
  const target = useRef<Element>(null);
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) target.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return target;
}

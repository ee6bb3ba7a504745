import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { failureLine, failureOf } from "../wording/failure.ts";

/** The engine's own limit on a title, in characters. */
export const TITLE_CHARS_MAX = 200;

/**
 * A field in place of a title while it is changed. Enter saves, Escape leaves it as it was; an empty title takes the title away.
 * @param onSave saves; when that fails the field stays, with what was typed, and says why
 */
export function TitleEditor({
  title,
  onSave,
  onClose,
}: {
  readonly title: string;
  readonly onSave: (title: string | null) => Promise<void>;
  readonly onClose: () => void;
}) {
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
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}

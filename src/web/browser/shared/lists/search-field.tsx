import { useEffect, useId, useRef } from "preact/hooks";

/** After this pause the writer is taken to have finished a word. */
const PAUSE_MS = 250;

/** A field that searches while it is typed in. It follows `value` when that changes elsewhere, as by the back button. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (value: string) => void;
}) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const search = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    onSearch(field.current?.value.trim() ?? "");
  };
  useEffect(() => {
    const shown = field.current;
    // What is being typed is newer than any value.
    if (timer.current !== undefined) return;
    if (shown !== null && shown.value.trim() !== value) shown.value = value;
  }, [value]);
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <label class="hidden-visually" for={id}>
          {label}
        </label>
        <input
          id={id}
          ref={field}
          type="search"
          dir="auto"
          autocomplete="off"
          placeholder={label}
          defaultValue={value}
          onInput={() => {
            clearTimeout(timer.current);
            timer.current = setTimeout(search, PAUSE_MS);
          }}
        />
      </form>
    </search>
  );
}

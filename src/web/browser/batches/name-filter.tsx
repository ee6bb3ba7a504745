import { useEffect, useId, useRef } from "preact/hooks";

/** A search starts after this pause in typing. */
const PAUSE_MS = 200;

type NameFilterProps = { readonly value: string; readonly onFilter: (name: string) => void };

/** A field that filters a list by the names of texts while somebody types. */
export function NameFilter({ value, onFilter }: NameFilterProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // The address changed otherwise, for example by the back button.
    if (field.current !== null && document.activeElement !== field.current) field.current.value = value;
  }, [value]);
  return (
    <search class="list-control">
      <label for={id}>Name or group</label>
      <input
        ref={field}
        id={id}
        type="search"
        dir="auto"
        autocomplete="off"
        defaultValue={value}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onFilter(currentTarget.value.trim()), PAUSE_MS);
        }}
      />
    </search>
  );
}

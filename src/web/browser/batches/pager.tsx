import { useEffect, useId, useRef } from "preact/hooks";
import { SmallButton } from "../shared/elements.tsx";
import { say } from "../shared/texts.ts";
import { count } from "../shared/wording.ts";

/** Of a table. */
const ROWS_SHOWN = 50;

type PagerProps = {
  /** From 1. */
  readonly page: number;
  readonly rows: number;
  readonly rowsPerPage?: number;
  readonly label: string;
  readonly onPage: (page: number) => void;
};

/** The rows of a page. Where the list has become shorter, the last page counts. */
export function pageOf<T>(rows: readonly T[], wanted: number) {
  const page = Math.min(wanted, Math.max(1, Math.ceil(rows.length / ROWS_SHOWN)));
  const first = (page - 1) * ROWS_SHOWN;
  return { page, first, shown: rows.slice(first, first + ROWS_SHOWN) };
}

/** Goes through the pages of a list that lies in the page; nothing if there is only one. */
export function Pager({ page, rows, rowsPerPage = ROWS_SHOWN, label, onPage }: PagerProps) {
  const pages = Math.ceil(rows / rowsPerPage);
  if (pages <= 1) return null;
  return (
    <nav class="pager" aria-label={say("join.colon", { name: say("list.pages"), text: label })}>
      <SmallButton disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {say("common.previous")}
      </SmallButton>
      <span role="status">
        {say("list.rows", {
          first: count((page - 1) * rowsPerPage + 1),
          last: count(Math.min(rows, page * rowsPerPage)),
          total: count(rows),
        })}
      </span>
      <SmallButton disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {say("common.next")}
      </SmallButton>
    </nav>
  );
}

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
      <label for={id}>{say("batch.nameFilter")}</label>
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

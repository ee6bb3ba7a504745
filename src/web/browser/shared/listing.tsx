import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button } from "./elements.tsx";
import { EmptyState, ErrorNotice } from "./notice.tsx";
import { changedQuery, type List, ROWS_PER_PAGE } from "./use-list.ts";
import { count, counted } from "./wording.ts";

type ListingProps<Row> = {
  readonly list: List<Row>;
  /** The name of a row, such as `check`. */
  readonly noun: string;
  readonly whenEmpty: ComponentChildren;
  /** Draws a row: an `li` with its key and `data-id`. */
  readonly row: (item: Row) => ComponentChildren;
};

/** A list in pages below a search field. */
export function Listing<Row>({ list, noun, whenEmpty, row }: ListingProps<Row>) {
  const { title, page } = list;
  const { value, error, isStale, reload } = list.loaded;
  const total = useRef<HTMLParagraphElement>(null);
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page || isStale) return;
    before.current = page;
    // The link that had the focus may be gone, and reading starts at the top again.
    total.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [page, isStale]);

  return (
    <>
      <div class="listing-head">
        <SearchField label={`Search ${noun}s by title`} value={title} onSearch={list.search} />
        <p ref={total} class="quiet" role="status" tabIndex={-1}>
          {value === undefined ? "\u00a0" : totalLabel(value.total, noun, title)}
        </p>
      </div>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <div class="listing" aria-busy={isStale && error === undefined}>
        {value !== undefined && value.items.length > 0 && <ul class="rows">{value.items.map(row)}</ul>}
        {value?.items.length === 0 && value.total > 0 && (
          <EmptyState title="This page doesn’t exist">
            <Button onClick={() => list.goTo(1)}>Go to the first page</Button>
          </EmptyState>
        )}
        {value?.total === 0 && title !== "" && (
          <EmptyState title={`No ${noun}s match “${title}”`}>
            <Button onClick={() => list.search("")}>Clear search</Button>
          </EmptyState>
        )}
        {value?.total === 0 && title === "" && whenEmpty}
      </div>
      {value !== undefined && <Pagination page={page} total={value.total} onPage={list.goTo} />}
    </>
  );
}

function totalLabel(total: number, noun: string, title: string): string {
  const all = counted(total, noun);
  return title === "" ? all : `${all} with “${title}” in the title`;
}

/** A search starts after this pause in typing. */
const PAUSE_MS = 250;

type SearchFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (value: string) => void;
};

/** A field that searches as you type. It follows `value` when the address changes, for example by the back button. */
function SearchField({ label, value, onSearch }: SearchFieldProps) {
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
    // Text that is being typed is newer than any value.
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

type PaginationProps = {
  readonly page: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
};

function Pagination({ page, total, onPage }: PaginationProps) {
  const pages = Math.max(1, Math.ceil(total / ROWS_PER_PAGE));
  if (pages === 1 && page === 1) return null;
  const first = (page - 1) * ROWS_PER_PAGE + 1;
  // Real links, so that a page can be opened in another tab.
  const linkTo = (label: "Previous" | "Next", target: number) => {
    if (target < 1 || target > pages)
      return (
        <span class="button" aria-hidden="true">
          {label}
        </span>
      );
    const query = changedQuery(location.search, { page: target === 1 ? "" : String(target) });
    const follow = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      onPage(target);
    };
    const rel = label === "Next" ? "next" : "prev";
    return (
      <a class="button" href={location.pathname + query} rel={rel} onClick={follow}>
        {label}
      </a>
    );
  };
  return (
    <nav class="pagination" aria-label="Pages of the list">
      {linkTo("Previous", page - 1)}
      <span class="quiet">
        {first > total
          ? `Page ${count(page)} of ${count(pages)}`
          : `${count(first)}–${count(Math.min(total, page * ROWS_PER_PAGE))} of ${count(total)}`}
      </span>
      {linkTo("Next", page + 1)}
    </nav>
  );
}

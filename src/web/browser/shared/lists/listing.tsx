import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorNotice } from "../parts/notice.tsx";
import type { Loaded } from "../state/use-loaded.ts";
import { counted } from "../wording/numbers.ts";
import { Pagination } from "./pagination.tsx";
import { SearchField } from "./search-field.tsx";
import { type ListQuery, ROWS_PER_PAGE } from "./use-list-query.ts";

/** A page of a list as the engine gives it. */
export type ListPage<Row> = { readonly items: readonly Row[]; readonly total: number };

/** A list in pages with a search: what all lists of the service have in common. */
export function Listing<Row>({
  loaded,
  query,
  noun,
  whenEmpty,
  row,
}: {
  readonly loaded: Pick<Loaded<ListPage<Row>>, "value" | "error" | "isStale" | "reload">;
  readonly query: ListQuery;
  /** What one row is, such as `check`. */
  readonly noun: string;
  /** What stands there when the service has none at all. */
  readonly whenEmpty: ComponentChildren;
  /** Draws a row, an `li` with its key. */
  readonly row: (item: Row) => ComponentChildren;
}) {
  const { value, error, isStale, reload } = loaded;
  const total = useRef<HTMLParagraphElement>(null);
  const before = useRef(query.page);
  useEffect(() => {
    if (before.current === query.page || isStale) return;
    before.current = query.page;
    // The link that was followed may be gone, and the list begins anew.
    total.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [query.page, isStale]);

  return (
    <>
      <div class="listing-head">
        <SearchField label={`Search ${noun}s by title`} value={query.title} onSearch={query.search} />
        <p ref={total} class="quiet" role="status" tabIndex={-1}>
          {value === undefined ? "\u00a0" : sumOf(value.total, noun, query.title)}
        </p>
      </div>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <div class="listing" aria-busy={isStale && error === undefined}>
        {value !== undefined && value.items.length > 0 && <ul class="rows">{value.items.map(row)}</ul>}
        {value?.items.length === 0 && (
          <Nothing query={query} total={value.total} noun={noun} whenEmpty={whenEmpty} />
        )}
      </div>
      {value !== undefined && (
        <Pagination page={query.page} perPage={ROWS_PER_PAGE} total={value.total} onPage={query.goTo} />
      )}
    </>
  );
}

function sumOf(total: number, noun: string, title: string): string {
  const sum = counted(total, noun);
  return title === "" ? sum : `${sum} with “${title}” in the title`;
}

function Nothing({
  query,
  total,
  noun,
  whenEmpty,
}: {
  readonly query: ListQuery;
  readonly total: number;
  readonly noun: string;
  readonly whenEmpty: ComponentChildren;
}) {
  if (total > 0)
    return (
      <EmptyState title="The list ends before this page">
        <button type="button" onClick={() => query.goTo(1)}>
          Go to the first page
        </button>
      </EmptyState>
    );
  if (query.title === "") return whenEmpty;
  return (
    <EmptyState title={`No ${noun} has “${query.title}” in its title`}>
      <button type="button" onClick={() => query.search("")}>
        Show all
      </button>
    </EmptyState>
  );
}

import { useLayoutEffect, useState } from "preact/hooks";
import { useLoaded, useRefreshed } from "./use-loaded.ts";
import { useWindowEvent } from "./use-window-event.ts";

/** Rows per page: two or three screens. */
export const ROWS_PER_PAGE = 20;

type ListPage<Row> = { readonly items: readonly Row[]; readonly total: number };

type ListRequest = { readonly limit: number; readonly offset: number; readonly title?: string };

/** The order of a list, and the filters besides the title. */
export type Selection = { readonly sort: string; readonly order: "asc" | "desc" };

export type List<Row> = ReturnType<typeof useList<Row, Selection>>;

type ListOptions<Row, S extends Selection> = {
  /** The selection in an address. Values that it does not know are ignored. */
  readonly selectionOf: (query: URLSearchParams) => S;
  readonly load: (request: ListRequest & S, signal: AbortSignal) => Promise<ListPage<Row>>;
  readonly idOf: (row: Row) => string;
  /** Whether a row may change without an action of this page; the list then refreshes itself. */
  readonly isPending: (row: Row) => boolean;
};

/** A list in pages, from 1, with a search by title. All of it is in the address, so reloads, links and the back button work. */
export function useList<Row, S extends Selection>(options: ListOptions<Row, S>) {
  const { selectionOf, load, idOf, isPending } = options;
  const { query, change } = useAddressQuery();
  const title = query.get("title") ?? "";
  const page = pageNumber(query);
  const offset = (page - 1) * ROWS_PER_PAGE;
  const selected = { ...selectionOf(query), ...(title !== "" && { title }) };
  const request = { limit: ROWS_PER_PAGE, offset, ...selected };
  const loaded = useLoaded(JSON.stringify(request), (signal) => load(request, signal));
  useRefreshed(loaded.value?.items.some(isPending) ?? false, loaded.refresh);
  const total = loaded.value?.total;
  useLayoutEffect(() => {
    // The last rows of the last page were deleted.
    const isPastEnd = total !== undefined && !loaded.isStale && total > 0 && offset === total;
    if (isPastEnd && page > 1) change({ page: page === 2 ? "" : String(page - 1) }, "replaceState");
  });
  return {
    loaded,
    title,
    page,
    idOf,
    selected,
    /** Changes the selection; an empty value removes a parameter. */
    select: (values: Readonly<Record<string, string>>) => change({ ...values, page: "" }, "pushState"),
    // A history entry for each typed letter would make the back button useless.
    search: (text: string) => change({ title: text, page: "" }, "replaceState"),
    goTo: (next: number) => change({ page: next === 1 ? "" : String(next) }, "pushState"),
    update: (id: string, changes: Partial<Row>) =>
      loaded.change((list) => ({
        ...list,
        items: list.items.map((row) => (idOf(row) === id ? { ...row, ...changes } : row)),
      })),
    /** Takes out rows that this page has deleted and moves the focus to a neighbour of the last one. */
    remove: (ids: readonly string[]) => {
      focusNeighbour(ids);
      loaded.change((list) => ({
        total: list.total - ids.length,
        items: list.items.filter((row) => !ids.includes(idOf(row))),
      }));
    },
  };
}

/** `pushState` adds a history entry. */
export type HistoryMode = "pushState" | "replaceState";

/** The query of the address, which follows the back button. */
export function useAddressQuery() {
  const [search, setSearch] = useState(location.search);
  useWindowEvent("popstate", () => setSearch(location.search));
  const change = (values: Readonly<Record<string, string>>, mode: HistoryMode) => {
    const next = changedQuery(location.search, values);
    if (next === location.search) return;
    history[mode](null, "", location.pathname + next + location.hash);
    setSearch(next);
  };
  return { query: new URLSearchParams(search), change };
}

/** `search` with other values, empty or with its question mark; an empty value removes a parameter. */
export function changedQuery(search: string, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  return query.size === 0 ? "" : `?${query}`;
}

/** The page of a list in an address, from 1; 1 for anything but a number. */
export function pageNumber(query: URLSearchParams): number {
  const text = query.get("page") ?? "";
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}

/** Moves the focus to the next row, the previous one, or the page, so that it is not lost with deleted rows. */
function focusNeighbour(ids: readonly string[]): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-id]")];
  const isDeleted = ({ dataset }: HTMLElement) => ids.includes(dataset.id ?? "");
  const last = rows.findLastIndex(isDeleted);
  const neighbour =
    rows.find((row, at) => at > last && !isDeleted(row)) ?? rows.findLast((row) => !isDeleted(row));
  const target = neighbour?.querySelector<HTMLElement>("a, button") ?? document.getElementById("page");
  // After the dialog has closed, which returns the focus to the deleted row's button.
  setTimeout(() => target?.focus());
}

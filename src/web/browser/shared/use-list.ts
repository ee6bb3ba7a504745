import { useState } from "preact/hooks";
import { useLoaded, useRefreshed } from "./use-loaded.ts";
import { useWindowEvent } from "./use-window-event.ts";

/** Rows per page: two or three screens. */
export const ROWS_PER_PAGE = 20;

export type ListPage<Row> = { readonly items: readonly Row[]; readonly total: number };

export type ListRequest = { readonly limit: number; readonly offset: number; readonly title?: string };

export type List<Row> = ReturnType<typeof useList<Row>>;

type ListOptions<Row> = {
  readonly load: (request: ListRequest, signal: AbortSignal) => Promise<ListPage<Row>>;
  readonly idOf: (row: Row) => string;
  /** Whether a row may change without an action of this page; the list then refreshes itself. */
  readonly isPending: (row: Row) => boolean;
};

/** A list in pages, from 1, with a search by title. Both are in the address, so reloads, links and the back button work. */
export function useList<Row>({ load, idOf, isPending }: ListOptions<Row>) {
  const { query, change } = useAddressQuery();
  const title = query.get("title") ?? "";
  const page = pageNumber(query);
  const offset = (page - 1) * ROWS_PER_PAGE;
  const request = { limit: ROWS_PER_PAGE, offset, ...(title !== "" && { title }) };
  const loaded = useLoaded(JSON.stringify(request), (signal) => load(request, signal));
  useRefreshed(loaded.value?.items.some(isPending) ?? false, loaded.refresh);
  return {
    loaded,
    title,
    page,
    // A history entry for each typed letter would make the back button useless.
    search: (text: string) => change({ title: text, page: "" }, "replaceState"),
    goTo: (next: number) => change({ page: next === 1 ? "" : String(next) }, "pushState"),
    update: (id: string, changes: Partial<Row>) =>
      loaded.change((list) => ({
        ...list,
        items: list.items.map((row) => (idOf(row) === id ? { ...row, ...changes } : row)),
      })),
    /** Takes out a row that this page has deleted and moves the focus to its neighbour. */
    remove: (id: string) => {
      focusNeighbour(document.querySelector(`[data-id="${id}"]`));
      loaded.change((list) => ({
        total: list.total - 1,
        items: list.items.filter((row) => idOf(row) !== id),
      }));
    },
  };
}

/** `pushState` adds a history entry. */
export type HistoryMode = "pushState" | "replaceState";

function useAddressQuery() {
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

/** Moves the focus to the next row, the previous one, or the page, so that it is not lost with a deleted row. */
function focusNeighbour(row: Element | null): void {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const target = neighbour?.querySelector<HTMLElement>("a, button") ?? document.getElementById("page");
  // After the dialog has closed, which returns the focus to the deleted row's button.
  setTimeout(() => target?.focus());
}

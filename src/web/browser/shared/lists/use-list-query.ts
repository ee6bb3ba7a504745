import { pageNumber } from "./list-address.ts";
import { useAddressQuery } from "./use-address-query.ts";

/** Rows on a page of a list: what fits on two or three screens. */
export const ROWS_PER_PAGE = 20;

/** The part of a list that the address names, and ways to another one. */
export type ListQuery = {
  /** What titles have to hold; empty for all. */
  readonly title: string;
  /** From 1. */
  readonly page: number;
  readonly search: (title: string) => void;
  readonly goTo: (page: number) => void;
};

export function useListQuery(): ListQuery {
  const { query, change } = useAddressQuery();
  return {
    title: query.get("title") ?? "",
    page: pageNumber(query),
    search: (title) => change({ title, page: "" }, "replace"),
    goTo: (page) => change({ page: page === 1 ? "" : String(page) }),
  };
}

/** The same as the engine is asked for it. */
export function pageOfList({ title, page }: Pick<ListQuery, "title" | "page">) {
  return {
    limit: ROWS_PER_PAGE,
    offset: (page - 1) * ROWS_PER_PAGE,
    ...(title !== "" && { title }),
  };
}

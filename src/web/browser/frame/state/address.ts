import { useEffect, useState } from "preact/hooks";

/** What the address says after its question mark, so that a reload, a link and the back button show the same. */
export type AddressQuery = {
  readonly query: URLSearchParams;
  /** Changes parameters; an empty value takes one out. `replace` leaves no entry to go back to, as for each letter of a search. */
  readonly change: (values: Readonly<Record<string, string>>, mode?: "push" | "replace") => void;
};

export function useAddressQuery(): AddressQuery {
  const [search, setSearch] = useState(location.search);
  useEffect(() => {
    const follow = () => setSearch(location.search);
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const change: AddressQuery["change"] = (values, mode = "push") => {
    const next = changedQuery(location.search, values);
    if (next === location.search) return;
    const url = location.pathname + next + location.hash;
    if (mode === "push") history.pushState(null, "", url);
    else history.replaceState(null, "", url);
    setSearch(next);
  };
  return { query: new URLSearchParams(search), change };
}

/** `search` with other values, in the form that an address has: empty, or with its question mark. */
export function changedQuery(search: string, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  return query.size === 0 ? "" : `?${query}`;
}

/** The page of a list that the address names, from 1; anything else than a number is the first. */
export function pageNumber(query: URLSearchParams): number {
  const text = query.get("page") ?? "";
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}

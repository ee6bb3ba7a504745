import { useEffect, useState } from "preact/hooks";
import { changedQuery } from "./list-address.ts";

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

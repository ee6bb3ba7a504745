import { useCallback, useEffect, useState } from "preact/hooks";
import { type ReportAddress, readAddress, writeAddress } from "../model/report-address.ts";

/** Filters, chosen source and chosen passage stand in the address, so that it is a link to just this view. */
export type AddressState = {
  readonly address: ReportAddress;
  /** `push` leaves an entry to go back to. */
  readonly change: (changes: Partial<ReportAddress>, mode: "push" | "replace") => void;
};

export function useReportAddress(): AddressState {
  const [address, setAddress] = useState(() => readAddress(location));
  useEffect(() => {
    const follow = () => setAddress(readAddress(location));
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("hashchange", follow);
    };
  }, []);
  const change: AddressState["change"] = useCallback((changes, mode) => {
    const next = { ...readAddress(location), ...changes };
    const url = location.pathname + writeAddress(next);
    if (mode === "push") history.pushState(null, "", url);
    else history.replaceState(null, "", url);
    setAddress(next);
  }, []);
  return { address, change };
}

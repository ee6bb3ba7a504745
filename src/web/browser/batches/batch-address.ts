import { useEffect, useRef, useState } from "preact/hooks";
import { pageNumber } from "../shared/use-list.ts";
import {
  type BatchGraph,
  CLUSTER_SORTS,
  type ClusterSort,
  PAIR_SORTS,
  type PairSelection,
  type PairSort,
} from "./batch-graph.ts";

export const VIEWS = ["pairs", "clusters", "matrix", "members"] as const;
export type View = (typeof VIEWS)[number];

/** The state of a batch's page. All of it is in the address, so reloads, links and the back button work. */
export type BatchAddress = PairSelection & {
  readonly view: View;
  readonly excludeQuotes: boolean;
  readonly excludeCommon: boolean;
  readonly clusterSort: ClusterSort;
  /** The cluster that is shown alone, by its least ordinal. */
  readonly cluster: number | undefined;
  /** Of the list in view, from 1. */
  readonly page: number;
};

/** As in the reports of the API. Two texts on one subject share less than this by quoting. */
const PCT_MIN_DEFAULT = 3;

/** Reads an address. Malformed parts are ignored, so that an old or truncated link still opens the batch. */
export function readBatchAddress(query: URLSearchParams): BatchAddress {
  const wholeNumber = (name: string) =>
    /^\d{1,7}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : undefined;
  return {
    view: VIEWS.find((view) => view === query.get("view")) ?? "pairs",
    pctMin: Math.min(100, wholeNumber("min_similarity") ?? PCT_MIN_DEFAULT),
    name: query.get("name") ?? "",
    sort: PAIR_SORTS.find((sort) => sort === query.get("sort")) ?? "similarity",
    excludeQuotes: query.get("exclude_quotes") !== "false",
    excludeCommon: query.get("exclude_common") !== "false",
    clusterSort: CLUSTER_SORTS.find((sort) => sort === query.get("cluster_sort")) ?? "size",
    cluster: wholeNumber("cluster"),
    page: pageNumber(query),
  };
}

/** Changes of an address, by the names of its parameters; empty values are left out of it. */
export const inAddress = {
  view: (view: View) => ({ view: view === "pairs" ? "" : view, page: "", cluster: "" }),
  pctMin: (pct: number) => ({ min_similarity: pct === PCT_MIN_DEFAULT ? "" : String(pct), page: "" }),
  name: (name: string) => ({ name, page: "" }),
  sort: (sort: PairSort) => ({ sort: sort === "similarity" ? "" : sort, page: "" }),
  excludeQuotes: (isSet: boolean) => ({ exclude_quotes: isSet ? "" : "false", page: "" }),
  excludeCommon: (isSet: boolean) => ({ exclude_common: isSet ? "" : "false", page: "" }),
  clusterSort: (sort: ClusterSort) => ({ cluster_sort: sort === "size" ? "" : sort, page: "" }),
  cluster: (id: number | undefined) => ({ cluster: id === undefined ? "" : String(id) }),
  page: (page: number) => ({ page: page === 1 ? "" : String(page) }),
} as const;

/** The filters as the API takes them. */
export function filtersOf({ excludeQuotes, excludeCommon }: BatchAddress) {
  return { exclude_quotes: excludeQuotes, exclude_common: excludeCommon };
}

/** The page of a pair, which knows from its address the way back and which pairs come before and after it. */
export function pairHref(
  batchId: string,
  { a, b }: { readonly a: { readonly member_id: string }; readonly b: { readonly member_id: string } },
  address: BatchAddress,
): string {
  const query = new URLSearchParams();
  const { view, pctMin, name, sort, clusterSort, excludeQuotes, excludeCommon, cluster, page } = address;
  const all = {
    ...inAddress.view(view),
    ...inAddress.pctMin(pctMin),
    ...inAddress.name(name),
    ...inAddress.sort(sort),
    ...inAddress.excludeQuotes(excludeQuotes),
    ...inAddress.excludeCommon(excludeCommon),
    ...inAddress.clusterSort(clusterSort),
    // Last, because the other changes return to the first page.
    ...inAddress.cluster(cluster),
    ...inAddress.page(page),
  };
  for (const [parameter, value] of Object.entries(all)) if (value !== "") query.set(parameter, value);
  const search = query.size === 0 ? "" : `?${query}`;
  return `/batches/${batchId}/pairs/${a.member_id}/${b.member_id}${search}`;
}

/** The input of each view of a batch: all data, and the selection. */
export type ShownBatch = {
  readonly batchId: string;
  readonly graph: BatchGraph;
  readonly address: BatchAddress;
};

export type Threshold = {
  readonly pct: number;
  /** While it is dragged: followed once for each frame that is drawn. */
  readonly drag: (pct: number) => void;
  /** When it stands: kept in the address. Browsers take only some changes of it in a second. */
  readonly settle: (pct: number) => void;
};

/** The least similarity of the pairs that are shown. @param settled the one in the address */
export function useThreshold(settled: number, onSettle: (pct: number) => void): Threshold {
  const [dragged, setDragged] = useState<number>();
  const latest = useRef(settled);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return {
    pct: dragged ?? settled,
    drag: (pct) => {
      latest.current = pct;
      frame.current ||= requestAnimationFrame(() => {
        frame.current = 0;
        setDragged(latest.current);
      });
    },
    settle: (pct) => {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
      setDragged(undefined);
      onSettle(pct);
    },
  };
}

import { type Filters, filterQuery } from "../model/report-address.ts";

/** The report to take along, with the filters that are set: on paper, as a page of its own, as tables and data. */
export function TakeAlong({ checkId, filters }: { readonly checkId: string; readonly filters: Filters }) {
  const query = filterQuery(filters);
  const search = query.size === 0 ? "" : `?${query}`;
  const base = `/v1/checks/${encodeURIComponent(checkId)}`;
  return (
    <nav class="take-along" aria-label="Take the report along">
      <button type="button" class="small" onClick={() => print()}>
        Print or PDF
      </button>
      <a class="button small" href={`${base}/report.html${search}`} download>
        HTML
      </a>
      <a class="button small" href={`${base}/passages.csv${search}`} download>
        CSV
      </a>
      <a class="button small" href={`${base}/report${search}`} download={`report-${checkId}.json`}>
        JSON
      </a>
    </nav>
  );
}

import { SmallButton } from "../shared/elements.tsx";
import { count } from "../shared/wording.ts";

/** Of a table. */
const ROWS_SHOWN = 50;

type PagerProps = {
  /** From 1. */
  readonly page: number;
  readonly rows: number;
  readonly rowsPerPage?: number;
  readonly label: string;
  readonly onPage: (page: number) => void;
};

/** The rows of a page. Where the list has become shorter, the last page counts. */
export function pageOf<T>(rows: readonly T[], wanted: number) {
  const page = Math.min(wanted, Math.max(1, Math.ceil(rows.length / ROWS_SHOWN)));
  const first = (page - 1) * ROWS_SHOWN;
  return { page, first, shown: rows.slice(first, first + ROWS_SHOWN) };
}

/** Goes through the pages of a list that lies in the page; nothing if there is only one. */
export function Pager({ page, rows, rowsPerPage = ROWS_SHOWN, label, onPage }: PagerProps) {
  const pages = Math.ceil(rows / rowsPerPage);
  if (pages <= 1) return null;
  return (
    <nav class="pager" aria-label={`Pages: ${label}`}>
      <SmallButton disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </SmallButton>
      <span role="status">
        {count((page - 1) * rowsPerPage + 1)} to {count(Math.min(rows, page * rowsPerPage))} of {count(rows)}
      </span>
      <SmallButton disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </SmallButton>
    </nav>
  );
}

import { SmallButton } from "../shared/elements.tsx";
import { count } from "../shared/wording.ts";

type PagerProps = {
  /** From 1. */
  readonly page: number;
  readonly rows: number;
  readonly rowsPerPage: number;
  readonly label: string;
  readonly onPage: (page: number) => void;
};

/** A page, or the last one where the list has become shorter. */
export function existingPage(page: number, rows: number, rowsPerPage: number): number {
  return Math.min(page, Math.max(1, Math.ceil(rows / rowsPerPage)));
}

/** Goes through the pages of a list that lies in the page; nothing if there is only one. */
export function Pager({ page, rows, rowsPerPage, label, onPage }: PagerProps) {
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

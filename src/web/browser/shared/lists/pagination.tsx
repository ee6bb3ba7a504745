import { count } from "../wording/numbers.ts";
import { changedQuery } from "./list-address.ts";

/** The way through a list in pages. Each page is a link, to be opened beside this one too. */
export function Pagination({
  page,
  perPage,
  total,
  onPage,
}: {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}) {
  const pages = Math.max(1, Math.ceil(total / perPage));
  if (pages === 1 && page === 1) return null;
  const first = (page - 1) * perPage + 1;
  return (
    <nav class="pagination" aria-label="Pages of the list">
      <PageLink label="Previous" page={page - 1} isThere={page > 1} onPage={onPage} />
      <span class="quiet">
        {first > total
          ? `Page ${count(page)} of ${count(pages)}`
          : `${count(first)}–${count(Math.min(total, page * perPage))} of ${count(total)}`}
      </span>
      <PageLink label="Next" page={page + 1} isThere={page < pages} onPage={onPage} />
    </nav>
  );
}

function PageLink({
  label,
  page,
  isThere,
  onPage,
}: {
  readonly label: string;
  readonly page: number;
  readonly isThere: boolean;
  readonly onPage: (page: number) => void;
}) {
  if (!isThere)
    return (
      <span class="button" aria-hidden="true">
        {label}
      </span>
    );
  const query = changedQuery(location.search, { page: page === 1 ? "" : String(page) });
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onPage(page);
  };
  return (
    <a
      class="button"
      href={location.pathname + query}
      rel={label === "Next" ? "next" : "prev"}
      onClick={follow}
    >
      {label}
    </a>
  );
}

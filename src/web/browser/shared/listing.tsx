import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { CountKey } from "../../../http/languages/texts.ts";
import { DeleteRowsDialog } from "./delete-rows.tsx";
import { Button, SmallButton } from "./elements.tsx";
import { Tick, TitleEditor, useFocusAfter } from "./field.tsx";
import { announce } from "./mount.tsx";
import { EmptyState, ErrorNotice } from "./notice.tsx";
import { say, sayCount } from "./texts.ts";
import { changedQuery, type List, ROWS_PER_PAGE } from "./use-list.ts";
import { count } from "./wording.ts";

type ListingProps<Row> = {
  readonly list: List<Row>;
  /** The number of rows with their noun. */
  readonly total: CountKey;
  /** The order and the filters of the list. */
  readonly controls: ComponentChildren;
  /** The parameters that filter the list beside its title. */
  readonly filterNames: readonly string[];
  /** The API's address of the list as a table, where it has one. */
  readonly csvPath?: string;
  readonly whenEmpty: ComponentChildren;
  /** Draws a row: an `li` with its key and `data-id`, and the checkbox that picks it. `onDelete` opens the dialog. */
  readonly row: (item: Row, picker: ComponentChildren, onDelete: () => void) => ComponentChildren;
  /** Asks before a row is deleted. */
  readonly deleteDialog: (item: Row, events: DeletionEvents) => ComponentChildren;
  readonly nameOf: (item: Row) => string;
  /** What is lost when several rows are deleted together. */
  readonly consequenceOf: (items: readonly Row[]) => string;
  readonly onDelete: (item: Row) => Promise<unknown>;
  /** Called when rows were deleted. */
  readonly onDeleted?: () => void;
};

type DeletionEvents = { readonly onDeleted: () => void; readonly onClose: () => void };

/** A list in pages below its search field, order and filters. Its rows can be picked and deleted together. */
export function Listing<Row>(props: ListingProps<Row>) {
  const { list, controls, filterNames, csvPath, whenEmpty, row, nameOf, deleteDialog } = props;
  const { title, page, idOf, selected } = list;
  const [pickedIds, setPickedIds] = useState<ReadonlySet<string>>(new Set());
  const [rowToDelete, setRowToDelete] = useState<Row>();
  const [rowsToDelete, setRowsToDelete] = useState<readonly Row[]>();
  const forget = (rows: readonly Row[]) => {
    list.remove(rows.map(idOf));
    props.onDeleted?.();
  };
  const isFiltered = filterNames.some((name) => name in selected);
  const clearFilters = () => list.select(Object.fromEntries(filterNames.map((name) => [name, ""])));
  const { value, error, isStale, reload } = list.loaded;
  const items = value?.items ?? [];
  // Rows of other pages are not picked: a deletion is of rows that are in view.
  const picked = items.filter((item) => pickedIds.has(idOf(item)));
  const pick = (ids: readonly string[], isPicked: boolean) => {
    const others = [...pickedIds].filter((id) => !ids.includes(id));
    setPickedIds(new Set(isPicked ? [...others, ...ids] : others));
  };
  const total = useRef<HTMLParagraphElement>(null);
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page || isStale) return;
    before.current = page;
    // The link that had the focus may be gone, and reading starts at the top again.
    total.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [page, isStale]);

  // Not while another search is under way: its field would lose the focus.
  const hasNone = value?.total === 0 && !isStale && !isFiltered && title === "";

  return (
    <>
      {!hasNone && (
        <div class="listing-head">
          <SearchField label={say("list.search")} value={title} onSearch={list.search} />
          {controls}
          {isFiltered && (
            <SmallButton class="small clear-filters" onClick={clearFilters}>
              {say("common.clearFilters")}
            </SmallButton>
          )}
        </div>
      )}
      <div class="listing-bar">
        {items.length > 0 && (
          <Tick
            label={say("list.selectAll")}
            isSet={picked.length === items.length}
            isPartly={picked.length > 0 && picked.length < items.length}
            onSet={(isSet) => pick(items.map(idOf), isSet)}
          />
        )}
        {picked.length > 0 && (
          <SmallButton class="small danger" onClick={() => setRowsToDelete(picked)}>
            {say("list.deleteSome", { count: count(picked.length) })}
          </SmallButton>
        )}
        <p ref={total} class="quiet" role="status" tabIndex={-1}>
          {value === undefined ? "\u00a0" : totalLabel(sayCount(props.total, value.total), title, isFiltered)}
        </p>
        {items.length > 0 && csvPath !== undefined && (
          <a class="button small" href={`${csvPath}?${queryOf(selected)}`} download>
            {say("list.csv")}
          </a>
        )}
      </div>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <div class="listing" aria-busy={isStale && error === undefined}>
        {items.length > 0 && (
          <ul class="rows">
            {items.map((item) =>
              row(
                item,
                <input
                  class="picker"
                  type="checkbox"
                  aria-label={say("list.select", { name: nameOf(item) })}
                  checked={pickedIds.has(idOf(item))}
                  onChange={(event) => pick([idOf(item)], event.currentTarget.checked)}
                />,
                () => setRowToDelete(item),
              ),
            )}
          </ul>
        )}
        {value?.items.length === 0 && value.total > 0 && (
          <EmptyState title={say("list.noPage")}>
            <Button onClick={() => list.goTo(1)}>{say("list.firstPage")}</Button>
          </EmptyState>
        )}
        {value?.total === 0 && isFiltered && (
          <EmptyState title={say("list.noneFiltered")}>
            <Button onClick={clearFilters}>{say("common.clearFilters")}</Button>
          </EmptyState>
        )}
        {value?.total === 0 && !isFiltered && title !== "" && (
          <EmptyState title={say("list.noneTitled", { title })}>
            <Button onClick={() => list.search("")}>{say("list.clearSearch")}</Button>
          </EmptyState>
        )}
        {value?.total === 0 && !isFiltered && title === "" && whenEmpty}
      </div>
      {value !== undefined && <Pagination page={page} total={value.total} onPage={list.goTo} />}
      {rowToDelete !== undefined &&
        deleteDialog(rowToDelete, {
          onDeleted: () => {
            setRowToDelete(undefined);
            forget([rowToDelete]);
            announce(say("list.deleted", { name: nameOf(rowToDelete) }));
          },
          onClose: () => setRowToDelete(undefined),
        })}
      {rowsToDelete !== undefined && (
        <DeleteRowsDialog
          rows={rowsToDelete}
          nameOf={nameOf}
          consequence={props.consequenceOf(rowsToDelete)}
          onDelete={props.onDelete}
          onDeleted={forget}
          onClose={() => setRowsToDelete(undefined)}
        />
      )}
    </>
  );
}

function totalLabel(rows: string, title: string, isFiltered: boolean): string {
  if (title === "") return isFiltered ? say("list.withFilters", { rows }) : rows;
  return say(isFiltered ? "list.withBoth" : "list.withTitle", { rows, title });
}

function queryOf(selected: object): URLSearchParams {
  return new URLSearchParams(Object.entries(selected).map(([name, value]) => [name, String(value)]));
}

/** A search starts after this pause in typing. */
const PAUSE_MS = 250;

type SearchFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (value: string) => void;
};

/** A field that searches as you type. It follows `value` when the address changes, for example by the back button. */
function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const search = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    onSearch(field.current?.value.trim() ?? "");
  };
  useEffect(() => {
    const shown = field.current;
    // Text that is being typed is newer than any value.
    if (timer.current !== undefined) return;
    if (shown !== null && shown.value.trim() !== value) shown.value = value;
  }, [value]);
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <label class="hidden-visually" for={id}>
          {label}
        </label>
        <input
          id={id}
          ref={field}
          type="search"
          dir="auto"
          autocomplete="off"
          placeholder={label}
          defaultValue={value}
          onInput={() => {
            clearTimeout(timer.current);
            timer.current = setTimeout(search, PAUSE_MS);
          }}
        />
      </form>
    </search>
  );
}

type PaginationProps = {
  readonly page: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
};

function Pagination({ page, total, onPage }: PaginationProps) {
  const pages = Math.max(1, Math.ceil(total / ROWS_PER_PAGE));
  if (pages === 1 && page === 1) return null;
  const first = (page - 1) * ROWS_PER_PAGE + 1;
  // Real links, so that a page can be opened in another tab.
  const linkTo = (rel: "prev" | "next", target: number) => {
    const label = say(rel === "next" ? "common.next" : "common.previous");
    if (target < 1 || target > pages)
      return (
        <span class="button" aria-hidden="true">
          {label}
        </span>
      );
    const query = changedQuery(location.search, { page: target === 1 ? "" : String(target) });
    const follow = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      onPage(target);
    };
    return (
      <a class="button" href={location.pathname + query} rel={rel} onClick={follow}>
        {label}
      </a>
    );
  };
  return (
    <nav class="pagination" aria-label={say("list.pages")}>
      {linkTo("prev", page - 1)}
      <span class="quiet">
        {first > total
          ? say("list.page", { page: count(page), pages: count(pages) })
          : say("list.rows", {
              first: count(first),
              last: count(Math.min(total, page * ROWS_PER_PAGE)),
              total: count(total),
            })}
      </span>
      {linkTo("next", page + 1)}
    </nav>
  );
}

type ListRowProps = {
  readonly id: string;
  readonly picker: ComponentChildren;
  /** Its name on buttons. */
  readonly name: string;
  readonly link: ComponentChildren;
  readonly facts: ComponentChildren;
  /** Stands below the facts. */
  readonly more?: ComponentChildren;
  readonly outcome: ComponentChildren;
  /** The title that can be edited, null where there is none yet. Missing if the row can't be renamed. */
  readonly title?: string | null;
  readonly onRename?: (title: string | null) => Promise<void>;
  readonly onDelete: () => void;
};

/** A row of a list whose entries can be deleted, and renamed. */
export function ListRow(props: ListRowProps) {
  const { id, picker, name, link, facts, more, outcome, title, onRename, onDelete } = props;
  const [isRenaming, setIsRenaming] = useState(false);
  const renameButton = useFocusAfter<HTMLButtonElement>(isRenaming);
  return (
    <li class="row" data-id={id}>
      {picker}
      <div class="row-main">
        {isRenaming && onRename !== undefined ? (
          <TitleEditor title={title ?? ""} onSave={onRename} onClose={() => setIsRenaming(false)} />
        ) : (
          link
        )}
        <p class="row-facts">{facts}</p>
        {more}
      </div>
      <div class="row-outcome">{outcome}</div>
      <div class="row-actions">
        {onRename !== undefined && (
          <SmallButton
            ref={renameButton}
            aria-label={say("list.renameRow", { name })}
            disabled={isRenaming}
            onClick={() => setIsRenaming(true)}
          >
            {say("common.rename")}
          </SmallButton>
        )}
        <SmallButton aria-label={say("list.deleteRow", { name })} onClick={onDelete}>
          {say("common.delete")}
        </SmallButton>
      </div>
    </li>
  );
}

import type { ComponentChildren } from "preact";
import type { CheckRow } from "../../../client/index.ts";
import { languageName, REVIEW_LABELS } from "../../../report/wording.ts";
import { CheckLink, CheckOutcome, isRunning } from "../shared/check-progress.tsx";
import { DeleteDialog } from "../shared/dialog.tsx";
import { Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { Choice, OrderField, orderIn, PercentField, percentIn } from "../shared/list-controls.tsx";
import { Listing, ListRow } from "../shared/listing.tsx";
import { announce, mount } from "../shared/mount.tsx";
import { EmptyState } from "../shared/notice.tsx";
import { useList } from "../shared/use-list.ts";
import { counted, percent } from "../shared/wording.ts";

function ChecksPage() {
  const list = useList({
    selectionOf,
    load: (request, signal) => engine.listChecks(request, { signal }),
    idOf: ({ check_id }: CheckRow) => check_id,
    isPending: isRunning,
  });
  const { selected, select } = list;

  const rename = async ({ check_id: id }: CheckRow, title: string | null) => {
    list.update(id, await engine.renameCheck(id, { title }));
    announce(title === null ? "Title removed." : `Renamed to ${title}.`);
  };
  const remove = ({ check_id: id }: CheckRow) => engine.deleteCheck(id);

  return (
    <>
      <div class="page-head">
        <h1>Checks</h1>
        <a class="button primary" href="/">
          Check a text
        </a>
      </div>
      <Listing
        list={list}
        noun="check"
        controls={
          <>
            <OrderField orders={ORDERS} selected={selected} onSelect={select} />
            <Choice
              label="Status"
              options={[{ value: "", label: "All" }, ...STATUSES]}
              value={selected.status ?? ""}
              onChange={(status) => select({ status })}
            />
            <Choice
              label="Decision"
              options={[{ value: "", label: "All" }, ...DECISIONS]}
              value={selected.review_status ?? ""}
              onChange={(review_status) => select({ review_status })}
            />
            <PercentField
              label="Score from (%)"
              value={selected.score_min}
              onChange={(value) => select({ score_min: value })}
            />
            <PercentField
              label="to (%)"
              value={selected.score_max}
              onChange={(value) => select({ score_max: value })}
            />
          </>
        }
        filterNames={["status", "review_status", "score_min", "score_max"]}
        csvPath="/v1/checks.csv"
        nameOf={({ display_title: name }) => name}
        consequenceOf={(rows) =>
          `The texts and their reports will be permanently deleted, and links to them will stop working.${rows.some(isRunning) ? " Running checks will be stopped." : ""}`
        }
        onDelete={remove}
        whenEmpty={
          <EmptyState title="No checks yet">
            <p>Check a text to see its result here.</p>
          </EmptyState>
        }
        row={(check, picker, onDelete) => (
          <Row
            key={check.check_id}
            check={check}
            picker={picker}
            onRename={(title) => rename(check, title)}
            onDelete={onDelete}
          />
        )}
        deleteDialog={(check, events) => (
          <DeleteDialog title="Delete this check?" onDelete={() => remove(check)} {...events}>
            <p>
              <bdi>{check.display_title}</bdi>
            </p>
            <p>
              The text and its report will be permanently deleted, and links to them will stop working.
              {isRunning(check) && " The check will be stopped."}
            </p>
          </DeleteDialog>
        )}
      />
    </>
  );
}

const ORDERS = [
  { sort: "date", order: "desc", label: "Newest first" },
  { sort: "date", order: "asc", label: "Oldest first" },
  { sort: "score", order: "desc", label: "Highest score first" },
  { sort: "score", order: "asc", label: "Lowest score first" },
  { sort: "words", order: "desc", label: "Longest first" },
  { sort: "words", order: "asc", label: "Shortest first" },
] as const;

const STATUSES = [
  { value: "complete", label: "Complete" },
  { value: "running", label: "Running" },
  { value: "pending", label: "Waiting" },
  { value: "failed", label: "Failed" },
] as const;

const DECISIONS = (["open", "cleared", "to_be_discussed", "confirmed"] as const).map((value) => ({
  value,
  label: REVIEW_LABELS[value],
}));

function selectionOf(query: URLSearchParams) {
  const decision = DECISIONS.find(({ value }) => value === query.get("review_status"))?.value;
  const status = STATUSES.find(({ value }) => value === query.get("status"))?.value;
  const [min, max] = [percentIn(query, "score_min"), percentIn(query, "score_max")];
  return {
    ...orderIn<(typeof ORDERS)[number]["sort"]>(ORDERS, query),
    ...(status !== undefined && { status }),
    ...(decision !== undefined && { review_status: decision }),
    ...(min !== undefined && { score_min: min }),
    ...(max !== undefined && { score_max: max }),
  };
}

type RowProps = {
  readonly check: CheckRow;
  readonly picker: ComponentChildren;
  readonly onRename: (title: string | null) => Promise<void>;
  readonly onDelete: () => void;
};

function Row({ check, ...row }: RowProps) {
  return (
    <ListRow
      {...row}
      id={check.check_id}
      name={check.display_title}
      title={check.title}
      link={<CheckLink check={check} />}
      facts={
        <>
          <Timestamp at={check.created_at} />
          <span>{counted(check.word_count, "word")}</span>
          <span>{languageName(check.language)}</span>
          {check.review !== undefined && (
            <span class="decision">
              {REVIEW_LABELS[check.review.status]}, {percent(check.review.reviewed_similarity_pct)} as
              reviewed
            </span>
          )}
          {check.coverage === "partial" && (
            <span class="partial">
              {check.chunks_done < check.chunks_total
                ? "Partly searched: time limit reached"
                : "The text of some pages could not be read"}
            </span>
          )}
        </>
      }
      more={check.error_message !== null && <p class="fault">{check.error_message}</p>}
      outcome={<CheckOutcome check={check} />}
    />
  );
}

mount(<ChecksPage />);

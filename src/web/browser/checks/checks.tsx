import type { ComponentChildren } from "preact";
import type { CheckRow } from "../../../client/index.ts";
import { reviewLabel, statedInFile } from "../../../report/wording.ts";
import { CheckLink, CheckOutcome, isRunning } from "../shared/check-progress.tsx";
import { DeleteDialog } from "../shared/dialog.tsx";
import { Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { Choice, OrderField, orderIn, PercentField, percentIn } from "../shared/list-controls.tsx";
import { Listing, ListRow } from "../shared/listing.tsx";
import { announce, mount } from "../shared/mount.tsx";
import { EmptyState } from "../shared/notice.tsx";
import { languageName, say, sayCount, texts } from "../shared/texts.ts";
import { useList } from "../shared/use-list.ts";
import { percent } from "../shared/wording.ts";

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
    announce(title === null ? say("checks.titleRemoved") : say("checks.renamed", { title }));
  };
  const remove = ({ check_id: id }: CheckRow) => engine.deleteCheck(id);

  return (
    <>
      <div class="page-head">
        <h1>{say("checks.title")}</h1>
        <a class="button primary" href="/">
          {say("nav.submit")}
        </a>
      </div>
      <Listing
        list={list}
        total="count.checks"
        controls={
          <>
            <OrderField orders={ORDERS} selected={selected} onSelect={select} />
            <Choice
              label={say("checks.status")}
              options={[{ value: "", label: say("checks.all") }, ...STATUSES]}
              value={selected.status ?? ""}
              onChange={(status) => select({ status })}
            />
            <Choice
              label={say("checks.decision")}
              options={[{ value: "", label: say("checks.all") }, ...DECISIONS]}
              value={selected.review_status ?? ""}
              onChange={(review_status) => select({ review_status })}
            />
            <PercentField
              label={say("checks.scoreFrom")}
              value={selected.score_min}
              onChange={(value) => select({ score_min: value })}
            />
            <PercentField
              label={say("checks.scoreTo")}
              value={selected.score_max}
              onChange={(value) => select({ score_max: value })}
            />
          </>
        }
        filterNames={["status", "review_status", "score_min", "score_max"]}
        csvPath="/v1/checks.csv"
        nameOf={({ display_title: name }) => name}
        consequenceOf={(rows) =>
          `${say("checks.deleteMany")} ${rows.some(isRunning) ? say("checks.deleteManyRunning") : ""}`.trim()
        }
        onDelete={remove}
        whenEmpty={
          <EmptyState title={say("submit.noChecks")}>
            <p>{say("checks.empty")}</p>
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
          <DeleteDialog title={say("checks.deleteTitle")} onDelete={() => remove(check)} {...events}>
            <p>
              <bdi>{check.display_title}</bdi>
            </p>
            <p>
              {say("checks.deleteText")} {isRunning(check) && say("checks.deleteRunning")}
            </p>
          </DeleteDialog>
        )}
      />
    </>
  );
}

const ORDERS = [
  { sort: "date", order: "desc", label: say("checks.newest") },
  { sort: "date", order: "asc", label: say("checks.oldest") },
  { sort: "score", order: "desc", label: say("checks.highest") },
  { sort: "score", order: "asc", label: say("checks.lowest") },
  { sort: "words", order: "desc", label: say("checks.longest") },
  { sort: "words", order: "asc", label: say("checks.shortest") },
] as const;

const STATUSES = [
  { value: "complete", label: say("checks.complete") },
  { value: "running", label: say("checks.running") },
  { value: "pending", label: say("checks.waiting") },
  { value: "failed", label: say("checks.failed") },
] as const;

const DECISIONS = (["open", "cleared", "to_be_discussed", "confirmed"] as const).map((value) => ({
  value,
  label: reviewLabel(value, texts),
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
          <span>{sayCount("count.words", check.word_count)}</span>
          <span>{languageName(check.language)}</span>
          {statedInFile(check, texts).map(({ name, value }) => (
            <bdi key={name} title={name}>
              {value}
            </bdi>
          ))}
          {check.review !== undefined && (
            <span class="decision">
              {say("checks.reviewed", {
                status: reviewLabel(check.review.status, texts),
                pct: percent(check.review.reviewed_similarity_pct),
              })}
            </span>
          )}
          {check.coverage === "partial" && (
            <span class="partial">
              {say(check.chunks_done < check.chunks_total ? "checks.partly" : "coverage.unread")}
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

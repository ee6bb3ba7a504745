import type { ComponentChildren } from "preact";
import type { Batch } from "../../../client/index.ts";
import { ProgressBar, Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { Listing, ListRow } from "../shared/listing.tsx";
import { announce, mount } from "../shared/mount.tsx";
import { EmptyState } from "../shared/notice.tsx";
import { say, sayCount } from "../shared/texts.ts";
import { useList } from "../shared/use-list.ts";
import { batchName } from "../shared/wording.ts";
import { BatchForm } from "./batch-form.tsx";
import { DeleteBatchDialog } from "./batch-head.tsx";
import { comparedInWords, isRunning, shareDone, stateInWords } from "./batch-wording.ts";
import "../submit/submit.css";
import "./batches.css";

function BatchesPage() {
  const list = useList({
    // The service lists batches in one order.
    selectionOf: () => ({ sort: "date", order: "desc" }) as const,
    load: ({ limit, offset, title }, signal) => engine.listBatches({ limit, offset, title }, { signal }),
    idOf: ({ batch_id }: Batch) => batch_id,
    isPending: isRunning,
  });
  const rename = async ({ batch_id: id }: Batch, title: string | null) => {
    list.update(id, await engine.renameBatch(id, { title }));
    announce(title === null ? say("checks.titleRemoved") : say("checks.renamed", { title }));
  };
  return (
    <>
      <h1>{say("nav.batches")}</h1>
      <p class="lead">{say("batches.lead")}</p>
      <BatchForm />
      <h2 class="batches-title">{say("batches.all")}</h2>
      <Listing
        list={list}
        total="count.batches"
        controls={null}
        filterNames={[]}
        nameOf={batchName}
        consequenceOf={(rows) =>
          `${say("batches.deleteText")} ${rows.some(isRunning) ? say("batches.deleteRunning") : ""}`.trim()
        }
        onDelete={({ batch_id: id }) => engine.deleteBatch(id)}
        whenEmpty={
          <EmptyState title={say("batches.none")}>
            <p>{say("batches.willAppear")}</p>
          </EmptyState>
        }
        row={(batch, picker, onDelete) => (
          <Row
            key={batch.batch_id}
            batch={batch}
            picker={picker}
            onRename={(title) => rename(batch, title)}
            onDelete={onDelete}
          />
        )}
        deleteDialog={(batch, events) => <DeleteBatchDialog batch={batch} {...events} />}
      />
    </>
  );
}

type RowProps = {
  readonly batch: Batch;
  readonly picker: ComponentChildren;
  readonly onRename: (title: string | null) => Promise<void>;
  readonly onDelete: () => void;
};

function Row({ batch, ...row }: RowProps) {
  const name = batchName(batch);
  return (
    <ListRow
      {...row}
      id={batch.batch_id}
      name={name}
      title={batch.title}
      link={
        <a
          class={batch.title === null ? "row-title untitled" : "row-title"}
          href={`/batches/${batch.batch_id}`}
        >
          <bdi>{name}</bdi>
        </a>
      }
      facts={
        <>
          <Timestamp at={batch.created_at} />
          <span>{sayCount("count.texts", batch.members_total)}</span>
          <span>{comparedInWords(batch)}</span>
          {batch.members_failed > 0 && (
            <span class="partial">{sayCount("batch.notRead", batch.members_failed)}</span>
          )}
        </>
      }
      outcome={
        isRunning(batch) ? (
          <div class="progress-line">
            <ProgressBar value={shareDone(batch)} label={stateInWords(batch)} />
            <span>{stateInWords(batch)}</span>
          </div>
        ) : (
          batch.compare_with !== "corpus" && sayCount("count.pairs", batch.pairs_found)
        )
      }
    />
  );
}

mount(<BatchesPage />);

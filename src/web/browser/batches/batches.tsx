import type { ComponentChildren } from "preact";
import type { Batch } from "../../../client/index.ts";
import { ProgressBar, Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { englishWords } from "../shared/list-words.ts";
import { Listing, ListRow } from "../shared/listing.tsx";
import { announce, mount } from "../shared/mount.tsx";
import { EmptyState } from "../shared/notice.tsx";
import { useList } from "../shared/use-list.ts";
import { batchName, counted } from "../shared/wording.ts";
import { BatchForm } from "./batch-form.tsx";
import { DeleteBatchDialog } from "./batch-head.tsx";
import { comparedWithInWords, isRunning, shareDone, stateInWords } from "./batch-wording.ts";
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
    announce(title === null ? "Title removed." : `Renamed to ${title}.`);
  };
  return (
    <>
      <h1>Batches</h1>
      <p class="lead">
        Compare many texts with each other, such as all texts of a class, and see who shares text with whom.
      </p>
      <BatchForm />
      <h2 class="batches-title">All batches</h2>
      <Listing
        list={list}
        words={englishWords("batch")}
        controls={null}
        filterNames={[]}
        nameOf={batchName}
        consequenceOf={() =>
          "The texts, their checks and their pairs will be permanently deleted, and links to them will stop working. Documents in the corpus stay."
        }
        onDelete={({ batch_id: id }) => engine.deleteBatch(id)}
        whenEmpty={
          <EmptyState title="No batches yet">
            <p>The ones that you submit will appear here.</p>
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
          <span>{counted(batch.members_total, "text")}</span>
          <span>compared with {comparedWithInWords(batch)}</span>
          {batch.members_failed > 0 && <span class="partial">{batch.members_failed} could not be read</span>}
        </>
      }
      outcome={
        isRunning(batch) ? (
          <div class="progress-line">
            <ProgressBar value={shareDone(batch)} label={stateInWords(batch)} />
            <span>{stateInWords(batch)}</span>
          </div>
        ) : (
          batch.compare_with !== "corpus" && counted(batch.pairs_found, "pair")
        )
      }
    />
  );
}

mount(<BatchesPage />);

import type { Batch } from "../../../client/index.ts";
import { DeleteDialog } from "../shared/dialog.tsx";
import { engine, unlessGone } from "../shared/engine.ts";
import { batchName, isRunning } from "./batch-wording.ts";

type DeleteBatchDialogProps = {
  readonly batch: Batch;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
};

/** Asks before a batch is deleted. */
export function DeleteBatchDialog({ batch, onDeleted, onClose }: DeleteBatchDialogProps) {
  return (
    <DeleteDialog
      title="Delete this batch?"
      onDelete={async () => {
        await unlessGone(engine.deleteBatch(batch.batch_id));
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>
        <bdi>{batchName(batch)}</bdi>
      </p>
      <p>
        Its texts, their checks and their pairs will be permanently deleted, and links to them will stop
        working. Documents in the corpus stay.
        {isRunning(batch) && " The comparison will be stopped."}
      </p>
    </DeleteDialog>
  );
}

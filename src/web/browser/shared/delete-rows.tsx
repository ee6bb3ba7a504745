import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { Button } from "./elements.tsx";
import { failureLine, failureOf, unlessGone } from "./engine.ts";
import { announce } from "./mount.tsx";
import { Notice } from "./notice.tsx";
import { counted } from "./wording.ts";

/** Deletions under way at once: the browser keeps six connections per host. */
const PARALLEL = 4;

/** Names that the question lists. */
const NAMES_SHOWN = 5;

type DeleteRowsProps<Row> = {
  readonly rows: readonly Row[];
  /** The name of a row, such as `check`. */
  readonly noun: string;
  readonly nameOf: (row: Row) => string;
  readonly consequence: string;
  /** Deletes one row. */
  readonly onDelete: (row: Row) => Promise<unknown>;
  /** Receives the deleted rows once no deletion is under way. */
  readonly onDeleted: (rows: readonly Row[]) => void;
  readonly onClose: () => void;
};

type Failed<Row> = { readonly row: Row; readonly reason: string };

/** Asks before several rows are deleted, and says which ones could not be. The focus starts on Cancel, as for a single row. */
export function DeleteRowsDialog<Row>(props: DeleteRowsProps<Row>) {
  const { rows, noun, nameOf, consequence, onDelete, onDeleted, onClose } = props;
  const [left, setLeft] = useState(rows);
  const [failed, setFailed] = useState<readonly Failed<Row>[]>([]);
  const [done, setDone] = useState<number>();
  const isBusy = done !== undefined;
  const all = counted(left.length, noun);

  const confirm = async () => {
    setFailed([]);
    setDone(0);
    const faults: Failed<Row>[] = [];
    const deleted: Row[] = [];
    const waiting = [...left];
    const work = async () => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
        try {
          await unlessGone(onDelete(row));
          deleted.push(row);
        } catch (error) {
          faults.push({ row, reason: failureLine(failureOf(error, navigator.onLine)) });
        }
        setDone(deleted.length + faults.length);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    setDone(undefined);
    if (deleted.length > 0) announce(`${counted(deleted.length, noun)} deleted.`);
    if (faults.length === 0) onClose();
    setLeft(faults.map(({ row }) => row));
    setFailed(faults);
    onDeleted(deleted);
  };

  return (
    <Dialog title={`Delete ${all}?`} onClose={() => !isBusy && onClose()}>
      {failed.length === 0 ? (
        <ul class="names">
          {left.slice(0, NAMES_SHOWN).map((row) => (
            <li key={nameOf(row)}>
              <bdi>{nameOf(row)}</bdi>
            </li>
          ))}
          {left.length > NAMES_SHOWN && <li>and {left.length - NAMES_SHOWN} more</li>}
        </ul>
      ) : (
        <Notice kind="bad" title={`${counted(failed.length, noun)} could not be deleted`}>
          <ul>
            {failed.map(({ row, reason }) => (
              <li key={nameOf(row)}>
                <bdi>{nameOf(row)}</bdi>: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <p>{consequence}</p>
      <p class="hint" role="status">
        {isBusy && `${done} of ${left.length} done`}
      </p>
      <div class="buttons">
        <Button disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button class="danger" disabled={isBusy} onClick={confirm}>
          {failed.length === 0 ? `Delete ${all}` : "Try again"}
        </Button>
      </div>
    </Dialog>
  );
}

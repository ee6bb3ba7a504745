import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { Button } from "./elements.tsx";
import { failureLine, failureOf, unlessGone } from "./engine.ts";
import { announce } from "./mount.tsx";
import { Notice } from "./notice.tsx";
import { say, sayCount } from "./texts.ts";
import { count } from "./wording.ts";

/** Deletions under way at once: the browser keeps six connections per host. */
const PARALLEL = 4;

/** Names that the question lists. */
const NAMES_SHOWN = 5;

type DeleteRowsProps<Row> = {
  readonly rows: readonly Row[];
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
  const { rows, nameOf, consequence, onDelete, onDeleted, onClose } = props;
  const [left, setLeft] = useState(rows);
  const [failed, setFailed] = useState<readonly Failed<Row>[]>([]);
  const [done, setDone] = useState<number>();
  const isBusy = done !== undefined;

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
    if (deleted.length > 0) announce(say("list.manyDeleted", { count: count(deleted.length) }));
    if (faults.length === 0) onClose();
    setLeft(faults.map(({ row }) => row));
    setFailed(faults);
    onDeleted(deleted);
  };

  return (
    <Dialog title={say("list.askDelete", { count: count(left.length) })} onClose={() => !isBusy && onClose()}>
      {failed.length === 0 ? (
        <ul class="names">
          {left.slice(0, NAMES_SHOWN).map((row) => (
            <li key={nameOf(row)}>
              <bdi>{nameOf(row)}</bdi>
            </li>
          ))}
          {left.length > NAMES_SHOWN && <li>{sayCount("count.more", left.length - NAMES_SHOWN)}</li>}
        </ul>
      ) : (
        <Notice kind="bad" title={say("list.notDeleted", { count: count(failed.length) })}>
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
        {isBusy && say("list.progress", { done: count(done), total: count(left.length) })}
      </p>
      <div class="buttons">
        <Button disabled={isBusy} onClick={onClose}>
          {say("common.cancel")}
        </Button>
        <Button class="danger" disabled={isBusy} onClick={confirm}>
          {say(failed.length === 0 ? "common.delete" : "common.tryAgain")}
        </Button>
      </div>
    </Dialog>
  );
}

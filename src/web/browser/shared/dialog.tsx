import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./elements.tsx";
import { unlessGone } from "./engine.ts";
import { ErrorNotice } from "./notice.tsx";
import { say } from "./texts.ts";

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A modal dialog, open while it is rendered. The browser's own element traps and returns the focus. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isUnmounting = useRef(false);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      isUnmounting.current = true;
      shown?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        // The browser sends its `close` event late: a dialog reopened by then would be closed again.
        event.preventDefault();
        onClose();
      }}
      onClose={() => !isUnmounting.current && onClose()}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

type ConfirmDialogProps = DialogProps & {
  /** The label of the button. */
  readonly action: string;
  readonly kind: "primary" | "danger";
  readonly onConfirm: () => Promise<void>;
};

/** Asks before an action. The focus starts on Cancel or a field before it, so that Enter does no harm; an error keeps it open. */
export function ConfirmDialog({ action, kind, onConfirm, ...dialog }: ConfirmDialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await onConfirm();
    } catch (failure) {
      setError(failure);
      setIsBusy(false);
    }
  };
  return (
    <Dialog {...dialog}>
      {dialog.children}
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="buttons">
        <Button onClick={dialog.onClose}>{say("common.cancel")}</Button>
        <Button class={kind} disabled={isBusy} onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

type DeleteDialogProps = DialogProps & {
  readonly onDelete: () => Promise<unknown>;
  /** Called when it is deleted, by this or another window. */
  readonly onDeleted: () => void;
};

/** Asks before a deletion. */
export function DeleteDialog({ onDelete, onDeleted, ...dialog }: DeleteDialogProps) {
  const confirm = async () => {
    await unlessGone(onDelete());
    onDeleted();
  };
  return <ConfirmDialog action={say("common.delete")} kind="danger" onConfirm={confirm} {...dialog} />;
}

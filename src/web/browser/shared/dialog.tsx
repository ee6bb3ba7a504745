import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./elements.tsx";
import { ErrorNotice } from "./notice.tsx";

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

type DeleteDialogProps = DialogProps & { readonly onDelete: () => Promise<void> };

/** Asks before a deletion. The focus starts on Cancel, so that Enter does no harm; an error keeps it open. */
export function DeleteDialog({ onDelete, ...dialog }: DeleteDialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await onDelete();
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
        <Button onClick={dialog.onClose}>Cancel</Button>
        <Button class="danger" disabled={isBusy} onClick={confirm}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}

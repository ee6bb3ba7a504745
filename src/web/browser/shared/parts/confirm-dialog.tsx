import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { ErrorNotice } from "./notice.tsx";

/**
 * Asks before something that can't be undone. The focus starts on the way back, so that Enter does no harm.
 * @param action what the button says, such as `Delete`
 * @param onConfirm does it; when it fails the dialog stays and says why
 */
export function ConfirmDialog({
  title,
  action,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
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
    <Dialog title={title} onClose={onClose}>
      {children}
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="danger" disabled={isBusy} onClick={confirm}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}

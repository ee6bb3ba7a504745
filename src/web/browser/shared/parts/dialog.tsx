import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

/**
 * A dialog over the page, by the browser's own element: it holds the focus, Escape closes it, and the focus goes back
 * to where it was. Draw it only while it is open.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isLeaving = useRef(false);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      isLeaving.current = true;
      shown?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={titleId}
      onClose={() => !isLeaving.current && onClose()}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

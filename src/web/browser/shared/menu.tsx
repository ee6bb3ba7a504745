import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useWindowEvent } from "./use-window-event.ts";

type MenuProps = { readonly label: string; readonly children: ComponentChildren };

/** Rarely used links and buttons behind one button. It closes after a choice, on Escape, and when the reader turns elsewhere. */
export function Menu({ label, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute("open");
  const leave = ({ target }: Event) => {
    if (target instanceof Node && menu.current?.contains(target) === false) close();
  };
  useWindowEvent("pointerdown", leave);
  useWindowEvent("focusin", leave);
  /** Before the choice acts: a dialog that it opens returns the focus to this button, because the choice is hidden by then. */
  const closeAndFocus = () => {
    close();
    menu.current?.querySelector("summary")?.focus();
  };
  return (
    <details
      ref={menu}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || menu.current?.open !== true) return;
        event.stopPropagation();
        closeAndFocus();
      }}
    >
      <summary class="button small">{label}</summary>
      <div class="menu-items" onClickCapture={closeAndFocus}>
        {children}
      </div>
    </details>
  );
}

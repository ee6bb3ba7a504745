import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** From here on the sources stand beside the text; see `report.css`. */
const WIDE = "(min-width: 62rem)";

/** A part that a narrow window shows only when it is asked for, as it would push the text far down. */
export function Narrowable({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const [isOpen] = useState(() => matchMedia(WIDE).matches);
  return (
    <details class="narrowable" open={isOpen}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  );
}

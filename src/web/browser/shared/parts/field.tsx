import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** What a control is tied to its label and hint by. */
export type FieldIds = { readonly id: string; readonly "aria-describedby"?: string };

/** A label, the control that `children` draws with the identifiers it is given, and a hint below. */
export function Field({
  label,
  hint,
  optional = false,
  children,
}: {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly optional?: boolean;
  readonly children: (ids: FieldIds) => ComponentChildren;
}) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="quiet"> (optional)</span>}
      </label>
      {children({ id, ...(hint !== undefined && { "aria-describedby": hintId }) })}
      {hint !== undefined && (
        <div id={hintId} class="hint">
          {hint}
        </div>
      )}
    </div>
  );
}

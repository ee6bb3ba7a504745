import { Dialog } from "../../shared/parts/dialog.tsx";
import type { SingleKeys } from "../state/use-single-keys.ts";

const KEYS = [
  ["n", "next passage"],
  ["p", "previous passage"],
  ["Enter", "on a passage’s number: open it beside its source"],
  ["Esc", "close what is open; then show all sources again"],
  ["?", "this list"],
] as const;

/** The keys of the report. */
export function KeysDialog({
  singleKeys,
  onClose,
}: {
  readonly singleKeys: SingleKeys;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="tick">
        <input
          type="checkbox"
          checked={singleKeys.areOn}
          onChange={(event) => singleKeys.turn(event.currentTarget.checked)}
        />
        Use the single keys n, p and ?
      </label>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

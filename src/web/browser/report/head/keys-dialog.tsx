import { useState } from "preact/hooks";
import { Dialog } from "../../frame/parts/dialog.tsx";
import { singleKeysAreOn, turnSingleKeys } from "../state/use-report-keys.ts";

const KEYS = [
  ["n", "next passage"],
  ["p", "previous passage"],
  ["Enter", "on a passage’s number: open it beside its source"],
  ["Esc", "close what is open; then show all sources again"],
  ["?", "this list"],
] as const;

/** The keys of the report. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setIsOn] = useState(singleKeysAreOn);
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
          checked={isOn}
          onChange={(event) => {
            turnSingleKeys(event.currentTarget.checked);
            setIsOn(event.currentTarget.checked);
          }}
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

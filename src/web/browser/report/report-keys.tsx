import { useState } from "preact/hooks";
import { lastingStorage, readStored, store } from "../shared/browser-storage.ts";
import { Dialog } from "../shared/dialog.tsx";
import { Button } from "../shared/elements.tsx";
import { Tick } from "../shared/field.tsx";
import { say } from "../shared/texts.ts";
import { useWindowEvent } from "../shared/use-window-event.ts";

const SHORTCUTS = [
  ["n", say("keys.next")],
  ["p", say("keys.previous")],
  ["Enter", say("keys.enter")],
  ["Esc", say("keys.escape")],
  ["?", say("keys.help")],
] as const;

type KeysDialogProps = { readonly singleKeys: SingleKeys; readonly onClose: () => void };

/** Lists the keyboard shortcuts and turns single keys on and off. */
export function KeysDialog({ singleKeys, onClose }: KeysDialogProps) {
  return (
    <Dialog title={say("keys.title")} onClose={onClose}>
      <dl class="shortcuts">
        {SHORTCUTS.map(([key, action]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <Tick label={say("keys.enable")} isSet={singleKeys.areOn} onSet={singleKeys.turn} />
      <div class="buttons">
        <Button onClick={onClose}>{say("common.close")}</Button>
      </div>
    </Dialog>
  );
}

const STORAGE_KEY = "report-single-keys";

type SingleKeys = { readonly areOn: boolean; readonly turn: (on: boolean) => void };

/** Whether single keys are shortcuts. They can be turned off, because speech input may press them by mistake (WCAG 2.1.4). */
export function useSingleKeys(): SingleKeys {
  const [areOn, setAreOn] = useState(() => readStored(lastingStorage, STORAGE_KEY) !== "off");
  const turn = (on: boolean) => {
    setAreOn(on);
    store(lastingStorage, STORAGE_KEY, on ? undefined : "off");
  };
  return { areOn, turn };
}

/** Listens for the keys that have an action, except in fields and dialogs. */
export function useReportKeys(actions: ReadonlyMap<string, () => void>, hasSingleKeys: boolean): void {
  useWindowEvent("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : undefined;
    if (target?.closest("dialog, input:not([type=checkbox]), select, textarea") != null) return;
    if (event.key !== "Escape" && !hasSingleKeys) return;
    const act = actions.get(event.key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

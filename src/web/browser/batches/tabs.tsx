import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Button } from "../shared/elements.tsx";

type TabsProps<Value extends string> = {
  readonly label: string;
  readonly tabs: readonly { readonly value: Value; readonly label: string }[];
  readonly selected: Value;
  readonly onSelect: (value: Value) => void;
  readonly children: ComponentChildren;
};

/** Views in one place. Arrow keys select the next one, as the ARIA practices describe. */
export function Tabs<Value extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex(({ value }) => value === selected);
  const move = (event: KeyboardEvent) => {
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length];
    if (tab === undefined) return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>(`#tab-${tab.value}`)?.focus();
    onSelect(tab.value);
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ value, label: name }) => (
          <Button
            key={value}
            id={`tab-${value}`}
            class="tab"
            role="tab"
            aria-selected={value === selected}
            aria-controls="tab-panel"
            tabIndex={value === selected ? 0 : -1}
            onClick={() => onSelect(value)}
          >
            {name}
          </Button>
        ))}
      </div>
      <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${selected}`}>
        {children}
      </div>
    </div>
  );
}

import { useState } from "preact/hooks";

/** Single keys can be turned off, because speech input may press them by mistake (WCAG 2.1.4). */
const OFF_KEY = "report-single-keys";

export type SingleKeys = { readonly areOn: boolean; readonly turn: (on: boolean) => void };

/** Whether single keys do something, as it was chosen in this browser. */
export function useSingleKeys(): SingleKeys {
  const [areOn, setAreOn] = useState(wereOn);
  const turn = (on: boolean) => {
    setAreOn(on);
    try {
      if (on) localStorage.removeItem(OFF_KEY);
      else localStorage.setItem(OFF_KEY, "off");
    } catch {
      // A browser that lets nothing be stored forgets the choice with the page.
    }
  };
  return { areOn, turn };
}

function wereOn(): boolean {
  try {
    return localStorage.getItem(OFF_KEY) !== "off";
  } catch {
    return true;
  }
}

// Examples: tabs for the languages of programs, buttons that copy, and the address under which the reader really came.

import { element, find, findAll } from "./elements.ts";
import { say } from "./messages.ts";

/** The server knows the address only as well as the proxies before it tell. */
export function setOrigin(): void {
  for (const place of findAll("[data-origin]")) place.textContent = location.origin;
  for (const place of findAll("[data-address]")) {
    const { pathname, search } = new URL(place.textContent ?? "", location.href);
    place.textContent = `${location.origin}${decodeURI(pathname)}${search}`;
  }
}

/** Shows the examples of an endpoint for another request. `format` is `json` or `csv`. */
export function updateSamples(samples: HTMLElement, path: string, format: "json" | "csv"): void {
  for (const place of findAll("[data-address]", samples)) place.textContent = `${location.origin}${path}`;
  for (const variant of findAll("[data-format]", samples)) {
    variant.hidden = variant.dataset.format !== format;
  }
}

/** One example at a time; the choice of a language holds for all endpoints. Arrow keys move between the tabs. */
export function enableTabs(): void {
  const groups = [...findAll(".samples")].map((samples, index) => buildTabs(samples, index));
  const choose = (language: string | undefined) => {
    for (const select of groups) select(language);
  };
  for (const tab of findAll("[role=tab]")) {
    tab.addEventListener("click", () => choose(tab.dataset.language));
    tab.addEventListener("keydown", (event) => {
      const tabs = [...findAll("[role=tab]", tab.parentElement ?? undefined)];
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined) return;
      const next = tabs.at((tabs.indexOf(tab) + step) % tabs.length);
      choose(next?.dataset.language);
      next?.focus();
    });
  }
}

/** Returns a function that shows the example of a language. */
function buildTabs(samples: HTMLElement, index: number): (language: string | undefined) => void {
  const panels = [...samples.children].filter((panel) => panel instanceof HTMLElement);
  const tabs = panels.map((panel, position) => {
    const { language = "" } = panel.dataset;
    panel.id = `sample-${index}-${position}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-label", language);
    find(".sample-language", panel).remove();
    const attributes = { type: "button", role: "tab", "aria-controls": panel.id, "data-language": language };
    return element("button", { ...attributes, translate: "no" }, language);
  });
  const heading = samples.previousElementSibling?.textContent ?? "";
  samples.prepend(element("div", { role: "tablist", "aria-label": heading }, ...tabs));
  const select = (language: string | undefined) => {
    for (const tab of tabs) {
      const isChosen = tab.dataset.language === language;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    for (const panel of panels) panel.hidden = panel.dataset.language !== language;
  };
  select(panels[0]?.dataset.language);
  return select;
}

const COPIED_MS = 1_500;

/** A browser gives the clipboard to pages of secure addresses only; elsewhere there is no button. */
export function enableCopying(): void {
  if (navigator.clipboard === undefined) return;
  for (const button of findAll(".copy")) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? "");
      button.textContent = say("copied");
      setTimeout(() => {
        button.textContent = label;
      }, COPIED_MS);
    });
  }
}

// Examples: tabs for the languages of programs, buttons that copy, and the address under which the reader really came.

import { element } from "./elements.js";
import { say } from "./messages.js";

/** The server knows the address only as well as the proxies before it tell. */
export function setOrigin() {
  for (const place of document.querySelectorAll("[data-origin]")) place.textContent = location.origin;
  for (const place of document.querySelectorAll("[data-address]")) {
    const { pathname, search } = new URL(place.textContent, location.href);
    place.textContent = `${location.origin}${decodeURI(pathname)}${search}`;
  }
}

/** Shows the examples of an endpoint for another request. `format` is `json` or `csv`. */
export function updateSamples(samples, path, format) {
  for (const place of samples.querySelectorAll("[data-address]"))
    place.textContent = `${location.origin}${path}`;
  for (const variant of samples.querySelectorAll("[data-format]")) {
    variant.hidden = variant.dataset.format !== format;
  }
}

/** One example at a time; the choice of a language holds for all endpoints. Arrow keys move between the tabs. */
export function enableTabs() {
  const groups = [...document.querySelectorAll(".samples")].map((samples, index) =>
    buildTabs(samples, index),
  );
  const choose = (language) => {
    for (const select of groups) select(language);
  };
  for (const tab of document.querySelectorAll("[role=tab]")) {
    tab.addEventListener("click", () => choose(tab.dataset.language));
    tab.addEventListener("keydown", (event) => {
      const tabs = [...tab.parentElement.children];
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined) return;
      const next = tabs.at((tabs.indexOf(tab) + step) % tabs.length);
      choose(next.dataset.language);
      next.focus();
    });
  }
}

function buildTabs(samples, index) {
  const panels = [...samples.children];
  const tabs = panels.map((panel, position) => {
    const { language } = panel.dataset;
    panel.id = `sample-${index}-${position}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-label", language);
    panel.querySelector(".sample-language").remove();
    const attributes = { type: "button", role: "tab", "aria-controls": panel.id, "data-language": language };
    return element("button", { ...attributes, translate: "no" }, language);
  });
  const heading = samples.previousElementSibling.textContent;
  samples.prepend(element("div", { role: "tablist", "aria-label": heading }, ...tabs));
  const select = (language) => {
    for (const tab of tabs) {
      const isChosen = tab.dataset.language === language;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    for (const panel of panels) panel.hidden = panel.dataset.language !== language;
  };
  select(panels[0].dataset.language);
  return select;
}

const COPIED_MS = 1_500;

/** A browser gives the clipboard to pages of secure addresses only; elsewhere there is no button. */
export function enableCopying() {
  if (navigator.clipboard === undefined) return;
  for (const button of document.querySelectorAll(".copy")) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.previousElementSibling.textContent);
      button.textContent = say("copied");
      setTimeout(() => {
        button.textContent = label;
      }, COPIED_MS);
    });
  }
}

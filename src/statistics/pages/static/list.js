// A list that the reader can search. The search is part of the address, so that it can be shared.
import { offerDownloads } from "./downloads.js";
import { language, say } from "./messages.js";

/**
 * @param items all there are, in the order of the list
 * @param entryOf the element of an item
 * @param textOf the text in which the search looks for each of its words
 * @param isChosen whether the other controls of the search select an item
 * @param count says how many are shown
 * @param rowOf gives the row of an item in the download
 * @param download as `offerDownloads` takes it, without rows
 * @returns how many are shown, in words
 */
export function showList({ items, entryOf, textOf, isChosen = () => true, count, rowOf, download }) {
  const part = document.getElementById("list");
  const form = document.getElementById("search");
  const state = part.querySelector(".state");
  const drawing = part.querySelector(".drawing");
  const entries = items.map((item) => ({ item, entry: entryOf(item), text: fold(textOf(item)) }));
  restore(form);
  const show = () => {
    const words = fold(form.elements.q.value).split(/\s+/).filter(Boolean);
    const found = entries.filter(
      ({ item, text }) => words.every((word) => text.includes(word)) && isChosen(item, form.elements),
    );
    drawing.hidden = found.length === 0;
    drawing.querySelector(".entries").replaceChildren(...found.map(({ entry }) => entry));
    offerDownloads(part, { ...download, rows: found.map(({ item }) => rowOf(item)) });
    return found.length === 0 ? say("noMatch") : count(found.length);
  };
  form.addEventListener("input", () => {
    keep(form);
    state.textContent = show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  return show();
}

/** Neither case nor accents make a difference. */
function fold(text) {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase(language);
}

function restore(form) {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const control = form.elements.namedItem(name);
    if (control !== null) control.value = value;
  }
}

function keep(form) {
  const chosen = [...form.elements]
    .filter(({ value }) => value !== "")
    .map(({ name, value }) => [name, value]);
  const query = new URLSearchParams(chosen).toString();
  history.replaceState(null, "", query === "" ? location.pathname : `?${query}`);
}

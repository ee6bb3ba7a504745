import { keepChoices, restoreChoices } from "./choices.ts";
import { control, find, findOf } from "./elements.ts";
import { type Download, offerDownloads } from "./figure.ts";
import { language, say } from "./messages.ts";

type ShownList<Item> = {
  /** All there are, in the order of the list. */
  readonly items: readonly Item[];
  readonly entryOf: (item: Item) => HTMLElement;
  /** The text in which the search looks for each of its words. */
  readonly textOf: (item: Item) => string;
  /** Whether the other controls of the search select an item. */
  readonly isChosen?: (item: Item, form: HTMLFormElement) => boolean;
  /** Says how many are shown. */
  readonly count: (count: number) => string;
  /** The row of an item in the download. */
  readonly rowOf: (item: Item) => object;
  readonly download: Omit<Download, "rows">;
};

/**
 * Shows a list that the reader can search. The search is part of the address, so that it can be shared.
 * @returns how many are shown, in words
 */
export function showList<Item>(list: ShownList<Item>): string {
  const { items, entryOf, textOf, isChosen = () => true, count, rowOf, download } = list;
  const part = find("#list");
  const form = findOf(HTMLFormElement, "#search");
  const state = find(".state", part);
  const drawing = find(".drawing", part);
  const entries = items.map((item) => ({ item, entry: entryOf(item), text: fold(textOf(item)) }));
  restoreChoices(form);
  const show = () => {
    const words = fold(control(form, "q")?.value ?? "")
      .split(/\s+/)
      .filter(Boolean);
    const found = entries.filter(
      ({ item, text }) => words.every((word) => text.includes(word)) && isChosen(item, form),
    );
    drawing.hidden = found.length === 0;
    find(".entries", drawing).replaceChildren(...found.map(({ entry }) => entry));
    offerDownloads(part, { ...download, rows: found.map(({ item }) => rowOf(item)) });
    return found.length === 0 ? say("noMatch") : count(found.length);
  };
  form.addEventListener("input", () => {
    keepChoices(form);
    state.textContent = show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  return show();
}

/** Neither case nor accents make a difference. */
function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase(language);
}

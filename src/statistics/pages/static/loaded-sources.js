// What the instance has loaded, source by source.
import { element, tableRow } from "./elements.js";
import { formatDay, say } from "./messages.js";

const STATES = { "never loaded": "neverLoaded", current: "current", stale: "stale" };

/** Fills and shows the table. */
export function showLoadedSources(overview) {
  const place = document.getElementById("loaded");
  const names = new Map(overview.meta.sources.map(({ id, name }) => [id, name]));
  place.querySelector(".dataset-version").textContent = overview.meta.dataset_version;
  place
    .querySelector("tbody")
    .replaceChildren(...overview.data.freshness.map((source) => sourceRow(source, names.get(source.source))));
  place.hidden = false;
}

/** Beside its name a source has its identifier: in the synthetic set all have one name. */
function sourceRow({ source, status, retrieved_at, newest_record }, name) {
  const word = element("span", { class: `status ${STATES[status]}` }, say(STATES[status]));
  const title = element("span", {}, element("bdi", { lang: "en" }, name));
  title.append(element("code", { dir: "ltr", class: "source-id" }, source));
  return tableRow([
    title,
    retrieved_at === null ? "–" : formatDay(retrieved_at),
    recordText(newest_record),
    word,
  ]);
}

/** A date, or only a year. */
function recordText(record) {
  if (record === null) return "–";
  return record.length === 4 ? record : formatDay(record);
}

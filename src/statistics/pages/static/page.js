// Common to all pages: languages, examples, and the parts that are filled from the API of the same instance.
import { isNeverLoaded, readApi, readOverview } from "./api.js";
import { say, tag } from "./messages.js";
import { enableCopying, setOrigin } from "./samples.js";

/** @param fillings fill the parts of the page that need data, each from the index of the API */
export async function showPage(...fillings) {
  setOrigin();
  enableCopying();
  keepPlace();
  enableCountryChoice();
  // Screen readers wait with the page until it is filled.
  const main = document.getElementById("main");
  main.ariaBusy = "true";
  if (document.getElementById("synthetic")) await fillWithData(fillings);
  main.ariaBusy = "false";
}

async function fillWithData(fillings) {
  const places = document.querySelectorAll(".needs-data");
  try {
    const overview = await readOverview();
    const isEmpty = isNeverLoaded(overview);
    document.getElementById("never-loaded").hidden = !isEmpty;
    document.getElementById("synthetic").hidden = !overview.meta.dataset_version?.startsWith("demo-");
    for (const place of places) place.hidden = isEmpty;
    if (!isEmpty) await Promise.all(fillings.map((fill) => fill(overview)));
  } catch (error) {
    for (const place of places) place.hidden = true;
    const notice = document.getElementById("unreadable");
    notice.textContent = say("failed", { reason: error.message });
    notice.hidden = false;
  }
}

const asked = new WeakMap();

/**
 * Reads what a part of the page shows. Its state says that, then what `show` returns as a remark, or why it failed. An answer
 * that comes after the part has asked for another is not shown.
 */
export async function fillPart(part, address, show) {
  const state = part.querySelector(".state");
  state.textContent = say("loading");
  asked.set(part, address);
  try {
    const answer = await readApi(address);
    if (asked.get(part) === address) state.textContent = show(answer) ?? "";
  } catch (error) {
    state.textContent = say("failed", { reason: error.message });
  }
}

/** The address of the page of a country in the language of this page. */
export function countryPath(code) {
  return `/countries/${code}/${tag}`;
}

function enableCountryChoice() {
  const form = document.getElementById("choose-country");
  if (form === null) return;
  form.querySelector("button").disabled = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(countryPath(form.elements.country.value));
  });
}

/** Links to other languages keep the place in the page, and the list closes when the reader goes on. */
function keepPlace() {
  const list = document.querySelector("details.languages");
  for (const link of list.querySelectorAll("a")) {
    link.addEventListener("click", () => {
      link.hash = location.hash;
      link.search = location.search;
    });
  }
  document.addEventListener("click", (event) => {
    if (!list.contains(event.target)) list.open = false;
  });
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !list.open) return;
    list.open = false;
    list.querySelector("summary").focus();
  });
}

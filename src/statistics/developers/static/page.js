// The script of the page: what it draws and sends, it asks of the API of the same instance.
import { showCitation } from "./citation.js";
import { showLoadedSources } from "./loaded-sources.js";
import { showNewsChart } from "./news-chart.js";
import { showRatesChart } from "./rates-chart.js";
import { enableCopying, enableTabs, setOrigin } from "./samples.js";
import { enableTrying } from "./try-it.js";

setOrigin();
enableTabs();
enableCopying();
enableTrying();
keepPlace();
closeTables();
await showData();

/** Screen readers wait with the charts until they are there. */
async function showData() {
  const look = document.getElementById("look");
  look.ariaBusy = "true";
  await Promise.all([showRatesChart(), showNewsChart(), showLoadedSources(), showCitation()]);
  look.ariaBusy = "false";
}

/** The same part of the page in another language; and the list closes when the reader goes on. */
function keepPlace() {
  const list = document.querySelector("details.languages");
  for (const link of list.querySelectorAll("a")) {
    link.addEventListener("click", () => {
      link.hash = location.hash;
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

/** On a phone the tables of fields would be most of the page; what leads to one opens it again. */
function closeTables() {
  if (!matchMedia("(max-width: 44rem)").matches) return;
  for (const table of document.querySelectorAll("details.fields")) table.open = false;
  addEventListener("hashchange", openTarget);
  openTarget();
}

function openTarget() {
  const target = document.getElementById(location.hash.slice(1))?.closest("details.fields");
  if (target) target.open = true;
}

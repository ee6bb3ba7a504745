// The script of the page for developers.
import { showPage } from "./page.js";
import { enableTabs } from "./samples.js";
import { enableTrying } from "./try-it.js";

enableTabs();
enableTrying();
closeTables();
await showPage();

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

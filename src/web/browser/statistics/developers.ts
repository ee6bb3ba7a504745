// The script of the page for developers.
import { showPage } from "./page.ts";
import { enableTabs } from "./samples.ts";
import { enableTrying } from "./try-it.ts";

enableTabs();
enableTrying();
closeTables();
await showPage();

/** On a phone the tables of fields would fill most of the page, so they start closed. A link to one opens it. */
function closeTables(): void {
  if (!matchMedia("(max-width: 44rem)").matches) return;
  for (const table of document.querySelectorAll<HTMLDetailsElement>("details.fields")) table.open = false;
  addEventListener("hashchange", openTarget);
  openTarget();
}

function openTarget(): void {
  const target = document
    .getElementById(location.hash.slice(1))
    ?.closest<HTMLDetailsElement>("details.fields");
  if (target) target.open = true;
}

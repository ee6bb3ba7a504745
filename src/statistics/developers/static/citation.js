// Puts what is loaded, and today's date, into the citations.
import { readOverview } from "./api.js";

export async function showCitation() {
  const overview = await readOverview().catch(() => undefined);
  if (overview === undefined) return;
  const values = {
    version: overview.meta.dataset_version,
    window: overview.data.windows.find(({ default: isDefault }) => isDefault)?.id,
    date: new Date().toISOString().slice(0, 10),
  };
  for (const place of document.querySelectorAll("[data-cite]")) {
    place.textContent = values[place.dataset.cite] ?? place.textContent;
  }
}

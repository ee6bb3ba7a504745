// Puts what is loaded, and today's date, into the citations.

export function showCitation({ meta, data }) {
  const values = {
    version: meta.dataset_version,
    window: data.windows.find(({ default: isDefault }) => isDefault)?.id,
    date: new Date().toISOString().slice(0, 10),
  };
  for (const place of document.querySelectorAll("[data-cite]")) {
    place.textContent = values[place.dataset.cite] ?? place.textContent;
  }
}

// Reads the API of this instance.

/** What a path answers with, as JSON. Throws Error with the problem's own words when it is no success. */
export async function readApi(path) {
  const response = await fetch(path, { headers: { Accept: "application/json" } });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail ?? String(response.status));
  return answer;
}

let overview;

/** The index, asked for once: pages and try-it forms need it. */
export function readOverview() {
  overview ??= readApi("/v1/");
  return overview;
}

/** Whether nothing has been loaded; the page then says how it is done. */
export function isNeverLoaded({ meta }) {
  return meta.generated_at === null;
}

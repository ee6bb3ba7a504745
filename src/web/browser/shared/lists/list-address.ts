/** `search` with other values, in the form that an address has: empty, or with its question mark. */
export function changedQuery(search: string, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  return query.size === 0 ? "" : `?${query}`;
}

/** The page of a list that the address names, from 1; anything else than a number is the first. */
export function pageNumber(query: URLSearchParams): number {
  const text = query.get("page") ?? "";
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}

import type { CheckRow } from "../../../../client/index.ts";

/** What a check is called in a list: its title, or how its text begins. */
export function checkName({ title, query_text_preview: preview }: CheckRow): string {
  if (title !== null) return title;
  const words = preview.trim().replace(/\s+/g, " ");
  return words === "" ? "Untitled check" : `“${words}…”`;
}

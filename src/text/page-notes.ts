/** What is worth knowing about how the text of pages was read, under its names in the contract. */
export const PAGE_NOTE_KINDS = ["no_text", "unreadable_font", "ocr"] as const;

/**
 * Pages of a PDF by number, from 1 and ascending, whose text was not read, or not wholly: they are pictures, or their fonts have no character map.
 * `ocr`: they were such pages, and OCR has read them.
 */
export type PageNote = { readonly kind: (typeof PAGE_NOTE_KINDS)[number]; readonly pages: readonly number[] };

/** Whether the text of some pages is missing. */
export function hasUnreadPages(notes: readonly PageNote[]): boolean {
  return notes.some(({ kind }) => kind !== "ocr");
}

/** `page 3`, `pages 1–4 and 7`. */
export function pageList(pages: readonly number[]): string {
  return `${pages.length === 1 ? "page" : "pages"} ${new Intl.ListFormat("en").format(pageRanges(pages))}`;
}

/** Pages that follow each other as one range: `1–4`, `7`. */
export function pageRanges(pages: readonly number[]): string[] {
  const ranges: [first: number, last: number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
}

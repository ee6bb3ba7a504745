/** One article of the sample: clean prose, its paragraphs separated by one empty line each. */
export type SampleArticle = {
  readonly title: string;
  readonly text: string;
  /** The exact revision that the text was taken from. */
  readonly sourceUrl: string;
  /** The title as a file name that every usual file system takes. */
  readonly filename: string;
};

/** A page's wikitext at one revision, wherever it was read. */
export type WikiPage = { readonly title: string; readonly revision: number; readonly wikitext: string };

const REVISION_URL = "https://en.wikipedia.org/w/index.php?oldid=";

/** File systems take names of 255 bytes; a character of UTF-8 has up to four, and `.txt` is added. */
const FILENAME_CHARS_MAX = 60;

/** Joins a page with the prose that was made of it. */
export function sampleArticle(page: WikiPage, text: string): SampleArticle {
  return {
    title: page.title,
    text,
    sourceUrl: `${REVISION_URL}${page.revision}`,
    filename: sampleFilename(page.title),
  };
}

/**
 * The title with whatever a path or a shell could take amiss replaced by `_`: `AC/DC` gives `AC_DC.txt`.
 * The sample's file names differ from each other, two of them (Algol and ALGOL) in letter case only.
 */
export function sampleFilename(title: string): string {
  const safe = title.normalize("NFC").replace(/[^\p{L}\p{M}\p{N} ,.()'&+-]/gu, "_");
  return `${[...safe]
    .slice(0, FILENAME_CHARS_MAX)
    .join("")
    .replace(/^[. ]+|[. ]+$/g, "_")}.txt`;
}

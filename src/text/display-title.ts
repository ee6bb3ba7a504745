/** Code points of a text's beginning that lists keep. */
const PREVIEW_CHARS = 120;

/** The beginning of a text as lists have it: its first 120 code points, unchanged. */
export function textPreview(text: string): string {
  return [...text.slice(0, 2 * PREVIEW_CHARS)].slice(0, PREVIEW_CHARS).join("");
}

/** Code points of the first words that stand for a title: a line of a list. */
const FIRST_WORDS_CHARS = 60;

/**
 * The name of a text wherever one is shown: its title, otherwise its first words. They depend only on the preview, so that lists,
 * which have no more of a text, and reports agree. Only a text that begins with 120 invisible characters is "Untitled".
 * @param text all of it, or its preview
 */
export function displayTitle(title: string | null, text: string): string {
  return title ?? (firstWords(textPreview(text)) || "Untitled");
}

function firstWords(preview: string): string {
  const line = preview.toWellFormed().replace(INVISIBLE, "").replace(BLANK, " ").trim();
  if (line === "") return "";
  const isWhole = [...preview].length < PREVIEW_CHARS;
  if (isWhole && [...line].length <= FIRST_WORDS_CHARS) return line;
  return `${wholeWords(line).replace(OPEN_END, "")}…`;
}

/** As many whole words as fit, or the beginning of a single longer one. */
function wholeWords(line: string): string {
  const short = [...line].slice(0, FIRST_WORDS_CHARS).join("");
  if (short === line) return line;
  const words = [...WORDS.segment(line)].filter(
    ({ index, segment }) => index + segment.length <= short.length,
  );
  const last = words.at(-1);
  return last === undefined ? short : line.slice(0, last.index + last.segment.length);
}

/** Chinese, Japanese and Thai words come from ICU's dictionaries in every locale. */
const WORDS = new Intl.Segmenter("en", { granularity: "word" });

/** Characters that are not visible and join nothing; direction controls would also disorder the text around a name. */
const INVISIBLE = /[\p{Bidi_C}\u00ad\u200b\u2060\ufeff]/gu;

const BLANK = /[\s\p{Cc}]+/gu;

/** Spaces and signs before an ellipsis, except closing ones: `“Yes,` becomes `“Yes…`. */
const OPEN_END = /[\s,;:.·–—\-([{«‹„¿¡、，。；：（「『《]+$/u;

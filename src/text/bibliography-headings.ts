import sectionTitles from "./section-titles.json" with { type: "json" };

/** The parts of a line that may be a heading. */
export type HeadingLine = {
  /** 1 (highest) to 6 where markup says that the line is a heading; undefined for a plain line. */
  readonly level: number | undefined;
  /** The number before the title as its parts: `[8, 1]` for "8.1 Details"; empty without one. */
  readonly number: readonly number[];
  /** The punctuation after the number. */
  readonly numberEnd: string;
  /** Whether the line names itself a chapter: "Chapter 9 …", "第八章 …". */
  readonly isChapter: boolean;
  readonly title: string;
};

/** The longest heading, in UTF-16 units: "Appendix B: …" with a title of ten words has about 80. */
const HEADING_UNITS_MAX = 100;
const TITLE_WORDS_MAX = 8;

const ATX = /^(#{1,6})\s+(.*?)\s*#*$/;
const WIKI = /^(={1,6})\s*([^=].*?)\s*\1$/;
const UNDERLINE = /^\s{0,3}(?:={3,}|-{3,}|~{3,})\s*$/;
const DECORATION = /^[*_[【［〔<《\s]+|[*_\]】］〕>》:：\s]+$/g;
const NUMBER = /^(\d{1,3}(?:\.\d{1,2}){0,3})([.)．]?)\s+(?=\S)/;
const OTHER_NUMBER =
  /^(?:(?:[IVXLC]{1,6}|[A-Z])[.)]\s+|[IVXLC]{2,6}\s+|第?[一二三四五六七八九十]{1,3}[、.．章节節]\s*|\d{1,2}[.．、]?(?=\p{scx=Han}))/u;
const LABEL =
  /(?:(?:\s+(?:\p{L}|\d{1,2}|[IVX]{1,4})|(?<=\p{Lo})\s*(?:[A-Z]|\d{1,2}|[一二三四五六七八九十]))(?:\s*[.:：–—-].*)?|\s*[.:：–—-]\s.*)$/u;
const CHAPTER =
  /^(?:chapter|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk|rozdział|kapitola|глава|розділ|bölüm)\s+(?:\d+|[ivxlc]+)\b|^第\s?(?:\d{1,3}|[一二三四五六七八九十]{1,3})\s?[章节節部]/iu;
const ENTRY_PUNCTUATION = /[.,;()?!"“”„«»\d/@&]/;

/** The parts of a line short enough for a heading. Markup: `## Title`, `== Title ==`, or a `nextLine` of `===`, `---` or `~~~`. */
export function readHeading(line: string, nextLine: string): HeadingLine | undefined {
  const text = line.replace(/\p{Cf}/gu, "").trim();
  if (text === "" || text.length > HEADING_UNITS_MAX) return undefined;
  const markup = ATX.exec(text) ?? WIKI.exec(text);
  const level = markup?.[1]?.length ?? underlineLevel(text, nextLine);
  const bare = (markup?.[2] ?? text).replace(DECORATION, "");
  const numbered = NUMBER.exec(bare);
  const rest = numbered === null ? bare.replace(OTHER_NUMBER, "") : bare.slice(numbered[0].length);
  return {
    level,
    number: numbered?.[1]?.split(".").map(Number) ?? [],
    numberEnd: numbered?.[2] ?? "",
    isChapter: CHAPTER.test(bare),
    title: rest.replace(DECORATION, ""),
  };
}

/** Whether the whole title means a list of works in some language. */
export function isBibliographyTitle(title: string): boolean {
  return BIBLIOGRAPHY_KEYS.has(headingKey(title));
}

/** Whether the title belongs to another part of a text: "Anhang", "Appendix B: Proofs". */
export function isOtherSectionTitle(title: string): boolean {
  if (OTHER_SECTION_KEYS.has(headingKey(title))) return true;
  const unlabelled = title.replace(LABEL, "");
  return unlabelled !== title && OTHER_SECTION_KEYS.has(headingKey(unlabelled));
}

/** Whether a numbered line reads like a title: few words, a capital first, and no punctuation or figures as in an entry. */
export function readsLikeTitle(title: string): boolean {
  return (
    startsLikeTitle(title) && !ENTRY_PUNCTUATION.test(title) && title.split(/\s+/).length <= TITLE_WORDS_MAX
  );
}

/** Whether a title begins with a letter that is not lower case. */
export function startsLikeTitle(title: string): boolean {
  return /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(title);
}

/** The title without case, accents, white space and invisible characters. */
function headingKey(title: string): string {
  return title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}\s]/gu, "");
}

/** A row of dashes under a line that ends like a sentence or an entry is a rule and no underline. */
function underlineLevel(text: string, nextLine: string): number | undefined {
  if (!UNDERLINE.test(nextLine) || /[.,;]$/.test(text) || /^[-=~*_\s]+$/.test(text)) return undefined;
  return nextLine.trimStart().startsWith("=") ? 1 : 2;
}

/** Headings of a list of works. `headingKey` ignores case, accents and white space, so one spelling is enough. */
const BIBLIOGRAPHY_KEYS: ReadonlySet<string> = keysOf(sectionTitles.bibliography);
/** Headings of parts that follow a bibliography, or that follow a table of contents at the start of a text. */
const OTHER_SECTION_KEYS: ReadonlySet<string> = keysOf(sectionTitles.otherSections);

function keysOf(byLanguages: Readonly<Record<string, readonly string[]>>): ReadonlySet<string> {
  return new Set(Object.values(byLanguages).flat().map(headingKey));
}

import {
  type HeadingLine,
  isBibliographyTitle,
  isOtherSectionTitle,
  readHeading,
  startsLikeTitle,
} from "../../text/bibliography-headings.ts";
import { joinSpans, lines, type Span } from "../../text/span.ts";

/** What an operator leaves out of all reports. */
export type StandingExclusions = {
  readonly sources: readonly string[];
  readonly collections: readonly string[];
  readonly phrases: readonly string[];
  /** Names of `SECTIONS`, or headings as they stand in texts. */
  readonly sections: readonly string[];
};

/** Sections that are named in several ways, by a name of this file. */
const SECTIONS: Readonly<Record<string, RegExp>> = {
  declaration:
    /^(?:(?:statutory |honou?r |author['’]?s )?declaration|(?:statement|declaration) of (?:authorship|originality|independent work|academic integrity).*|affidavit|(?:eidesstattliche |ehrenwörtliche )?(?:erklärung|versicherung)|eigenständigkeitserklärung|selbst(?:st)?ändigkeitserklärung|déclaration (?:sur l['’]honneur|de non[- ]plagiat|d['’]authenticité)|attestation sur l['’]honneur|declaración (?:jurada|de (?:autoría|originalidad|autenticidad)).*)$/iu,
  abstract:
    /^(?:abstract|summary|executive summary|zusammenfassung|kurzfassung|abstrakt|résumé|sommaire|resumen|resum|sintesi|riassunto|samenvatting|streszczenie|resumo|аннотация|реферат|摘要|要旨|초록)$/iu,
  methods:
    /^(?:(?:materials? and )?methods?(?: and materials?)?|methodology|methodik|methoden?|methodisches vorgehen|material und methoden|méthodes?|méthodologie|matériel et méthodes|métodos?|metodología|material(?:es)? y métodos|metodi|metodologia|методы|методика|方法)$/iu,
};

/** Where a text may begin whose title page is left out. */
const FIRST_SECTION =
  /^(?:(?:table of )?contents|introduction|preface|acknowledg(?:e)?ments|inhalt(?:sverzeichnis)?|einleitung|einführung|vorwort|danksagung|table des matières|sommaire|introduction|avant-propos|remerciements|índice|contenido|introducción|prólogo|agradecimientos)$/iu;

/** A title page is no longer, in UTF-16 units. */
const TITLE_PAGE_UNITS_MAX = 3_000;
const HEADING_WORDS_MAX = 10;

type Heading = Span & { readonly line: HeadingLine };

/** The text of the phrases and sections that are left out: ascending, disjoint UTF-16 spans. Linear in the text for each phrase. */
export function standingText(
  text: string,
  { phrases, sections }: Pick<StandingExclusions, "phrases" | "sections">,
): Span[] {
  return joinSpans([...phrases.flatMap((phrase) => placesOf(phrase, text)), ...sectionSpans(text, sections)]);
}

/** Where a phrase stands, in any case and with any white space between its words. */
function placesOf(phrase: string, text: string): Span[] {
  const words = phrase
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  if (words.join("") === "") return [];
  return Array.from(text.matchAll(new RegExp(words.join("\\s+"), "gi")), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
}

function sectionSpans(text: string, sections: readonly string[]): Span[] {
  if (sections.length === 0) return [];
  const headings = headingsOf(text);
  const spans: Span[] = [];
  for (const section of sections) {
    if (section === "title_page") spans.push(...titlePage(headings));
    else
      for (const [at, heading] of headings.entries())
        if (isNamed(heading.line.title, section))
          spans.push({ start: heading.start, end: endOf(at, headings, text) });
  }
  return spans;
}

function isNamed(title: string, section: string): boolean {
  return SECTIONS[section]?.test(title) ?? title.toLowerCase() === section.trim().toLowerCase();
}

/** The text before the first section that is no part of a title page. */
function titlePage(headings: readonly Heading[]): Span[] {
  const first = headings.find(
    ({ line }) =>
      line.number.length > 0 ||
      FIRST_SECTION.test(line.title) ||
      Object.values(SECTIONS).some((names) => names.test(line.title)),
  );
  return first !== undefined && first.start > 0 && first.start <= TITLE_PAGE_UNITS_MAX
    ? [{ start: 0, end: first.start }]
    : [];
}

/** The end of the section of a heading: the next heading that is no part of it. */
function endOf(at: number, headings: readonly Heading[], text: string): number {
  const own = headings[at]?.line;
  const next = headings.slice(at + 1).find(({ line }) => {
    if (own?.level !== undefined && line.level !== undefined) return line.level <= own.level;
    const [first, ...parts] = own?.number ?? [];
    // "3.1 Sample" is a part of "3 Methods".
    return first === undefined || line.number[0] !== first || line.number.length <= parts.length + 1;
  });
  return next?.start ?? text.length;
}

/** Lines that are headings by markup, by number or name, or because they are short and set apart. */
function headingsOf(text: string): Heading[] {
  const headings: Heading[] = [];
  let followsBlank = true;
  let before: Span | undefined;
  const read = ({ start, end }: Span, next: string) => {
    const content = text.slice(start, Math.min(end, start + LINE_UNITS_MAX));
    const line = readHeading(content, next);
    if (line !== undefined && (line.level !== undefined || isSetApart(line, content, next, followsBlank)))
      headings.push({ start, end, line });
    followsBlank = content.trim() === "";
  };
  for (const line of lines(text)) {
    if (before !== undefined)
      read(before, text.slice(line.start, Math.min(line.end, line.start + LINE_UNITS_MAX)));
    before = line;
  }
  if (before !== undefined) read(before, "");
  return headings;
}

const LINE_UNITS_MAX = 200;

function isSetApart(line: HeadingLine, content: string, next: string, followsBlank: boolean): boolean {
  if (!followsBlank || /[.,;!?]\s*$/.test(content)) return false;
  const { title } = line;
  const isKnown = [...Object.values(SECTIONS), FIRST_SECTION].some((names) => names.test(title));
  if (isKnown || isBibliographyTitle(title) || isOtherSectionTitle(title)) return true;
  return next.trim() === "" && startsLikeTitle(title) && title.split(/\s+/).length <= HEADING_WORDS_MAX;
}

import { bibliography, entryBlocks, referenceLists } from "../../text/bibliography.ts";
import { joinSpans, lines, overlappingSpans, type Span } from "../../text/span.ts";

/** A work in the bibliography. `number`: its label in brackets or before a full stop. */
export type BibliographyEntry = {
  readonly number: number | undefined;
  readonly surnames: ReadonlySet<string>;
  readonly years: readonly string[];
  /** Its words in lower case, joined by single spaces. */
  readonly words: string;
};

/** A place that refers to a work. `isSure`: it is a reference by its form, and the bibliography, if there is one, has the work. */
export type Citation = Span & { readonly isSure: boolean; readonly entries: readonly BibliographyEntry[] };

/** The citations of a text, ascending and disjoint, its bibliographies and their entries. */
type Citations = {
  readonly found: readonly Citation[];
  readonly bibliographies: readonly Span[];
  readonly entries: readonly BibliographyEntry[];
};

/** Finds the citations of a text outside its bibliography: in brackets, as marks of notes, and as lines that name a source. Linear. */
export function citationsIn(text: string): Citations {
  const bibliographies = joinSpans([...bibliography(text), ...referenceLists(text)]);
  const entries = bibliographies.flatMap(({ start, end }) => [...entriesOf(text.slice(start, end))]);
  const entryIndex = indexed(entries);
  const notes = notesOf(text, bibliography(text));
  const found: Citation[] = [];
  const add = (start: number, end: number, read: Read | undefined) => {
    const isTaken = overlappingSpans({ start, end }, bibliographies).length > 0;
    if (read !== undefined && !isTaken) found.push({ start, end, ...read });
  };
  for (const { 0: whole, 1: inner = "", index } of text.matchAll(BRACKETS)) {
    const before = text.slice(Math.max(0, index - BEFORE_UNITS), index);
    add(
      index,
      index + whole.length,
      readBracket(inner, { isSquare: /^[[［]/.test(whole), before, index: entryIndex, notes }),
    );
  }
  for (const { 0: mark, index } of text.matchAll(SUPERSCRIPT))
    add(index, index + mark.length, readNote(mark.normalize("NFKD"), notes) ?? POSSIBLE);
  for (const { 0: mark, index } of text.matchAll(GLUED_NUMBER))
    add(
      index,
      index + mark.length,
      readNote(mark, notes) ?? (/\p{L}/u.test(text[index - 1] ?? "") ? undefined : POSSIBLE),
    );
  for (const { 0: line, index } of text.matchAll(SOURCE_LINE)) add(index, index + line.length, SURE);
  for (const { 0: words, index } of text.matchAll(NAMED_IN_WORDS)) add(index, index + words.length, POSSIBLE);
  return { found: disjoint(found), bibliographies, entries };
}

type Read = Pick<Citation, "isSure" | "entries">;
const SURE: Read = { isSure: true, entries: [] };
const POSSIBLE: Read = { isSure: false, entries: [] };

/** The units before a bracket that may hold the author's name. */
const BEFORE_UNITS = 80;

const BRACKETS = /[([（［]([^()[\]（）［］]{1,240})[)\]）］]/g;
const SUPERSCRIPT = /(?<=\p{L}{3}|[\p{P}])[¹²³⁰⁴⁵⁶⁷⁸⁹]{1,3}/gu;
/** A raised number as PDFs give it: behind a word or its punctuation, without a space. */
const GLUED_NUMBER =
  /(?<=\p{Ll}{3}[.,;:!?]?\s?["”»“’')]|\p{Ll}{3}[.,;:!?]?|\p{Ll}{3}\s?["”»“’')][.,;:!?])\d{1,3}(?=[\s.,;:]|$)/gu;
const SOURCE_LINE =
  /(?<=^|[\s(])(?:Source|Quelle|Fuente|Fonte|Bron|Źródło|Источник|Zitiert nach|Quoted from|Cité d[’']après)\s?:\s*\S[^\n]{3,200}/gmu;
const BEFORE_NAMES =
  "according to|as|in the words of|following|selon|d[’']après|comme|según|conforme a|de acuerdo con|como|laut|gemäß|folgt man|secondo|volgens|segundo|według|по словам|согласно";
const BEHIND_NAMES =
  "zufolge|argues?|writes?|says|notes|claims|states|puts|observes|concludes|schreibt|betont|argumentiert|formuliert|meint|écrit|affirme|souligne|note|escribe|sostiene|afirma|señala";
const eitherCase = (words: string) =>
  words.replace(/(?<=^|\|)\p{Ll}/gu, (first) => `[${first}${first.toUpperCase()}]`);
/** Words that name an author without a year or page, and addresses. */
const NAMED_IN_WORDS = new RegExp(
  String.raw`(?<!\p{L})(?:(?:${eitherCase(BEFORE_NAMES)})\s+\p{Lu}[\p{L}.'’-]{0,30}(?:\s\p{Lu}[\p{L}.'’-]{0,30}){0,3}|\p{Lu}[\p{L}'’-]{1,30}\s{1,3}(?:${BEHIND_NAMES})(?!\p{L})|https?:\/\/\S+|doi:\s?\S+)`,
  "gu",
);

const YEAR = /(?<![\p{L}\d])(?:1[5-9]|20)\d{2}(?=[a-z]?(?![\p{L}\d]))/gu;
const NO_DATE =
  /(?:^|[\s,;])(?:n\.\s?d\.|o\.\s?J\.|s\.\s?[adf]\.|in press|forthcoming|im Erscheinen|à paraître|en prensa)/iu;
const YEARS_FROM_TO = /^\D{0,12}\d{3,4}\s?[–—-]\s?\d{2,4}\D{0,6}$/;
const PAGES = String.raw`(?:pp?|S|ss?|p[áa]gs?|fol|с|стр|Rn|Rz|Kap|ch(?:ap)?|sec|§|№)\.?\s?\d`;
const PAGE_ONLY = new RegExp(String.raw`^\s*(?:${PAGES})[\d\s–—,.f-]*$`, "iu");
const WITH_PAGES = new RegExp(String.raw`(?:^|[\s,;:(])(?:${PAGES})`, "u");
const AGAIN =
  /(?:^|[\s,;(])(?:ibid(?:em)?|ebd|ebenda|ib[íi]d|a\.\s?a\.\s?O|op\.\s?cit|loc\.\s?cit|там же)(?![\p{L}])/iu;
const SEE = /^\s*(?:vgl|cf|siehe|see|voir|véase|vid|s\.\s?a|ср|см)(?![\p{L}])\.?/iu;
const NUMBERS = /^\s*\d{1,3}(?:\s?[,;–—-]\s?\d{1,3})*(?:\s?[,:;]\s?[^,;]{1,30})?\s*$/;
const KEY = /^\s*\p{Lu}[\p{L}+]{0,8}\d{2}[a-z]?(?:\s?[,:;][^\]]*)?\s*$/u;
const MARK = /^\s*\^([\p{L}\d-]{1,20})\s*$/u;
const NUMBERS_ONLY = /^\s*\d{1,4}(?:\s?[–—-]\s?\d{1,4})?\s*$/;
const AUTHOR_PAGE = /^\D{2,80}[\s,:]\d{1,4}(?:\s?[–—-]\s?\d{1,4})?f{0,2}\.?\s*$/;
const NAMES_PAGE =
  /^\s*(?:(?:\p{Ll}{1,6}\.?\s){0,2})\p{Lu}[\p{L}'’-]+(?:(?:,\s|\s(?:and|&|und|u\.|et|y|e)\s|\/|\s)\p{Lu}[\p{L}'’-]+){0,3},?\s\d{1,4}(?:\s?[–—-]\s?\d{1,4})?\s*$/u;
const NO_REFERENCE =
  /[=%<>≈±×€$£°]|^\s*(?:figure|fig|table|tab|chapter|section|appendix|equation|eq|part|step|level|phase|note|box|abb(?:ildung)?|tabelle|kapitel|abschnitt|anhang|teil|schritt|figure|tableau|chapitre|partie|annexe|étape|figura|tabla|cuadro|cap[íi]tulo|parte|anexo|paso|рис|табл)(?![\p{L}])|\d\s?(?:k?m|cm|mm|kg|g|mg|h|min|s|ms|Hz|kWh?|MB|GB|l|ml|ha|years?|Jahren?|ans|años|items?|words?)\s*$|^\s*(?:\d|\p{L}|[ivx]{1,4})\s*$/iu;
const MONTHS_AND_WORDS: ReadonlySet<string> = new Set(
  (
    "january february march april may june july august september october november december januar februar märz mai juni juli oktober dezember " +
    "spring summer autumn fall winter frühjahr sommer herbst since from in until born seit vgl siehe cf see also voir véase und and et y"
  ).split(" "),
);

type Surroundings = {
  readonly isSquare: boolean;
  readonly before: string;
  readonly index: EntryIndex;
  readonly notes: Notes;
};

/** The entries by the surname of each author, and by number. */
type EntryIndex = {
  readonly isEmpty: boolean;
  readonly byName: ReadonlyMap<string, readonly BibliographyEntry[]>;
  readonly byNumber: ReadonlyMap<number, BibliographyEntry>;
};

function indexed(entries: readonly BibliographyEntry[]): EntryIndex {
  const byName = new Map<string, BibliographyEntry[]>();
  const byNumber = new Map<number, BibliographyEntry>();
  for (const [at, entry] of entries.entries()) {
    const number = entry.number ?? at + 1;
    if (!byNumber.has(number)) byNumber.set(number, entry);
    for (const name of entry.surnames) {
      const own = byName.get(name) ?? [];
      if (own.length < ENTRIES_OF_NAME_MAX) own.push(entry);
      byName.set(name, own);
    }
  }
  return { isEmpty: entries.length === 0, byName, byNumber };
}

/** Keeps a hostile list of works by one author from taking time at each citation. */
const ENTRIES_OF_NAME_MAX = 100;

function entriesBy(names: Iterable<string>, { byName }: EntryIndex): BibliographyEntry[] {
  return [...new Set([...names].flatMap((name) => byName.get(name) ?? []))];
}

/** Reads the content of brackets; undefined where they hold no reference. */
function readBracket(inner: string, at: Surroundings): Read | undefined {
  const { isSquare, index, notes } = at;
  const mark = isSquare ? MARK.exec(inner)?.[1] : undefined;
  if (mark !== undefined) return readNote(mark, notes) ?? POSSIBLE;
  if (AGAIN.test(inner) || PAGE_ONLY.test(inner) || (isSquare && KEY.test(inner))) return SURE;
  if (isSquare && NUMBERS.test(inner)) return readNumbers(inner, index);
  if (YEARS_FROM_TO.test(inner)) return undefined;
  const years = [...inner.matchAll(YEAR)].map(([year]) => year);
  if (years.length > 0 || NO_DATE.test(inner)) return readYears(inner, years, at);
  if (NO_REFERENCE.test(inner.replace(SEE, ""))) return undefined;
  return readAuthors(inner, at);
}

/** Names and pages without a year: "(Smith 45)", "(45)" behind a name. */
function readAuthors(inner: string, at: Surroundings): Read | undefined {
  const named = entriesBy(namesOf(inner), at.index);
  if (named.length > 0 && inner.length <= AUTHORS_UNITS_MAX) return { isSure: true, entries: named };
  if (NUMBERS_ONLY.test(inner) && !at.isSquare) return readPages(at);
  if (at.index.isEmpty && NAMES_PAGE.test(inner)) return SURE;
  return /\p{Nd}/u.test(inner) || SEE.test(inner) ? POSSIBLE : undefined;
}

/** "(Smith 45)" and "(Smith and Jones)" are short; a longer remark only mentions a name. */
const AUTHORS_UNITS_MAX = 60;

function readNumbers(inner: string, { isEmpty, byNumber }: EntryIndex): Read {
  const numbers = [...inner.replace(/[,:;]\s?\p{L}.*$/u, "").matchAll(/\d{1,3}/g)];
  const cited = numbers.flatMap(([number]) => byNumber.get(Number(number)) ?? []);
  return { isSure: isEmpty || cited.length > 0, entries: cited };
}

function readYears(
  inner: string,
  years: readonly string[],
  { before, index }: Surroundings,
): Read | undefined {
  const inside = namesOf(inner);
  const names =
    inside.length > 0 ? inside : namesOf(before.replace(/^.*[.!?]\s/s, "")).slice(-NAMES_BEFORE_MAX);
  if (names.length === 0) return /\p{Lo}/u.test(inner) || NUMBERS_ONLY.test(inner) ? POSSIBLE : undefined;
  const cited = entriesBy(names, index).filter(
    (entry) => years.length === 0 || entry.years.some((year) => years.includes(year)),
  );
  return { isSure: cited.length > 0 || (index.isEmpty && isBesideName(inner, before)), entries: cited };
}

/** "Smith and Jones (2001)": the names before a year in brackets. */
const NAMES_BEFORE_MAX = 3;

/** Whether a name and a year stand together: "(Smith 2001)", "Smith et al. (2001)". */
function isBesideName(inner: string, before: string): boolean {
  if (namesOf(inner).length > 0) return true;
  return /\p{Lu}[\p{L}'’-]+(?:\s(?:et al\.?|u\.\s?a\.|and others|y otros))?\s*$/u.test(before);
}

/** Pages alone belong to an author who is named before; without one, they may be any number. */
function readPages({ before, index }: Surroundings): Read {
  const cited = entriesBy(namesOf(before), index);
  return { isSure: cited.length > 0, entries: cited };
}

/** Capitalised words, or words of scripts without capitals, in lower case. */
export function namesOf(text: string): string[] {
  return [...text.matchAll(/(?<![\p{L}])[\p{Lu}\p{Lo}][\p{L}'’-]+/gu)]
    .map(([word]) => word.toLowerCase().replace(/[’']s$/, ""))
    .filter((word) => !MONTHS_AND_WORDS.has(word));
}

/** By the mark of a note, whether a note with this mark names a work. */
type Notes = ReadonlyMap<string, boolean>;

const NOTE = /^\s{0,3}(?:\[\^?([\p{L}\d-]{1,20})\]:?|(\d{1,3})[.)]?|([¹²³⁰⁴⁵⁶⁷⁸⁹]{1,3}))\s*(?=\S)(.{1,400})/u;

/** The lines that begin with the mark of a note. Several pages may each have a note 1. */
function notesOf(text: string, bibliographies: readonly Span[]): Notes {
  const notes = new Map<string, boolean>();
  for (const line of lines(text)) {
    if (overlappingSpans(line, bibliographies).length > 0) continue;
    const [, key, number, raised, content] =
      NOTE.exec(text.slice(line.start, Math.min(line.end, line.start + NOTE_UNITS_MAX))) ?? [];
    const mark = key ?? number ?? raised?.normalize("NFKD");
    if (mark !== undefined && content !== undefined)
      notes.set(mark, notes.get(mark) === true || readsLikeCitingNote(content));
  }
  return notes;
}

const NOTE_UNITS_MAX = 420;

/** A mark is a citation where the note names a work; undefined where no note has the mark. */
function readNote(mark: string, notes: Notes): Read | undefined {
  const cites = notes.get(mark);
  return cites === undefined ? undefined : cites ? SURE : POSSIBLE;
}

/** Whether the text of a note refers to a work: a year or pages with a name, "cf.", or "ibid." */
export function readsLikeCitingNote(text: string): boolean {
  if (AGAIN.test(` ${text}`) || SEE.test(text)) return true;
  return (
    namesOf(text).length > 0 &&
    (text.match(YEAR) !== null || WITH_PAGES.test(text) || AUTHOR_PAGE.test(text.trim()))
  );
}

function* entriesOf(section: string): Generator<BibliographyEntry> {
  for (const { start, end } of entryBlocks(section)) {
    const entry = section.slice(start, Math.min(end, start + ENTRY_UNITS_MAX));
    const years = [...entry.matchAll(YEAR)].map(([year]) => year);
    const label = /^\s*(?:\[(\d{1,3})\]|(\d{1,3})[.)])/.exec(entry);
    if (years.length === 0 && label === null && !NO_DATE.test(entry)) continue;
    const number = label?.[1] ?? label?.[2];
    const head = entry.slice(0, AUTHORS_HEAD_UNITS).split(/\(?(?:1[5-9]|20)\d{2}|["“„«:]/u)[0] ?? "";
    yield {
      number: number === undefined ? undefined : Number(number),
      surnames: new Set(namesOf(head).slice(0, AUTHORS_MAX)),
      years,
      words: wordsOf(entry),
    };
  }
}

const ENTRY_UNITS_MAX = 800;
/** The authors stand within the first units of an entry. */
const AUTHORS_HEAD_UNITS = 120;

/** An entry whose authors end with a comma goes on with its title. */
const AUTHORS_MAX = 6;

/** The words of a text in lower case, joined by single spaces. */
export function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

/** Ascending; of overlapping citations, the sure ones are kept, then the first. */
function disjoint(found: readonly Citation[]): Citation[] {
  const kept: Citation[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= one.start) kept.push(one);
    else if (one.isSure && !last.isSure) kept[kept.length - 1] = one;
  }
  return kept;
}

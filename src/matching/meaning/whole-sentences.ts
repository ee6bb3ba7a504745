import { sentences } from "../../text/chunk.ts";
import type { Span } from "../../text/span.ts";

/** A sentence that is compared by meaning, with its place in the text. */
export type PlacedSentence = { readonly span: Span; readonly text: string };

/** The sentences of a text that are compared by meaning, on one line each: line breaks in them come from the layout. */
export function placedSentences(text: string, language: string): PlacedSentence[] {
  return wholeSentences(text, language).map((span) => ({
    span,
    text: text.slice(span.start, span.end).replaceAll(/\s+/g, " "),
  }));
}

/**
 * The sentences of `text` that are compared by meaning, without the space around them. Unlike chunks, they are whole: one that
 * ICU ends after an abbreviation, an initial or an ordinal number is joined with the next. Headings, list items and other
 * fragments are left out, since two of them are often equal by chance.
 */
export function wholeSentences(text: string, language: string): Span[] {
  const whole: Span[] = [];
  let start: number | undefined;
  for (const span of sentences(text, language)) {
    start ??= span.start;
    const isParagraphEnd = BLANK_LINE.test(text.slice(span.start, span.end)) || span.end === text.length;
    const joined = trimmedSpan(text, start, span.end);
    if (!isParagraphEnd && goesOn(text.slice(joined.start, joined.end), language)) continue;
    whole.push(...parts(text, joined));
    start = undefined;
  }
  return whole.filter((span) => isSentence(text.slice(span.start, span.end)));
}

const BLANK_LINE = /(?:\r\n|\n|\r|\u2029)[^\S\n\r\u2029]*(?:[\n\r\u2029]|$)/;

function trimmedSpan(text: string, start: number, end: number): Span {
  const inner = text.slice(start, end);
  return { start: end - inner.trimStart().length, end: start + inner.trimEnd().length };
}

/**
 * Abbreviations, in lower case and without the last full stop, after which a sentence of one of the encoder's languages
 * often goes on with a capital letter. ICU's own lists have no effect in `Intl.Segmenter`.
 */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  [
    "dr mr mrs ms prof st sr jr rev gen col capt lt sgt hon gov sen rep pres vs cf ca approx dept est fig figs eq no nos vol vols pp ed eds e.g i.e viz jan feb mar apr jun jul aug sep sept oct nov dec inc ltd co corp al",
    "nr abb bd bde hrsg hg aufl ebd vgl bzw z.b d.h u.a v.a s.o s.u evtl ggf geb gest str hl ing dipl mag tab kap abs art anm jh jhs mio mrd",
    "mme mlle mgr p.ex av apr. env éd chap sra srta dra ud uds vd p.ej págs pág núm art dña sig sigg sig.ra dott dott.ssa ing avv on pag pagg es ecc",
    "exmo exma sr.a n.º dhr mevr drs mr ir bijv blz enz o.a m.a.w d.w.z nl i.v.m t.o.v",
    "mgr inż hab ul al np tzn tzw m.in ok ur zm im św pw ks por rys t.j r w",
    "г гг в вв им ул рис стр см др пр проф акад т.е т.д т.п напр д.р тыс млн млрд",
    "sn doç yrd bkz örn vb vd s yy m.ö m.s",
  ]
    .join(" ")
    .split(" "),
);

/** Languages that write an ordinal number with a full stop: "am 3. Mai". */
const ORDINAL_STOP: ReadonlySet<string> = new Set([
  "de",
  "pl",
  "tr",
  "da",
  "no",
  "nb",
  "nn",
  "fi",
  "cs",
  "sk",
  "hu",
]);

/** Whether a sentence that seems to end here goes on. */
function goesOn(sentence: string, language: string): boolean {
  if (!sentence.endsWith(".")) return false;
  const last = /([^\s([“"„«]+)\.$/u.exec(sentence.slice(-LAST_WORD_REACH))?.[1] ?? "";
  if (/^\p{L}$/u.test(last) || /^(?:\p{L}\.)+\p{L}$/u.test(last)) return true;
  if (/^\d{1,2}$/.test(last)) return ORDINAL_STOP.has(language);
  return ABBREVIATIONS.has(last.toLowerCase());
}

/** Longer words are no abbreviations. */
const LAST_WORD_REACH = 24;

/** In UTF-16 units: longer ones are lists, tables or text without full stops, as Thai is, and are divided at spaces. */
const SENTENCE_LENGTH_MAX = 600;
const PART_LENGTH = 200;

function parts(text: string, { start, end }: Span): Span[] {
  const isThai = /\p{Script=Thai}/u.test(text.slice(start, Math.min(end, start + PART_LENGTH)));
  const lengthMax = isThai ? THAI_PART_LENGTH : SENTENCE_LENGTH_MAX;
  const length = isThai ? THAI_PART_LENGTH : PART_LENGTH;
  if (end - start <= lengthMax) return [{ start, end }];
  const divided: Span[] = [];
  for (let from = start; from < end; ) {
    const space = text.slice(from + length, Math.min(end, from + 2 * length)).search(/\s/);
    const to = end - from <= 2 * length ? end : from + length + (space < 0 ? length : space);
    const part = trimmedSpan(text, from, to);
    if (part.end > part.start) divided.push(part);
    from = to;
  }
  return divided;
}

/** Thai puts a space between sentences and no full stop; a clause has some 60 letters. */
const THAI_PART_LENGTH = 80;

/** Fewer words say too little to tell a sentence from others on its subject. */
const WORDS_MIN = 5;
const LETTERS_MIN = 20;

/** Scripts without spaces say as much in a third of the letters. */
const UNSPACED_LETTERS_MIN = 10;

/** A line of at most this length without a full stop is a heading, a caption or a list item. */
const HEADING_WORDS_MAX = 12;

function isSentence(sentence: string): boolean {
  const unspaced = sentence.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu);
  if (unspaced !== null && unspaced.length * 2 > sentence.length)
    return unspaced.length >= UNSPACED_LETTERS_MIN;
  const words = sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  const letters = sentence.match(/\p{L}/gu)?.length ?? 0;
  if (words < WORDS_MIN || letters < LETTERS_MIN) return false;
  // More digits and signs than letters: a table, a formula or a reference.
  if (letters * 2 < sentence.replaceAll(/\s/g, "").length) return false;
  return words > HEADING_WORDS_MAX || /[.!?…।؟。！？:;]["'”’»“)\]]*$/u.test(sentence);
}

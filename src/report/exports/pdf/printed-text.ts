import { findLanguage, type LanguageTag } from "../../../http/languages/languages.ts";
import type { Texts } from "../../../http/languages/texts.ts";
import { outsidePair } from "../../../text/code-points.ts";
import type { Span } from "../../../text/span.ts";
import { visibleSigns } from "../../../text/visible-signs.ts";
import { MATCH_TYPES_CLOSEST_FIRST } from "../../figures/exclusive-spans.ts";
import { SOURCE_COLOURS } from "../../source-colours.ts";
import { matchTypeLabel } from "../../wording.ts";
import {
  lineSpans,
  type Mark,
  type NumberedPlace,
  type TextPiece,
  textPieces,
  type WireFlag,
} from "../text-pieces.ts";

/** What `shared.typ` needs to know of the language of a document's own words, and the colours of passages. */
export function ownFrame(language: LanguageTag) {
  return {
    "own-language": language,
    "own-rtl": findLanguage(language)?.direction === "rtl",
    "own-asian-fonts": asianFonts(language),
    colours: SOURCE_COLOURS.map(({ light: { mark, edge } }) => [mark, edge]),
  };
}

/** The words around the two numbers of "1 of 2". */
export function pageWords({ say }: Texts): string[] {
  return say("of", { part: "\n", whole: "\n" }).split("\n");
}

/** Fonts for Chinese characters. Chinese, Japanese and Korean print many of them differently. */
const CHINESE_FIRST = ["Noto Sans S Chinese", "Noto Sans Japanese", "Noto Sans Korean"];
const ASIAN_FONTS: Readonly<Record<string, readonly string[]>> = {
  ja: ["Noto Sans Japanese", "Noto Sans S Chinese", "Noto Sans Korean"],
  ko: ["Noto Sans Korean", "Noto Sans S Chinese", "Noto Sans Japanese"],
};

export function asianFonts(language: string): readonly string[] {
  return ASIAN_FONTS[language] ?? CHINESE_FIRST;
}

type MatchType = NumberedPlace["passage"]["match_type"];

/** On paper, and for people who do not see colours, a letter tells the kind; not "I", which looks like a 1. */
export const KINDS = {
  identical: { letter: "=", colour: "#1b1f26" },
  minor_changes: { letter: "C", colour: "#545d6b" },
  paraphrased: { letter: "P", colour: "#1f4fc4" },
  translated: { letter: "T", colour: "#7a4a00" },
} as const satisfies Record<MatchType, { readonly letter: string; readonly colour: string }>;

/** The letters of all kinds of matches, as a legend: `=: identical, C: …`. */
export function kindLetters(texts: Texts): string {
  return MATCH_TYPES_CLOSEST_FIRST.map(
    (type) => `${KINDS[type].letter}: ${matchTypeLabel(type, texts)}`,
  ).join(", ");
}

/** Labels of sources shown at one place; the others are counted. */
const LABELS_MAX = 6;

/** The beginning of a passage that stays with its label: up to a space, or one character of a script without spaces. */
const FIRST_WORD =
  /^(?:[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{1,24}(?=\s|$)|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/u;

/** A longer flag, in UTF-16 units, stands for many others, and its text is not marked. */
const MARKED_FLAG_LENGTH_MAX = 500;

/** A part of the text, or a sign in it: the code point of a character that shows nothing, or hidden text. */
type TextPart = string | { readonly code: string } | { readonly struck: string };

/** Strings, code points in place of characters that show nothing, and before them the text that is hidden there. */
function textParts(
  text: string,
  { start: pieceStart, flags: all }: Pick<TextPiece<PrintedPlace>, "start" | "flags">,
): TextPart[] {
  const flags = all.map(({ flag }) => flag);
  const marked = flags.filter(
    ({ start, end, hidden }) => hidden === undefined && end - start <= MARKED_FLAG_LENGTH_MAX,
  );
  const pieces = marked.length === 0 ? [{ text, code: undefined }] : visibleSigns(text, marked);
  const shown = pieces.flatMap(({ text: plain, code }): TextPart[] =>
    code === undefined ? breakable(printable(plain)) : [{ code }],
  );
  return [...flags.filter(({ end }) => end <= pieceStart).flatMap(struck), ...shown];
}

export function struck({ hidden }: WireFlag): TextPart[] {
  return hidden === undefined ? [] : [{ struck: printable(hidden.text) }];
}

/** The space of four characters for a tab, and a sign for other control characters, which fonts lack. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\t", "    ")
    .replaceAll(/\p{Cc}/gu, "\ufffd");
}

/** A word that may be longer than a line, in a script that is written with spaces. */
const LONG_WORD =
  /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{60}(?=\S)/gu;

/** Cuts long words; the layout may break lines between the parts. */
export function breakable(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: word, index } of text.matchAll(LONG_WORD)) {
    parts.push(text.slice(start, index + word.length));
    start = index + word.length;
  }
  return [...parts, text.slice(start)];
}

/** A text on which a reader sees every character. */
export function signs(text: string): string {
  return visibleSigns(text, [{ kind: "invisible_characters", detail: "" }])
    .map(({ text: plain, code }) => code ?? printable(plain))
    .join("");
}

/** The time for a paragraph grows faster than its length: 500,000 characters in one took nine seconds, in fifty one second. */
const LINE_LENGTH_MAX = 10_000;

/** The lines of a text; longer ones are divided at a space. */
export function* shortLines(text: string): Generator<Span> {
  for (const { start: first, end } of lineSpans(text)) {
    let start = first;
    while (end - start > LINE_LENGTH_MAX) {
      const space = text.lastIndexOf(" ", start + LINE_LENGTH_MAX);
      const cut = space > start ? space + 1 : outsidePair(text, start + LINE_LENGTH_MAX);
      yield { start, end: cut };
      start = cut;
    }
    yield { start, end };
  }
}

export type Directed = { readonly text: string; readonly rtl: boolean };

export function directed(text: string): Directed {
  return { text: signs(text), rtl: isRightToLeft(text) };
}

/** By the first letter, as browsers do for `dir="auto"`. */
export function isRightToLeft(text: string): boolean {
  const [letter = ""] = /\p{L}/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter);
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/** A passage by its place in a text. */
export type PrintedPassage = Pick<NumberedPlace["passage"], "match_type"> &
  Place & { readonly runs: readonly (Place & Pick<NumberedPlace["passage"], "match_type">)[] };

type Place = { readonly query_start: number; readonly query_end: number };

/** A numbered passage with the number that its colour and its labels have. */
export type PrintedPlace = {
  readonly number: number;
  readonly source: { readonly number: number };
  readonly passage: PrintedPassage;
};

/** A line with its pieces, and whether it is read from right to left. */
type PrintedLine = {
  readonly rtl: boolean;
  readonly pieces: readonly (ReturnType<typeof laidOut> | { readonly text: readonly TextPart[] })[];
};

/** The lines of a text with their marks. A label stands where a passage begins, and where its kind changes. */
export function printedLines(
  text: string,
  marks: readonly Mark<PrintedPlace>[],
  lines: Iterable<Span>,
  noteNumbers: ReadonlyMap<number, number> = new Map(),
): PrintedLine[] {
  const labelled = new Set<string>();
  return [...textPieces(marks, lines)].map((pieces) => ({
    rtl: isRightToLeft(pieces.map(({ start, end }) => text.slice(start, end)).join("")),
    pieces: pieces.map((piece) => laidOut(piece, text, noteNumbers, labelled)),
  }));
}

function laidOut(
  piece: TextPiece<PrintedPlace>,
  text: string,
  noteNumbers: ReadonlyMap<number, number>,
  labelled: Set<string>,
) {
  const begins = piece.passages.flatMap(({ number, source, passage }) => {
    const at = Math.max(
      0,
      passage.runs.findLastIndex((run) => run.query_start <= piece.start),
    );
    const isFirst = !labelled.has(`${number}`);
    if (labelled.has(`${number} ${at}`)) return [];
    labelled.add(`${number}`).add(`${number} ${at}`);
    const kind = passage.runs[at]?.match_type ?? passage.match_type;
    const note = isFirst ? noteNumbers.get(number) : undefined;
    return [{ label: [source.number, KINDS[kind].letter] as const, note }];
  });
  const labels = begins.map(({ label }) => label);
  const shown = text.slice(piece.start, piece.end);
  const first = labels.length > 0 && piece.flags.length === 0 ? (FIRST_WORD.exec(shown)?.[0] ?? "") : "";
  const notes = begins.flatMap(({ note }) => note ?? []);
  const [source, also] = new Set(piece.passages.map(({ source: { number } }) => number));
  return {
    text: textParts(shown.slice(first.length), piece),
    ...(labels.length > 0 && { labels: labels.slice(0, LABELS_MAX), first: printable(first) }),
    ...(labels.length > LABELS_MAX && { more: labels.length - LABELS_MAX }),
    ...(notes.length > 0 && { notes }),
    ...(piece.isMargin && { margin: true }),
    ...(piece.isOrphan && { orphan: true }),
    ...(piece.isExcluded && { excluded: true }),
    ...(source !== undefined && { source }),
    ...(also !== undefined && { also }),
  };
}

import { joinSpans, spansLength } from "../../../core/text/span.ts";
import { type SignFlag, visibleSigns } from "../../../core/text/visible-signs.ts";
import { type Content, type Html, html } from "../../../http/html.ts";
import { colourOf } from "../../source-colours.ts";
import {
  type NumberedFlag,
  type NumberedPassage,
  type TextLine,
  type TextPiece,
  textLines,
  type WireReport,
} from "./report-marks.ts";

/** Numbers of sources that are shown where their passages begin; of more, the rest is counted. */
const NUMBERS_SHOWN = 6;

/** A flag on more than this, in UTF-16 units, stands for many others: it is listed, and its text is not marked. */
const MARKED_FLAG_LENGTH_MAX = 500;

/** The submitted text, a paragraph each line, with its passages and flags marked. */
export function* markedText(report: WireReport): Generator<Html> {
  yield html`<section class="text" aria-labelledby="text">
<h2 id="text">Submitted text</h2>
${legend(report)}
<div class="sheet" lang="${report.language}">
`;
  const anchored = new Set<NumberedPassage["number"]>();
  const flagged = new Set<NumberedFlag["number"]>();
  for (const line of textLines(report)) {
    yield html`<p dir="auto">${lineContent(line, report.query_text, anchored, flagged)}</p>
`;
  }
  yield html`</div>
</section>
`;
}

function legend(report: WireReport): Content {
  const { sources, unique_passages: unique, integrity_flags: flags } = report;
  const phrases = [
    ...(sources.length > 0
      ? [
          "Marked text was found in the corpus. Colour and number are those of the source; the number leads to the passage " +
            "beside its source. Where sources overlap, a line of the second one's colour stands below the text.",
        ]
      : []),
    ...(hasOrphans(report) ? ["Grey text was found in documents that have since been deleted."] : []),
    ...(flags.length > 0
      ? ["A dotted line marks characters that can hide a copy; those that nobody sees are spelt out."]
      : []),
  ];
  return unique.length + flags.length === 0 ? undefined : html`<p class="legend">${phrases.join(" ")}</p>`;
}

function hasOrphans({ sources, unique_passages: unique }: WireReport): boolean {
  const present = sources.flatMap(({ passages }) =>
    passages.map(({ query_start: start, query_end: end }) => ({ start, end })),
  );
  const matched = unique.map(([start = 0, end = 0]) => ({ start, end }));
  return spansLength(joinSpans(present)) < spansLength(matched);
}

function lineContent(line: TextLine, text: string, anchored: Set<number>, flagged: Set<number>): Content {
  if (line.length === 0) return html`<br>`;
  return line.map((piece) => {
    const begins = piece.passages.filter(({ number }) => !anchored.has(number));
    for (const { number } of begins) anchored.add(number);
    const shown = piece.flags.filter(({ flag }) => flag.end - flag.start <= MARKED_FLAG_LENGTH_MAX);
    const firstOf = piece.flags.filter(({ number }) => !flagged.has(number));
    for (const { number } of firstOf) flagged.add(number);
    const signed = signedText(text.slice(piece.start, piece.end), shown);
    return html`${firstOf.map(flagAnchor)}${numbers(begins)}${mark(piece, signed)}`;
  });
}

function mark({ passages, isOrphan }: TextPiece, text: Content): Content {
  const [first, second] = new Set(passages.map(({ sourceNumber }) => sourceNumber));
  if (first === undefined) return isOrphan ? html`<mark class="orphan">${text}</mark>` : text;
  const also = second === undefined ? "" : ` also u${colourOf(second)}`;
  return html`<mark class="c${colourOf(first)}${also}">${text}</mark>`;
}

function signedText(text: string, flags: readonly NumberedFlag[]): Content {
  if (flags.length === 0) return text;
  const details = flags.map(({ flag }) => flag.detail).join("; ");
  return html`<span class="flagged" title="${details}">${signs(
    text,
    flags.map(({ flag }) => flag),
  )}</span>`;
}

/** Flagged text with what a reader would not see spelt out, and the letters of another alphabet set off. */
export function signs(text: string, flags: readonly SignFlag[]): Content {
  return visibleSigns(text, flags).map(({ text: piece, code, script }) => {
    // The character itself is left out: a control of direction would turn the text behind it.
    if (code !== undefined) return html`<span class="code" dir="ltr">${code}</span>`;
    return script === undefined ? piece : html`<span class="stranger" title="${script}">${piece}</span>`;
  });
}

function flagAnchor({ number, flag }: NumberedFlag): Html {
  return html`<a class="ref sign" id="sign-${number}" href="#flag-${number}" title="${flag.detail}" aria-label="Sign ${number} of disguised text">⚑</a>`;
}

function numbers(begins: readonly NumberedPassage[]): Content {
  const shown = begins.slice(0, NUMBERS_SHOWN);
  const rest = begins.slice(NUMBERS_SHOWN);
  const [next] = rest;
  return [
    ...shown.map(
      ({ number, sourceNumber, source }) =>
        html`<a class="ref r${colourOf(sourceNumber)}" id="place-${number}" href="#passage-${number}" title="${source.title}" aria-label="Passage ${number}, source ${sourceNumber}">${sourceNumber}</a>`,
    ),
    ...(next === undefined
      ? []
      : [
          html`<a class="ref" href="#passage-${next.number}" aria-label="${rest.length} more passages that begin here">+${rest.length}</a>`,
          ...rest.map(({ number }) => html`<span id="place-${number}"></span>`),
        ]),
  ];
}

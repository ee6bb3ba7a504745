import { type Content, type Html, html } from "../../../http/html.ts";
import type { Texts } from "../../../http/languages/texts.ts";
import { type SignFlag, visibleSigns } from "../../../text/visible-signs.ts";
import type { WireReport } from "../../presented-report.ts";
import { colourOf, SOURCE_COLOURS } from "../../source-colours.ts";
import {
  flagsAtEnd,
  lineSpans,
  type Mark,
  type NumberedFlag,
  type NumberedPlace,
  type TextPiece,
  textPieces,
} from "../text-pieces.ts";

/** Source numbers shown where passages begin; the others are counted. */
const NUMBERS_SHOWN = 6;

/** A longer flag, in UTF-16 units, stands for many others: it is listed, but its text is not marked. */
const MARKED_FLAG_LENGTH_MAX = 500;

/** The submitted text with its passages and flags marked, each line as a paragraph. */
export function* markedText(
  report: WireReport,
  marks: readonly Mark[],
  pieces: readonly TextPiece[],
  texts: Texts,
): Generator<Html> {
  yield html`<section class="text" aria-labelledby="text">
<h2 id="text">${texts.say("export.submittedText")}</h2>
${legend(report, pieces, texts)}
<div class="sheet" lang="${report.language}">
`;
  const anchored = new Set<NumberedPlace["number"]>();
  const flagged = new Set<NumberedFlag["number"]>();
  for (const line of textPieces(marks, lineSpans(report.query_text))) {
    yield html`<p dir="auto">${line.length === 0 ? html`<br>` : undefined}`;
    for (const piece of line) yield pieceContent(piece, report.query_text, { anchored, flagged, texts });
    yield html`</p>
`;
  }
  const atEnd = flagsAtEnd(report);
  if (atEnd.length > 0)
    yield html`<p dir="auto">${atEnd.map((flag) => hiddenFlag(flag, texts))}</p>
`;
  yield html`</div>
</section>
`;
}

function legend(report: WireReport, pieces: readonly TextPiece[], { say }: Texts): Content {
  const phrases: string[] = [];
  if (report.sources.length > 0) phrases.push(say("export.legend"));
  if (report.sources.length > SOURCE_COLOURS.length)
    phrases.push(say("export.legendPattern", { number: SOURCE_COLOURS.length + 1 }));
  if (report.page_margins.length > 0) phrases.push(say("export.legendMargin"));
  if (pieces.some(({ isOrphan }) => isOrphan)) phrases.push(say("export.legendDeleted"));
  if (pieces.some(({ isExcluded }) => isExcluded)) phrases.push(say("export.legendExcluded"));
  if (report.integrity_flags.some(({ hidden }) => hidden !== undefined))
    phrases.push(say("export.legendHidden"));
  if (report.integrity_flags.some(({ hidden }) => hidden === undefined))
    phrases.push(say("export.legendSigns"));
  return phrases.length === 0 ? undefined : html`<p class="legend">${phrases.join(" ")}</p>`;
}

/** The numbers of passages and flags that have an anchor already. */
type Written = { readonly anchored: Set<number>; readonly flagged: Set<number>; readonly texts: Texts };

function pieceContent(piece: TextPiece, text: string, { anchored, flagged, texts }: Written): Html {
  const begins = piece.passages.filter(({ number }) => !anchored.has(number));
  for (const { number } of begins) anchored.add(number);
  const marked = piece.flags.filter(({ flag }) => flag.end - flag.start <= MARKED_FLAG_LENGTH_MAX);
  const newFlags = piece.flags.filter(({ number }) => !flagged.has(number));
  for (const { number } of newFlags) flagged.add(number);
  const content = flaggedText(
    text.slice(piece.start, piece.end),
    marked.filter(({ flag }) => flag.hidden === undefined),
  );
  return html`${newFlags.map((flag) => hiddenFlag(flag, texts))}${numbers(begins, texts)}${mark(piece, content)}`;
}

function mark({ passages, isOrphan, isMargin, isExcluded }: TextPiece, content: Content): Content {
  if (isMargin) return html`<span class="margin">${content}</span>`;
  if (isExcluded) return html`<span class="excluded">${content}</span>`;
  const [first, second] = new Set(passages.map(({ source }) => source.number));
  if (first === undefined) return isOrphan ? html`<mark class="orphan">${content}</mark>` : content;
  const also = second === undefined ? "" : ` also u${colourOf(second)}`;
  return html`<mark class="c${colourOf(first)}${also}">${content}</mark>`;
}

function flaggedText(text: string, numbered: readonly NumberedFlag[]): Content {
  if (numbered.length === 0) return text;
  const flags = numbered.map(({ flag }) => flag);
  const details = flags.map(({ detail }) => detail).join("; ");
  return html`<span class="flagged" title="${details}">${signs(text, flags)}</span>`;
}

/** Flagged text with invisible characters as code points, and letters of other alphabets marked. */
export function signs(text: string, flags: readonly SignFlag[]): Content {
  return visibleSigns(text, flags).map(({ text: piece, code, script }) => {
    // Without the character itself: a bidi control would change the direction of the following text.
    if (code !== undefined) return html`<span class="code" dir="ltr">${code}</span>`;
    return script === undefined
      ? piece
      : html`<span class="foreign-letter" title="${script}">${piece}</span>`;
  });
}

/** The anchor of a flag, with the hidden text that it is about. */
function hiddenFlag(numbered: NumberedFlag, texts: Texts): Html {
  const { hidden } = numbered.flag;
  return html`${flagAnchor(numbered, texts)}${hidden && html`<del>${hidden.text}</del>`}`;
}

function flagAnchor({ number, flag }: NumberedFlag, { say }: Texts): Html {
  return html`<a class="ref sign" id="sign-${number}" href="#flag-${number}" title="${flag.detail}" aria-label="${say("export.sign", { number })}">⚑</a>`;
}

function numbers(begins: readonly NumberedPlace[], texts: Texts): Content {
  const shown = begins.slice(0, NUMBERS_SHOWN);
  const [next, ...others] = begins.slice(NUMBERS_SHOWN);
  const links = shown.map(
    ({ number, source }) =>
      html`<a class="ref r${colourOf(source.number)}" id="place-${number}" href="#passage-${number}" title="${source.title}" aria-label="${texts.say("export.passageOfSource", { number, source: source.number })}">${source.number}</a>`,
  );
  if (next === undefined) return links;
  const more = others.length + 1;
  return [
    links,
    html`<a class="ref" href="#passage-${next.number}" aria-label="${texts.sayCount("count.morePassages", more)}">+${more}</a>`,
    [next, ...others].map(({ number }) => html`<span id="place-${number}"></span>`),
  ];
}

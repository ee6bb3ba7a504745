import { INVISIBLE } from "./invisible.ts";
import { firstIndex, type Span, spanLength } from "./span.ts";

/** A text in the order in which people read it. It has as many UTF-16 units as the submitted text. */
export type ReadableText = {
  readonly text: string;
  /** Where a span of `text` is in the submitted text; of several places, the longest. */
  readonly toSubmitted: (span: Span) => Span;
};

/**
 * Undoes direction controls that show characters in another order than they are stored in: overrides, and isolates in a
 * right-to-left part, also nested. The controls become word joiners, so a second call changes nothing. Of Unicode's bidirectional
 * algorithm (UAX #9), this is the part that a disguise can use: numbers and brackets have no rules of their own, and each
 * line counts as left-to-right, since text without such controls is compared as it is stored.
 */
export function readingOrder(text: string): ReadableText {
  const moved: Moved[] = [];
  if (!REORDERING.test(text)) return { text, toSubmitted: (span) => span };
  const readable = text.replace(LINES, (line: string, start: number) => {
    if (!REORDERING.test(line)) return line;
    const order = orderOf(line);
    const inOrder = Array.from(order, (unit) => line.charAt(unit)).join("");
    if (functionWords(line) > functionWords(inOrder)) return line;
    moved.push({ start, order });
    return inOrder.replace(CONTROLS, WORD_JOINER);
  });
  return { text: readable, toSubmitted: (span) => submittedSpan(readable, moved, span) };
}

/** A line in another order; `order`: for each UTF-16 unit, its place in the submitted line. */
type Moved = { readonly start: number; readonly order: Int32Array };

function endOf({ start, order }: Moved): number {
  return start + order.length;
}

/**
 * A span that holds some words of a moved line and text beside the line is in several places of the submitted text. The longest
 * counts: the shortest span around them could hold much text that nobody has copied.
 * @param text in reading order
 * @param moved ascending
 */
function submittedSpan(text: string, moved: readonly Moved[], span: Span): Span {
  const first = moved[firstIndex(moved.length, (at) => endOf(moved[at] ?? NOWHERE) > span.start)];
  if (first === undefined || first.start >= span.end) return span;
  const last = moved[firstIndex(moved.length, (at) => (moved[at]?.start ?? 0) >= span.end) - 1] ?? first;
  const holdsWord = (start: number, end: number) => WORD_CHARACTERS.test(text.slice(start, end));
  const start = holdsWord(first.start, span.start) ? Math.min(span.end, endOf(first)) : span.start;
  const end = holdsWord(span.end, endOf(last)) ? Math.max(start, last.start) : span.end;
  const [longest = span] = [
    { start, end },
    { start: span.start, end: start },
    { start: end, end: span.end },
  ].sort((a, b) => spanLength(b) - spanLength(a));
  return [...new Set([first, last])].reduce(placesIn, longest);
}

const NOWHERE: Moved = { start: 0, order: new Int32Array() };
const WORD_CHARACTERS = /[\p{L}\p{N}]/u;

/** The span with the shortest span around its characters of a line in the place of these. */
function placesIn({ start, end }: Span, line: Moved): Span {
  if (end <= line.start || start >= endOf(line)) return { start, end };
  const places = line.order.subarray(Math.max(0, start - line.start), end - line.start);
  let first = line.order.length;
  let last = 0;
  for (const place of places) {
    first = Math.min(first, place);
    last = Math.max(last, place);
  }
  return {
    start: start < line.start ? start : line.start + first,
    end: end > endOf(line) ? end : line.start + last + 1,
  };
}

/** Without one of these, characters are shown in the order in which they are stored. */
const REORDERING = /[\u202b\u202d\u202e\u2067]/;
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;
const WORD_JOINER = "\u2060";
const INVISIBLES = new RegExp(INVISIBLE, "gv");

/**
 * Controls that were scattered over a text, which nobody can then read on a screen, would hide a copy from a comparison in reading
 * order. These words tell the two orders apart: none of them is another word from back to front.
 */
const FUNCTION_WORDS =
  /(?<!\p{L})(?:the|and|of|to|that|with|for|der|die|und|das|les|des|est|que|por|los|del|per|che|het|een|och|som)(?!\p{L})/giu;

function functionWords(line: string): number {
  return line.replace(INVISIBLES, "").match(FUNCTION_WORDS)?.length ?? 0;
}

/** Each line is ordered alone. NUL divides parts of a source that do not follow each other. */
const LINES = /[^\0\n\v\f\r\x85\u2028\u2029]+/g;

/** A character with its marks, or a control. */
type Leaf = { readonly first: string; readonly start: number; readonly end: number };

/** All that an opening control orders, with that control. */
type Group = { readonly first: string; readonly parts: (Leaf | Group)[] };

/** UAX #9 ignores controls that are nested deeper. */
const DEPTH_MAX = 125;

/** A control, or a character with its marks; the vowels and finals of decomposed Hangul are marks too. */
const CLUSTERS =
  /[\u202a-\u202e\u2066-\u2069]|[^\u202a-\u202e\u2066-\u2069][\p{M}\u1160-\u11ff\ud7b0-\ud7ff]*/gu;
const OPENER = /^[\u202a\u202b\u202d\u202e\u2066-\u2068]/;
const ISOLATE = /^[\u2066-\u2068]/;
const POP = "\u202c";
const POP_ISOLATE = "\u2069";

/** For each UTF-16 unit of a line in reading order, its place in the line. */
function orderOf(line: string): Int32Array {
  const order = new Int32Array(line.length);
  let at = 0;
  const add = (part: Leaf | Group): void => {
    if ("parts" in part) for (const inner of inReadingOrder(part)) add(inner);
    else for (let unit = part.start; unit < part.end; unit++) order[at++] = unit;
  };
  add(parseLine(line));
  return order;
}

function parseLine(line: string): Group {
  const whole: Group = { first: "", parts: [] };
  const open = [whole];
  for (const { 0: cluster, index } of line.matchAll(CLUSTERS)) {
    if (cluster === POP && !ISOLATE.test(open.at(-1)?.first ?? ""))
      open.length = Math.max(1, open.length - 1);
    else if (cluster === POP_ISOLATE) {
      const isolate = open.findLastIndex(({ first }) => ISOLATE.test(first));
      if (isolate > 0) open.length = isolate;
    } else if (OPENER.test(cluster) && open.length <= DEPTH_MAX) {
      const group: Group = { first: cluster, parts: [] };
      open.at(-1)?.parts.push(group);
      open.push(group);
    }
    open.at(-1)?.parts.push({ first: cluster, start: index, end: index + cluster.length });
  }
  return whole;
}

const LETTER = /^\p{L}/u;
const RIGHT_TO_LEFT = /^[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/v;

/** Letters are read in the direction of their script, whichever way their group shows them. */
function inReadingOrder({ first: opener, parts }: Group): readonly (Leaf | Group)[] {
  const letters = parts.filter(({ first }) => LETTER.test(first));
  const isRightToLeftText =
    2 * letters.filter(({ first }) => RIGHT_TO_LEFT.test(first)).length > letters.length;
  if (opener === "\u202e") return isRightToLeftText ? parts : parts.toReversed();
  if (opener === "\u202d") return isRightToLeftText ? parts.toReversed() : parts;
  if ((opener !== "\u202b" && opener !== "\u2067") || isRightToLeftText) return parts;
  // Runs of other text are shown from right to left, each in its own order; every isolate is a run.
  const runs: (Leaf | Group)[][] = [];
  for (const part of parts) {
    const run = runs.at(-1);
    const isApart = [part, run?.[0]].some(
      (one) => one === undefined || ("parts" in one && ISOLATE.test(one.first)),
    );
    if (isApart) runs.push([part]);
    else run?.push(part);
  }
  return runs.toReversed().flat();
}

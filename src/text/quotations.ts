import { codePointAt, codePointBefore, codePointOffsets } from "./code-points.ts";
import { joinSpans, lines, type Span } from "./span.ts";

/** The longest quotation, in code points: the wire contract's limit. An unclosed mark thus takes no pages. */
export const QUOTATION_CHARS_MAX = 1_500;

const BLOCK_QUOTE = /^[ \t]{0,3}>/;
const BLANK = /^\s*$/;

/**
 * The quoted parts of a text, marks included: ascending, disjoint UTF-16 spans. Quoted is text between paired quotation marks
 * of any language, also of different ones (“…"), and every line that starts with `>`. Where each paragraph of a quotation opens it again,
 * as in English, all of them are quoted. A mark without a partner quotes nothing. Linear in the text.
 */
export function quotations(given: string): Span[] {
  const text = withSingleMarks(given);
  const { toCodePoint } = codePointOffsets(text);
  const fits: FitsQuotation = (opening, closing) => {
    const units = closing - opening - 1;
    // A code point is one unit or two: the exact count is needed only where that leaves a doubt.
    if (units <= QUOTATION_CHARS_MAX || units > 2 * QUOTATION_CHARS_MAX) return units <= QUOTATION_CHARS_MAX;
    return toCodePoint(closing) - toCodePoint(opening + 1) <= QUOTATION_CHARS_MAX;
  };
  const directional = directionalQuotations(text, fits);
  const flanked = flankedQuotations(text, fits);

  const blockQuotes: Span[] = [];
  let paragraph = 0;
  let before: "text" | "blank" | "block quote" = "blank";
  for (const { start, end } of lines(text)) {
    const line = text.slice(start, end);
    const kind = BLOCK_QUOTE.test(line) ? "block quote" : BLANK.test(line) ? "blank" : "text";
    if (kind === "block quote") {
      const last = before === kind ? blockQuotes.pop() : undefined;
      blockQuotes.push({ start: last?.start ?? start, end });
    }
    if (kind !== "text" && kind !== before) paragraph++;
    if (kind === "text") {
      const firstOffset = start + line.search(/\S/);
      for (const { 0: mark, index } of line.matchAll(MARK)) {
        const offset = start + index;
        const opensLine = offset === firstOffset;
        const opensQuotation = opensLine || LEAD_IN.test(text.slice(Math.max(0, offset - 2), offset));
        const place = { mark, offset, paragraph, opensLine, opensQuotation };
        const [reader, other] = FAMILIES.has(mark) ? [directional, flanked] : [flanked, directional];
        reader.read(place, other.closeMixed);
      }
    }
    before = kind;
  }
  const found = joinSpans([...blockQuotes, ...directional.finish(), ...flanked.finish()]);
  return text === given ? found : found.map((span) => withDoubledMarks(given, span));
}

/** What introduces a quotation within a line. */
const LEAD_IN = /[:,]\s?$/;

/** Marks of LaTeX and of typewriters; a closing one counts only where an opening one is used. */
const DOUBLED_OPENING = /(?<![^\s(])(?:``(?=[^`\s])|‘‘(?=[^‘\s])|,,(?=\p{L}))/gu;
const DOUBLED_CLOSING = /(?<=\S)(?:''(?!')|’’(?!’))/g;
/** Two apostrophes that open, that close, and others. */
const APOSTROPHES = /((?<![^\s(])''(?=\p{L}))|((?<=\S)''(?!['\p{L}\p{N}]))|''/gu;
const GRAVE_OPENING = /(?<![^\s(])`(?=\p{L})/gu;
/** Guillemets of two signs each, without signs of program code or of an address between them. */
const ANGLES = /<<(?=\p{L})([^<>{}=@]*)(?<!\s)>>(?![>\p{L}\p{N}])/gu;
/** In reStructuredText and in Markdown, the same marks enclose code. */
const DOUBLED_CODE_CLOSING = /[^\s`(]``/;
const CODE_CLOSING = /[^\s`(]`/;
/** Bold in MediaWiki's markup, where two apostrophes are emphasis. */
const BOLD = "'''";

/** The text with one mark for each mark of LaTeX and of typewriters, and a space for a second character. */
function withSingleMarks(given: string): string {
  const text = withSingleDoubleMarks(given.replace(ANGLES, " «$1» "));
  return CODE_CLOSING.test(text) ? text : text.replace(GRAVE_OPENING, "‛");
}

function withSingleDoubleMarks(text: string): string {
  const opened = DOUBLED_CODE_CLOSING.test(text) ? text : text.replace(DOUBLED_OPENING, " “");
  if (opened !== text) return opened.replace(DOUBLED_CLOSING, "” ");
  if (text.includes(BOLD)) return text;
  let isOpen = false;
  return text.replace(APOSTROPHES, (marks, opening?: string, closing?: string) => {
    const closes = isOpen && closing !== undefined;
    isOpen = opening !== undefined;
    if (isOpen) return ' "';
    return closes ? '" ' : marks;
  });
}

const DOUBLED_OPENINGS = new Set(["``", "‘‘", ",,", "''", "<<"]);
const DOUBLED_CLOSINGS = new Set(["''", "’’", ">>"]);

function withDoubledMarks(given: string, { start, end }: Span): Span {
  return {
    start: DOUBLED_OPENINGS.has(given.slice(start - 1, start + 1)) ? start - 1 : start,
    end: DOUBLED_CLOSINGS.has(given.slice(end - 1, end + 1)) ? end + 1 : end,
  };
}

type MarkPlace = {
  readonly mark: string;
  /** In UTF-16 units. */
  readonly offset: number;
  /** Grows wherever a paragraph ends. */
  readonly paragraph: number;
  /** Whether only white space stands before it in its line. */
  readonly opensLine: boolean;
  /** Whether it opens its line or a colon or a comma introduces it: it is hardly a stray mark. */
  readonly opensQuotation: boolean;
};

/** Reads the quotation marks of a text in order and returns the quoted spans, marks included. */
type MarkReader = {
  /** @param closeMixed the other reader's: closes its quotation, if this mark can do nothing else */
  readonly read: (place: MarkPlace, closeMixed: MarkReader["closeMixed"]) => void;
  /** Closes an open double quotation of the same paragraph with a mark of another kind. */
  readonly closeMixed: (place: MarkPlace) => boolean;
  readonly finish: () => readonly Span[];
};

/** Whether the text between an opening and a closing mark at these UTF-16 offsets is short enough for a quotation. */
type FitsQuotation = (opening: number, closing: number) => boolean;

type Opener = {
  readonly family: string;
  /** The marks that close it wherever they stand. A mark without them opens only where it looks like an opener. */
  readonly closers: string;
  /** Marks that close it unless they look like an opener, because they also open quotations. */
  readonly closersUnlessOpening?: string;
};

type OpenDirectional = MarkPlace & {
  readonly opener: Opener;
  /** Of its first mark, where each paragraph has one. */
  readonly start: number;
};

/** The marks of each language. 《…》 and 〈…〉 are left out on purpose: they enclose the title of a work, not quoted text. */
const OPENERS: ReadonlyMap<string, Opener> = new Map<string, Opener>([
  ["“", { family: "double", closers: "”" }],
  ["‟", { family: "double", closers: "”" }],
  ["„", { family: "double", closers: "”", closersUnlessOpening: "“" }],
  ["”", { family: "double", closers: "", closersUnlessOpening: "”" }],
  ["«", { family: "guillemet", closers: "»" }],
  ["»", { family: "guillemet", closers: "", closersUnlessOpening: "»«" }],
  ["‹", { family: "single guillemet", closers: "›" }],
  ["›", { family: "single guillemet", closers: "", closersUnlessOpening: "›‹" }],
  ["「", { family: "corner", closers: "」" }],
  ["『", { family: "white corner", closers: "』" }],
  ["｢", { family: "halfwidth corner", closers: "｣" }],
  ["〝", { family: "double prime", closers: "〞〟" }],
  ["❝", { family: "heavy", closers: "❞" }],
]);

const FAMILIES: ReadonlyMap<string, string> = new Map(
  [...OPENERS].flatMap(([mark, { family, closers }]) =>
    [mark, ...closers].map((one): [string, string] => [one, family]),
  ),
);

/** Marks that show their direction nest. If the opener can close as well (”…”, »…»), each paragraph must open the quotation. */
function directionalQuotations(text: string, fits: FitsQuotation): MarkReader {
  const stacks = new Map(
    Array.from(FAMILIES.values(), (family): [string, OpenDirectional[]] => [family, []]),
  );
  const found: Span[] = [];
  return {
    read(place, closeMixed) {
      const { mark, offset } = place;
      const family = FAMILIES.get(mark) ?? "";
      const stack = stacks.get(family) ?? [];
      const context = markContext(text, offset);
      const looksOpening = context.startsHere && context.leadsOn;
      dropHopeless(stack, place, looksOpening, fits);
      const top = stack.at(-1);
      if (top !== undefined && isClosedBy(top.opener, mark, looksOpening)) {
        stack.pop();
        found.push({ start: top.start, end: offset + mark.length });
        // In French, the closing mark can open the next paragraphs of a quotation.
        if (mark === "»" && top.mark === "«" && place.opensLine && place.paragraph - top.paragraph === 1)
          stack.push({ ...top, ...place, mark: top.mark });
        return;
      }
      if (family === DOUBLE && !looksOpening && closeMixed(place)) return;
      const opener = OPENERS.get(mark);
      if (opener === undefined || !(looksOpening || opener.closers !== "")) return;
      const goesOn = top !== undefined && looksOpening && continues(top, place);
      if (goesOn) stack.pop();
      stack.push({ ...place, opener, start: goesOn ? top.start : offset });
    },
    closeMixed(place) {
      for (const family of [DOUBLE, GUILLEMET]) {
        const stack = stacks.get(family) ?? [];
        const top = stack.at(-1);
        if (top?.paragraph !== place.paragraph || !fits(top.offset, place.offset)) continue;
        // Guillemets are rarely mixed with straight marks, so that their own closing mark may follow.
        if (family === DOUBLE) stack.pop();
        found.push({ start: top.start, end: place.offset + place.mark.length });
        return true;
      }
      return false;
    },
    finish: () => found,
  };
}

/** The families of marks that writers mix with straight ones. */
const DOUBLE = "double";
const GUILLEMET = "guillemet";

/** Whether a mark opens the next line or paragraph of a quotation that is still open. */
function continues(open: MarkPlace, { mark, paragraph, opensLine }: MarkPlace): boolean {
  return opensLine && mark === open.mark && paragraph - open.paragraph <= 1;
}

/** Removes the open marks that can no longer be closed. */
function dropHopeless(
  stack: OpenDirectional[],
  place: MarkPlace,
  looksOpening: boolean,
  fits: FitsQuotation,
): void {
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const goesOn = top.opensQuotation && looksOpening && continues(top, place);
    // Marks below the top are older still.
    if (!fits(top.offset, place.offset)) stack.length = 0;
    else if (top.opener.closers === "" && top.paragraph !== place.paragraph && !goesOn) stack.pop();
    else return;
  }
}

function isClosedBy(opener: Opener, mark: string, looksOpening: boolean): boolean {
  const { closers, closersUnlessOpening = "" } = opener;
  return closers.includes(mark) || (!looksOpening && closersUnlessOpening.includes(mark));
}

type Kind = "double" | "single";
type MarkRole = { readonly family: string; readonly kind: Kind; readonly closers: string };
type OpenFlanked = MarkPlace & {
  readonly role: MarkRole;
  /** Of its first mark, where each paragraph has one. */
  readonly start: number;
  /** The first mark that could have closed it but may be an inch mark or an apostrophe instead. */
  readonly doubtfulEnd: number | undefined;
};

const ROLES: ReadonlyMap<string, MarkRole> = new Map([
  ['"', { family: "straight", kind: "double", closers: '"' }],
  ["＂", { family: "fullwidth", kind: "double", closers: "＂" }],
  ["″", { family: "prime", kind: "double", closers: "″" }],
  ["״", { family: "gershayim", kind: "double", closers: "״" }],
  ["'", { family: "straight single", kind: "single", closers: "'" }],
  ["‛", { family: "straight single", kind: "single", closers: "'" }],
  ["‘", { family: "single", kind: "single", closers: "’" }],
  ["‚", { family: "single", kind: "single", closers: "‘’" }],
  ["’", { family: "single", kind: "single", closers: "’" }],
]);

/** The mark that writers mix with directional ones. */
const STRAIGHT = '"';

/** The most characters between the end of a line and a mark that opens the next one. */
const INDENTATION = 20;

/** Single marks that may begin a word, or a comment in program code: they go on in the next paragraph only. */
const AMBIGUOUS = "'’";

const MARK = new RegExp(`[${[...FAMILIES.keys(), ...ROLES.keys()].join("")}]`, "g");

/** Words that begin with an apostrophe: 'tis, 'em, rock 'n' roll, the '90s. */
const ELISION = /(?:tis|twas|twere|twill|em|til|cause|n|\p{Nd}{2}s?)(?![\p{L}\p{N}])/iuy;
/** After these a single mark is an apostrophe (the U.S.'s). */
const ENDS_SENTENCE = /[.!?)\]}]/;
const NUMBER = /\p{N}/u;
const LETTER = /\p{L}/u;
const HEBREW = /\p{Script=Hebrew}/u;
const SPACE_THEN_LETTER = /\s\p{L}/uy;

/**
 * Reads marks whose role depends on their surroundings: ", ', ″ and curly single marks, also apostrophes, inch and foot marks. They
 * don't nest, and each paragraph must open the quotation. A doubtful mark closes only if no certain one comes before the next opener.
 */
function flankedQuotations(text: string, fits: FitsQuotation): MarkReader {
  const openMarks = new Map<string, OpenFlanked>();
  const found: Span[] = [];

  function close(open: OpenFlanked, end: number | undefined): void {
    openMarks.delete(open.role.family);
    const fitting = end !== undefined && fits(open.offset, end) ? end : open.doubtfulEnd;
    if (fitting !== undefined) found.push({ start: open.start, end: fitting + 1 });
  }

  return {
    read(place, closeMixed) {
      const { mark, offset, paragraph } = place;
      const role = ROLES.get(mark);
      if (role === undefined) return;
      const context = markContext(text, offset);
      const last = openMarks.get(role.family);
      const isOver = last !== undefined && last.paragraph !== paragraph;
      const goesOn =
        last !== undefined &&
        isUnclosed(last) &&
        continues(last, place) &&
        (isOver || (!AMBIGUOUS.includes(mark) && (last.opensLine || followsSentence(text, offset)))) &&
        canOpen(role, context, text, offset) &&
        fits(last.offset, offset);
      if (isOver && !goesOn) close(last, undefined);
      const open = isOver ? undefined : last;
      if (open?.role.closers.includes(mark) && canClose(role, context)) {
        if (!isDoubtfulEnd(role, context, text, offset)) close(open, offset);
        else if (open.doubtfulEnd === undefined && fits(open.offset, offset))
          openMarks.set(role.family, { ...open, doubtfulEnd: offset });
      } else if (canOpen(role, context, text, offset)) {
        if (open !== undefined) close(open, undefined);
        const start = goesOn ? last.start : offset;
        openMarks.set(role.family, { ...place, role, start, doubtfulEnd: undefined });
      } else if (
        mark === STRAIGHT &&
        canClose(role, context) &&
        !isDoubtfulEnd(role, context, text, offset)
      ) {
        closeMixed(place);
      } else if (open !== undefined && !context.insideWord) {
        // It may have been meant to close.
        openMarks.set(role.family, { ...open, opensQuotation: false });
      }
    },
    closeMixed({ offset, paragraph }) {
      const open = openMarks.get(ROLES.get(STRAIGHT)?.family ?? "");
      if (open?.paragraph !== paragraph || !fits(open.offset, offset)) return false;
      close(open, offset);
      return true;
    },
    finish() {
      for (const open of [...openMarks.values()]) close(open, undefined);
      return found;
    },
  };
}

/** Whether the line before one that a mark opens ends a sentence, as the last one of a paragraph does. */
function followsSentence(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - INDENTATION), offset).trimEnd();
  return ENDS_SENTENCE.test(before.slice(-1));
}

/** Whether a mark opened the rest of its paragraph and nothing in it could have closed it. */
function isUnclosed({ opensQuotation, doubtfulEnd }: OpenFlanked): boolean {
  return opensQuotation && doubtfulEnd === undefined;
}

function canClose(role: MarkRole, context: MarkContext): boolean {
  if (context.startsHere) return false;
  if (!context.insideWord) return true;
  // Inside a word a single mark is an apostrophe, and a double one belongs to a Hebrew abbreviation (צה"ל) or is a
  // closing mark that a suffix or a missing space follows.
  return role.kind === "double" && !(HEBREW.test(context.before) && HEBREW.test(context.after));
}

function isDoubtfulEnd(role: MarkRole, context: MarkContext, text: string, offset: number): boolean {
  if (context.insideWord || NUMBER.test(context.before)) return true;
  if (role.kind === "double") return false;
  // The boys' club, goin' home.
  SPACE_THEN_LETTER.lastIndex = offset + 1;
  return LETTER.test(context.before) && SPACE_THEN_LETTER.test(text);
}

function canOpen(role: MarkRole, context: MarkContext, text: string, offset: number): boolean {
  if (!context.leadsOn || isSpacedWord(context.before)) return false;
  if (role.kind === "double") return true;
  if (ENDS_SENTENCE.test(context.before)) return false;
  ELISION.lastIndex = offset + 1;
  return !ELISION.test(text);
}

/** The characters beside a mark decide its role: “ opens in English and closes in German; ” opens and closes in Swedish. */
type MarkContext = {
  /** The code point before the mark; empty at the text's start. */
  readonly before: string;
  /** The code point after the mark; empty at the text's end. */
  readonly after: string;
  /** The text's start, white space or an opening bracket precedes: the mark does not close. */
  readonly startsHere: boolean;
  /** A possible start of a quotation follows: no white space and no punctuation that ends a phrase. */
  readonly leadsOn: boolean;
  /** Letters or digits without spaces on both sides: an apostrophe or an abbreviation. */
  readonly insideWord: boolean;
};

/** Letters and digits of scripts with spaces between words, or after which no text follows a quotation directly. */
const SPACED_WORD =
  /[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]/v;
const NOT_CLOSING_AFTER = /[\s\p{Ps}\p{Pi}]/u;
const PHRASE_END = /[\s,;:!?)\]}»”’、。，；：！？）」』]/u;

/** Describes the surroundings of the one-unit mark at `offset` (UTF-16). */
function markContext(text: string, offset: number): MarkContext {
  const before = codePointBefore(text, offset);
  const after = codePointAt(text, offset + 1);
  // One full stop ends a phrase; two begin one that starts with an ellipsis.
  const endsPhrase = PHRASE_END.test(after) || (after === "." && text[offset + 2] !== ".");
  return {
    before,
    after,
    startsHere: before === "" || NOT_CLOSING_AFTER.test(before),
    leadsOn: after !== "" && !endsPhrase,
    insideWord: isSpacedWord(before) && isSpacedWord(after),
  };
}

/** Whether a code point is a letter, digit or mark of a script that writes spaces between words. */
function isSpacedWord(codePoint: string): boolean {
  return SPACED_WORD.test(codePoint);
}

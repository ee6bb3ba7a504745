import type { Span } from "../../text/span.ts";
import { isSpacedWord, type MarkContext, markContext } from "./mark-context.ts";
import type { FitsQuotation, MarkReader } from "./mark-reader.ts";

type Kind = "double" | "single";
type MarkRole = { readonly family: string; readonly kind: Kind; readonly closers: string };
type OpenMark = {
  readonly role: MarkRole;
  readonly offset: number;
  readonly paragraph: number;
  /** The first mark that could have closed it but may be an inch mark or an apostrophe instead. */
  readonly doubtfulEnd: number | undefined;
};

const ROLES: ReadonlyMap<string, MarkRole> = new Map([
  ['"', { family: "straight", kind: "double", closers: '"' }],
  ["＂", { family: "fullwidth", kind: "double", closers: "＂" }],
  ["″", { family: "prime", kind: "double", closers: "″" }],
  ["״", { family: "gershayim", kind: "double", closers: "״" }],
  ["'", { family: "straight single", kind: "single", closers: "'" }],
  ["‘", { family: "single", kind: "single", closers: "’" }],
  ["‚", { family: "single", kind: "single", closers: "‘’" }],
  ["’", { family: "single", kind: "single", closers: "’" }],
]);

/** The marks that this reader takes. */
export const FLANKED_MARKS = [...ROLES.keys()].join("");

/** What an apostrophe can stand before at a word's start: 'tis, 'em, rock 'n' roll, the '90s. */
const ELISION = /(?:tis|twas|twere|twill|em|til|cause|n|\p{Nd}{2}s?)(?![\p{L}\p{N}])/iuy;
/** After these a single mark is an apostrophe (the U.S.'s). */
const ENDS_SENTENCE = /[.!?)\]}]/;
const NUMBER = /\p{N}/u;
const LETTER = /\p{L}/u;
const HEBREW = /\p{Script=Hebrew}/u;
const SPACE_THEN_LETTER = /\s\p{L}/uy;

/**
 * Reads the quotations between marks whose role only their surroundings tell: ", ', ″ and the curly single marks, which
 * serve as apostrophe, inch and foot marks too. They don't nest, and a pair lies in one paragraph. A mark that may be
 * something else closes a quotation only if no certain closing mark comes before the next opening one.
 */
export function flankedQuotations(text: string, fits: FitsQuotation): MarkReader {
  const openMarks = new Map<string, OpenMark>();
  const found: Span[] = [];

  function close(open: OpenMark, end: number | undefined): void {
    openMarks.delete(open.role.family);
    const fitting = end !== undefined && fits(open.offset, end) ? end : open.doubtfulEnd;
    if (fitting !== undefined) found.push({ start: open.offset, end: fitting + 1 });
  }

  return {
    read(mark, offset, paragraph) {
      const role = ROLES.get(mark);
      if (role === undefined) return;
      const context = markContext(text, offset);
      let open = openMarks.get(role.family);
      if (open !== undefined && open.paragraph !== paragraph) {
        close(open, undefined);
        open = undefined;
      }
      if (open?.role.closers.includes(mark) && canClose(role, context)) {
        if (!isDoubtfulEnd(role, context, text, offset)) close(open, offset);
        else if (open.doubtfulEnd === undefined && fits(open.offset, offset))
          openMarks.set(role.family, { ...open, doubtfulEnd: offset });
      } else if (canOpen(role, context, text, offset)) {
        if (open !== undefined) close(open, undefined);
        openMarks.set(role.family, { role, offset, paragraph, doubtfulEnd: undefined });
      }
    },
    finish() {
      for (const open of [...openMarks.values()]) close(open, undefined);
      return found;
    },
  };
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

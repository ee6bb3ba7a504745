import type { Span } from "../../text/span.ts";
import { markContext } from "./mark-context.ts";
import type { FitsQuotation, MarkReader } from "./mark-reader.ts";

type Opener = {
  readonly family: string;
  /** The marks that close it wherever they stand. */
  readonly closers: string;
  /** Marks that close it unless they stand like an opener, as they also open quotations. */
  readonly closersUnlessOpening: string;
  /** Whether the mark is nothing but an opener, however it stands. */
  readonly opensAnywhere: boolean;
};

type OpenMark = { readonly opener: Opener; readonly offset: number; readonly paragraph: number };

/**
 * “…” English, „…“ German, „…” Polish, ”…” Swedish, «…» French, »…« Danish, »…» Finnish, 「…」 Japanese and so on.
 * 《…》 and 〈…〉 are left out on purpose: they mark the title of a work, which is no quoted text.
 */
const OPENERS: ReadonlyMap<string, Opener> = new Map([
  ["“", opener("double", "”", "", true)],
  ["‟", opener("double", "”", "", true)],
  ["„", opener("double", "”", "“", true)],
  ["”", opener("double", "", "”", false)],
  ["«", opener("guillemet", "»", "", true)],
  ["»", opener("guillemet", "", "»«", false)],
  ["‹", opener("single guillemet", "›", "", true)],
  ["›", opener("single guillemet", "", "›‹", false)],
  ["「", opener("corner", "」", "", true)],
  ["『", opener("white corner", "』", "", true)],
  ["｢", opener("halfwidth corner", "｣", "", true)],
  ["〝", opener("double prime", "〞〟", "", true)],
  ["❝", opener("heavy", "❞", "", true)],
]);

const FAMILIES: ReadonlyMap<string, string> = new Map([
  ...Array.from(OPENERS, ([mark, { family }]): [string, string] => [mark, family]),
  ["」", "corner"],
  ["』", "white corner"],
  ["｣", "halfwidth corner"],
  ["〞", "double prime"],
  ["〟", "double prime"],
  ["❞", "heavy"],
]);

/** The marks that this reader takes. */
export const DIRECTIONAL_MARKS = [...FAMILIES.keys()].join("");

/**
 * Reads the quotations between marks that show their direction. They nest. A pair whose opener can close as well
 * (”…”, »…», »…«) must lie in one paragraph, since a stray mark is likelier there.
 */
export function directionalQuotations(text: string, fits: FitsQuotation): MarkReader {
  const stacks = new Map(Array.from(FAMILIES.values(), (family): [string, OpenMark[]] => [family, []]));
  const found: Span[] = [];
  return {
    read(mark, offset, paragraph) {
      const stack = stacks.get(FAMILIES.get(mark) ?? "");
      if (stack === undefined) return;
      dropHopeless(stack, offset, paragraph, fits);
      const context = markContext(text, offset);
      const looksOpening = context.startsHere && context.leadsOn;
      const top = stack.at(-1);
      if (top !== undefined && isClosedBy(top.opener, mark, looksOpening)) {
        stack.pop();
        found.push({ start: top.offset, end: offset + mark.length });
        return;
      }
      const opener = OPENERS.get(mark);
      if (opener !== undefined && (opener.opensAnywhere || looksOpening))
        stack.push({ opener, offset, paragraph });
    },
    finish: () => found,
  };
}

function opener(
  family: string,
  closers: string,
  closersUnlessOpening: string,
  opensAnywhere: boolean,
): Opener {
  return { family, closers, closersUnlessOpening, opensAnywhere };
}

/** Forgets the open marks that can't be closed at `offset` or later. */
function dropHopeless(stack: OpenMark[], offset: number, paragraph: number, fits: FitsQuotation): void {
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    // What lies below the top is older still.
    if (!fits(top.offset, offset)) stack.length = 0;
    else if (!top.opener.opensAnywhere && top.paragraph !== paragraph) stack.pop();
    else return;
  }
}

function isClosedBy(opener: Opener, mark: string, looksOpening: boolean): boolean {
  return opener.closers.includes(mark) || (!looksOpening && opener.closersUnlessOpening.includes(mark));
}

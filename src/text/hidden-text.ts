import { codePointLength, outsidePair } from "./code-points.ts";
import { type HidingMeans, type IntegrityFlag, limitFlags } from "./integrity.ts";

/** Text of a file that a reader of the file does not see. It is no part of the compared text. */
export type HiddenText = {
  /** The UTF-16 offset of the compared text where it would stand. */
  readonly at: number;
  readonly means: HidingMeans;
  /** Code points of the whole hidden text. */
  readonly chars: number;
  /** Its beginning, of at most `HIDDEN_TEXT_SHOWN_MAX` UTF-16 units. */
  readonly text: string;
};

/** Enough to see the kind of text; whole pages of filler would make reports as long as the files. */
const HIDDEN_TEXT_SHOWN_MAX = 2_000;

/** Pieces that are kept of a file. One whose blanks are white letters has a piece for each word. */
const PIECES_MAX = 10_000;

/** Text that is hidden at a place; white space alone hides nothing. */
export function hiddenText(at: number, means: HidingMeans, text: string): HiddenText[] {
  if (text.trim() === "") return [];
  const shown = text.slice(0, outsidePair(text, Math.min(text.length, HIDDEN_TEXT_SHOWN_MAX)));
  return [{ at, means, chars: codePointLength(text), text: shown }];
}

/** The pieces as they are stored: ascending, at most `PIECES_MAX`, and those of one place and kind as one. */
export function joinHiddenText(pieces: readonly HiddenText[]): HiddenText[] {
  const joined: HiddenText[] = [];
  for (const piece of pieces.toSorted((a, b) => a.at - b.at)) {
    const last = joined.at(-1);
    if (last?.at === piece.at && last.means === piece.means) {
      const text = last.text + piece.text;
      const shown = text.slice(0, outsidePair(text, Math.min(text.length, HIDDEN_TEXT_SHOWN_MAX)));
      joined[joined.length - 1] = { ...last, chars: last.chars + piece.chars, text: shown };
    } else if (joined.length < PIECES_MAX) joined.push(piece);
  }
  return joined;
}

/** The flags of a text with those of its hidden text, ascending. A hidden text's flag is empty: it stands between two characters. */
export function withHiddenText(
  flags: readonly IntegrityFlag[],
  pieces: readonly HiddenText[],
): readonly IntegrityFlag[] {
  if (pieces.length === 0) return flags;
  const hidden = pieces.map(
    ({ at, means, chars, text }): IntegrityFlag => ({
      kind: "hidden_text",
      start: at,
      end: at,
      detail: `${chars.toLocaleString("en")} ${chars === 1 ? "character" : "characters"} ${MEANS[means]}`,
      hidden: { means, chars, text },
    }),
  );
  return [...flags, ...limitFlags(hidden)].sort((a, b) => a.start - b.start || a.end - b.end);
}

const MEANS = {
  background_colour: "in the colour of the background",
  tiny: "in letters of less than 2 points",
  layer_off: "on a layer that is switched off",
  not_drawn: "marked as not to be shown",
  outside_page: "outside the visible part of the page",
  covered: "covered by a shape",
  transparent: "in transparent letters",
} as const satisfies Record<HidingMeans, string>;

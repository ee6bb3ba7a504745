import { codePointName } from "./code-points.ts";
import type { IntegrityKind } from "./integrity.ts";
import { INVISIBLE, INVISIBLE_IN_WORD, INVISIBLE_ON_OTHERS, LINE_SEPARATOR } from "./invisible.ts";

/** The part of a flag that is needed; `detail` names the alphabet of a word that mixes scripts. */
export type SignFlag = { readonly kind: IntegrityKind; readonly detail: string };

/** A part of flagged text, with the characters that a reader would not see. */
type SignPiece = {
  readonly text: string;
  /** For a character that shows nothing or turns the reading direction: its code point, such as `U+200B`. */
  readonly code?: string;
  /** For a letter that is not of the word's alphabet: the script it belongs to. */
  readonly script?: string;
};

/** Cuts flagged text so that hidden characters can be shown. The pieces together are the text. */
export function visibleSigns(text: string, flags: readonly SignFlag[]): SignPiece[] {
  const kinds = new Set(flags.map(({ kind }) => kind));
  const hidden = kinds.has("invisible_characters") || kinds.has("bidi_controls");
  const mixed = flags.find(({ kind }) => kind === "homoglyphs");
  const alphabet = mixed && alphabetOf(mixed, text);
  const pieces: SignPiece[] = [];
  for (const character of text) {
    const script = alphabet === undefined ? undefined : scriptOf(character);
    if (hidden && HIDDEN.test(character)) pieces.push({ text: character, code: codePointName(character) });
    else if (script !== undefined && script !== alphabet) pieces.push({ text: character, script });
    else addPlain(pieces, character);
  }
  return pieces;
}

/** Characters that show nothing, and the controls of direction, which are among them. */
const HIDDEN = new RegExp(
  `[${INVISIBLE}${INVISIBLE_IN_WORD}${INVISIBLE_ON_OTHERS}${LINE_SEPARATOR}\\p{DI}]`,
  "v",
);

const SCRIPTS = "Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Cherokee Coptic Lisu"
  .split(" ")
  .map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, "v") }));

/** The script of a letter, `look-alike` for rare scripts and signs; undefined for marks and other ASCII characters. */
function scriptOf(character: string): string | undefined {
  const script = SCRIPTS.find(({ pattern }) => pattern.test(character))?.name;
  return script ?? (LOOK_ALIKE.test(character) ? "look-alike" : undefined);
}

const LOOK_ALIKE = /[[\p{L}\p{N}\p{S}]--[\0-\x7f]]/v;

/** The alphabet that the flag names, otherwise the alphabet of most letters. */
function alphabetOf({ detail }: SignFlag, text: string): string | undefined {
  const named = / in an? (\p{L}+) word$/u.exec(detail)?.[1];
  if (named !== undefined) return named;
  const scripts = Map.groupBy(text, scriptOf);
  scripts.delete(undefined);
  return [...scripts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

function addPlain(pieces: SignPiece[], character: string): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.code === undefined && last.script === undefined)
    pieces[pieces.length - 1] = { text: last.text + character };
  else pieces.push({ text: character });
}

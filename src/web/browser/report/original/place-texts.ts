/** White space, which differs between a text and its HTML, and characters that HTML can't hold. */
const UNCOMPARED = /[\s\0\ufffd]/u;

/** Texts that are shorter may stand anywhere by chance: they are only looked for near the text before. */
const DISTINCT_CHARS = 24;
const NEAR_CHARS = 400;

/**
 * Finds where parts of a document stand in its text, in which they follow each other; only white space differs, and some parts may be
 * missing on either side, or stand elsewhere if they are long enough to be found there.
 * @returns for each part the offset of each of its UTF-16 units in the text, or undefined for a part that is not found
 */
export function placeTexts(parts: readonly string[], text: string): (readonly number[] | undefined)[] {
  const whole = squeezed(text);
  let cursor = 0;
  return parts.map((part) => {
    const { chars, at } = squeezed(part);
    if (chars === "") return undefined;
    const place = find(whole.chars, chars, cursor);
    if (place === undefined) return undefined;
    if (place >= cursor) cursor = place + chars.length;
    return offsetsOf(part.length, at, whole.at.slice(place, place + chars.length));
  });
}

type Squeezed = { readonly chars: string; readonly at: readonly number[] };

/** A text without white space, and where each of its units stood. */
function squeezed(text: string): Squeezed {
  const kept: string[] = [];
  const at: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charAt(index);
    if (UNCOMPARED.test(unit)) continue;
    kept.push(unit);
    at.push(index);
  }
  return { chars: kept.join(""), at };
}

function find(whole: string, part: string, cursor: number): number | undefined {
  if (whole.startsWith(part, cursor)) return cursor;
  const isDistinct = part.length >= DISTINCT_CHARS;
  const until = isDistinct ? whole.length : cursor + NEAR_CHARS;
  const ahead = whole.slice(cursor, until).indexOf(part);
  if (ahead >= 0) return cursor + ahead;
  const anywhere = isDistinct ? whole.indexOf(part) : -1;
  return anywhere < 0 ? undefined : anywhere;
}

/** White space stands where the unit before it ends. */
function offsetsOf(length: number, at: readonly number[], places: readonly number[]): number[] {
  const offsets: number[] = [];
  let next = 0;
  for (let index = 0; index < length; index++) {
    const isKept = at[next] === index;
    if (isKept) next++;
    const before = places[next - 1];
    offsets.push(before === undefined ? (places[0] ?? 0) : isKept ? before : before + 1);
  }
  return offsets;
}

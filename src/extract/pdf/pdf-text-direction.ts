const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A row with fewer letters from right to left is one of words in another direction; shorter rows may consist of them. */
const SHARE_MIN = 0.3;
const LENGTH_MIN = 5;

type Direction = "left" | "right" | "number" | "none";

/**
 * The characters of a line in the order in which they are read, from their order on the page from left to right. Words in one direction
 * keep together inside a line in the other one, and numbers are written from left to right in both (Unicode Annex 9, reversed and simplified).
 * @param isInRowFromLeft whether they are a part of a row from left to right; otherwise their own share decides
 */
export function readingOrder(
  chars: readonly string[],
  isInRowFromLeft = false,
): {
  readonly text: string;
  readonly direction: "ltr" | "rtl";
} {
  const text = chars.join("");
  if (!RIGHT_TO_LEFT.test(text)) return { text, direction: "ltr" };
  const clusters: string[] = [];
  for (const char of chars) {
    if (/^\p{M}/u.test(char) && clusters.length > 0) clusters.push(`${clusters.pop()}${char}`);
    else clusters.push(char);
  }
  const directions = clusters.map(directionOf);
  return isInRowFromLeft || isFromLeft(clusters)
    ? { text: withParts(clusters, directions, "right").join(""), direction: "ltr" }
    : { text: withParts(clusters.toReversed(), directions.toReversed(), "left").join(""), direction: "rtl" };
}

/** Whether a row is read from left to right: it has few letters from right to left. */
export function isFromLeft(chars: readonly string[]): boolean {
  const backwards = chars.filter((char) => directionOf(char) === "right").length;
  return backwards < SHARE_MIN * chars.length && chars.length >= LENGTH_MIN;
}

function directionOf(cluster: string): Direction {
  if (/^\p{Nd}/u.test(cluster)) return "number";
  if (RIGHT_TO_LEFT.test(cluster)) return "right";
  return /^\p{L}/u.test(cluster) ? "left" : "none";
}

/** Reverses the parts in another direction than the line, with the signs inside them; of a part from right to left, not its numbers. */
function withParts(
  clusters: readonly string[],
  directions: readonly Direction[],
  part: "left" | "right",
): string[] {
  const ordered: string[] = [];
  for (let start = 0; start < clusters.length; ) {
    const end = partEnd(directions, clusters, start, part);
    const own = clusters.slice(start, end).toReversed();
    const inside = directions.slice(start, end).toReversed();
    if (end === start) ordered.push(clusters[start++] ?? "");
    else {
      ordered.push(...(part === "right" ? withParts(own, inside, "left") : own));
      start = end;
    }
  }
  return ordered;
}

/** The end of the part that begins at a character; the same place if none begins there. */
function partEnd(
  directions: readonly Direction[],
  clusters: readonly string[],
  start: number,
  part: "left" | "right",
): number {
  const first = directions[start];
  if (first !== part && !(part === "left" && first === "number")) return start;
  let end = start + 1;
  for (let at = end; at < directions.length; at++) {
    const direction = directions[at];
    if (part === "right" ? direction === "left" : direction === "right") break;
    const isOwn = first === "number" ? direction === "number" : direction === part || direction === "number";
    if (isOwn) end = at + 1;
    // Only a sign within a number, such as a decimal point, joins two groups of digits.
    else if (first === "number" && !/^[.,:/]$/.test(clusters[at] ?? "")) break;
  }
  return end;
}

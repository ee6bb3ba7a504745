import { isOperator, tokensOf } from "./pdf-actual-text.ts";

/** The operands of the operators that construct and paint paths (ISO 32000-1, tables 59 and 60). */
const PATH_OPERANDS: ReadonlyMap<string, number> = new Map([
  ...["h", "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n"].map((operator) => [operator, 0] as const),
  ...["m", "l"].map((operator) => [operator, 2] as const),
  ...["v", "y", "re"].map((operator) => [operator, 4] as const),
  ["c", 6],
]);

const SHOWS_TEXT: ReadonlySet<string> = new Set(["Tj", "TJ", "'", '"']);

/** As pdf.js: it ends a content at a path with more invalid operators in a row, and at more operands of one operator. */
const INVALID_MAX = 10;
const OPERANDS_MAX = 33;

/**
 * What follows the place where pdf.js stops reading a content because of a faulty drawing: `text` if it shows text there, `drawings`
 * if not; undefined for a content that it reads to its end.
 * @param content as Latin 1
 */
export function cutFrom(content: string): "text" | "drawings" | undefined {
  let isCut = false;
  let [operands, surplus, depth, invalid] = [0, 0, 0, 0];
  for (const token of tokensOf(content)) {
    if (isCut) {
      if (SHOWS_TEXT.has(token)) return "text";
    } else if (!isOperator(token)) {
      // A list or a dictionary is one operand.
      if (token === "]" || token === ">>") depth--;
      if (depth === 0) operands++;
      if (token === "[" || token === "<<") depth++;
      isCut = operands > OPERANDS_MAX;
    } else {
      const wanted = PATH_OPERANDS.get(token);
      if (wanted === undefined) invalid = 0;
      else if (operands >= wanted) surplus += operands - wanted;
      else if (operands + surplus >= wanted) surplus -= wanted - operands;
      else isCut = ++invalid > INVALID_MAX;
      [operands, depth] = [0, 0];
    }
  }
  return isCut ? "drawings" : undefined;
}

import { createHash } from "node:crypto";
import type { TextPair } from "./pan-corpus.ts";

/** `tune` is for choosing constants, `check` for the figures that are reported. */
export type Part = "tune" | "check" | "all";

/** One in three suspicious texts is held out; of the three remainders this one divides PAN13's classes most evenly. */
const HELD_OUT_IN = 3n;
const HELD_OUT_REMAINDER = 2n;

/**
 * The pairs of a part. A suspicious text with all its pairs is in one part, by the MD5 of its name, so that every
 * machine divides alike and no constant is chosen on a text that it is measured with.
 */
export function pairsOfPart(pairs: readonly TextPair[], part: Part): readonly TextPair[] {
  if (part === "all") return pairs;
  return pairs.filter(({ queryName }) => isHeldOut(queryName) === (part === "check"));
}

function isHeldOut(queryName: string): boolean {
  const hash = createHash("md5").update(queryName).digest("hex");
  return BigInt(`0x${hash}`) % HELD_OUT_IN === HELD_OUT_REMAINDER;
}

/** At most `limit` of the pairs, evenly spread over the list, so that each class keeps its share. */
export function everyKthPair(pairs: readonly TextPair[], limit: number): readonly TextPair[] {
  return everyKth(pairs, limit);
}

/** The pairs of at most `limit` suspicious texts, evenly spread over the list; each text with all its pairs. */
export function everyKthText(pairs: readonly TextPair[], limit: number): readonly TextPair[] {
  const groups = [...Map.groupBy(pairs, ({ queryName }) => queryName).values()];
  return everyKth(groups, limit).flat();
}

function everyKth<T>(items: readonly T[], limit: number): readonly T[] {
  const step = Math.max(1, items.length / limit);
  return items.filter((_, at) => at === 0 || Math.floor(at / step) !== Math.floor((at - 1) / step));
}

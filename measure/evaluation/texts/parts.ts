import { createHash } from "node:crypto";
import type { TextPair } from "./pan-corpus.ts";

/** `tune` is for choosing constants, `check` for reported figures. */
export type Part = "tune" | "check" | "all";

/**
 * One third of the suspicious texts is held out. Alignment and retrieval were tuned with different thirds (by the first 32
 * bits of the MD5, and by all of it): alignment alone is reported on the third that it was not tuned on, and the whole engine
 * on the ninth that neither was tuned on.
 */
const HELD_OUT_IN = 3n;
const FROM_ALIGNMENT = 0n;
const FROM_RETRIEVAL = 2n;

/**
 * The pairs of a part. All pairs of a suspicious text are in the same part, which the MD5 of its name determines: the parts
 * are the same on every machine, and no constant is chosen on a text that it is measured with.
 */
export function pairsOfPart(
  pairs: readonly TextPair[],
  part: Part,
  alignsOnly: boolean,
): readonly TextPair[] {
  if (part === "all") return pairs;
  return pairs.filter(({ queryName }) => isHeldOut(queryName, alignsOnly) === (part === "check"));
}

function isHeldOut(queryName: string, alignsOnly: boolean): boolean {
  const hash = createHash("md5").update(queryName).digest("hex");
  const fromAlignment = BigInt(`0x${hash.slice(0, 8)}`) % HELD_OUT_IN === FROM_ALIGNMENT;
  return fromAlignment && (alignsOnly || BigInt(`0x${hash}`) % HELD_OUT_IN === FROM_RETRIEVAL);
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

/** At most `limit` of the items, evenly spread. */
export function everyKth<T>(items: readonly T[], limit: number): readonly T[] {
  const step = Math.max(1, items.length / limit);
  return items.filter((_, at) => at === 0 || Math.floor(at / step) !== Math.floor((at - 1) / step));
}

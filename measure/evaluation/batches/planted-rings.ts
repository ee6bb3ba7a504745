import type { ModernData } from "../modern/modern-texts.ts";
import type { NamedText } from "../texts/corpus-texts.ts";

export const RING_KINDS = ["verbatim", "edited", "reworded", "translated"] as const;
export type RingKind = (typeof RING_KINDS)[number];

/** A set of texts in which rings of 2 to 6 share two paragraphs. `ring` is undefined for members of none. */
export type PlantedSet = {
  readonly template: string;
  readonly members: readonly {
    readonly name: string;
    readonly text: string;
    readonly ring: { readonly number: number; readonly kind: RingKind } | undefined;
  }[];
};

type SetOptions = {
  readonly members: number;
  readonly wordsEach: number;
  /** Rings of each kind. */
  readonly ringsOfKind: number;
};

/** Paragraphs that a ring shares: some 230 words. */
const PARAGRAPHS_OF_RING = 2;
const RING_SIZES = [2, 3, 4, 5, 6] as const;

/** Quotations that members of no ring share, and the share of members with one. */
const QUOTATIONS = 10;
const QUOTING_SHARE = 0.4;

/** Every seventh word of an edited copy is left out, doubled with a filler or swapped with the next one. */
const EDITED_EVERY = 7;
const FILLERS = ["indeed", "perhaps", "clearly", "often", "also"];

/** Shorter paragraphs are headings and captions. */
const PARAGRAPH_CHARS_MIN = 200;

/** Makes a set; the same for the same input. @param texts the sources of the members' own text, in this order */
export function plantRings(
  texts: Iterable<NamedText>,
  data: ModernData,
  { members, wordsEach, ringsOfKind }: SetOptions,
): PlantedSet {
  const originals = [...Map.groupBy(data.mixset, ({ original }) => original)];
  const [template = "", ...hosts] = data.hosts.map(({ text }) => text);
  const quotations = hosts.slice(0, QUOTATIONS).map((text) =>
    text
      .split(/(?<=\.)\s/)
      .slice(0, 3)
      .join(" "),
  );
  const rings = RING_KINDS.flatMap((kind) => Array.from({ length: ringsOfKind }, (_, at) => ({ kind, at })));
  const spread = Math.floor(members / Math.max(1, rings.length * RING_SIZES.length));
  const planted = [template, ...quotations, ...originals.map(([original]) => original)];
  const own = ownTexts(texts, [...planted, ...data.passages.map(({ paragraph }) => paragraph)], {
    members,
    wordsEach,
  });
  let next = 0;
  const place = new Map<number, { number: number; kind: RingKind; paragraphs: readonly string[] }>();
  for (const [number, { kind, at }] of rings.entries()) {
    const size = RING_SIZES[number % RING_SIZES.length] ?? 2;
    for (let part = 0; part < size; part++) {
      place.set(next, { number, kind, paragraphs: paragraphsOf(kind, at, part, originals, data) });
      next += 1 + spread;
    }
  }
  return {
    template,
    members: own.map((text, at) => {
      const ring = place.get(at);
      const paragraphs = text.split("\n\n");
      const middle = paragraphs.length >> 1;
      const quoted =
        (at * 7919) % 100 < 100 * QUOTING_SHARE
          ? [`As one writer puts it: “${quotations[at % quotations.length]}”`]
          : [];
      const whole = [
        template,
        ...paragraphs.slice(0, middle),
        ...(ring?.paragraphs.slice(0, 1) ?? []),
        ...quoted,
        ...paragraphs.slice(middle),
        ...(ring?.paragraphs.slice(1) ?? []),
      ];
      return {
        name: `member-${String(at).padStart(5, "0")}`,
        text: whole.join("\n\n"),
        ring: ring && { number: ring.number, kind: ring.kind },
      };
    }),
  };
}

/** The paragraphs that member `part` of the ring has: its own version of each. */
function paragraphsOf(
  kind: RingKind,
  ring: number,
  part: number,
  originals: readonly (readonly [string, ModernData["mixset"]])[],
  data: ModernData,
): string[] {
  return Array.from({ length: PARAGRAPHS_OF_RING }, (_, paragraph) => {
    const at = ring * PARAGRAPHS_OF_RING + paragraph;
    if (kind === "translated") {
      const { n, paragraph: original } = data.passages[at % data.passages.length] ?? { n: 0, paragraph: "" };
      const translation = data.translated.find((one) => one.n === n)?.text ?? original;
      return part === 0 ? original : translation;
    }
    // Each kind has originals of its own, from the beginning, the middle and the end.
    const third = Math.floor(originals.length / 3);
    const from = { verbatim: 0, edited: third, reworded: 2 * third }[kind];
    const [original = "", rewrites = []] = originals[(from + at) % originals.length] ?? [];
    if (kind === "verbatim") return original;
    if (kind === "edited") return part === 0 ? original : edited(original, part);
    return part === 0 ? original : (rewrites[(part - 1) % rewrites.length]?.text ?? original);
  });
}

/** The same text with every seventh word changed, other ones for each version. */
export function edited(text: string, version: number): string {
  const words = text.split(" ");
  const out: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if ((at + 3 * version) % EDITED_EVERY !== 0) out.push(word);
    else if (at % 3 === 0) out.push(word, FILLERS[(at + version) % FILLERS.length] ?? "");
    else if (at % 3 === 1) {
      out.push(words[at + 1] ?? "", word);
      at += 1;
    }
  }
  return out.join(" ");
}

/** Words in a row that are copied: so many are hardly chosen twice by chance. */
const COPIED_WORDS = 8;

/** Texts of whole paragraphs, each in one member only. A paragraph that copies from an earlier or planted one is left out. */
function ownTexts(
  texts: Iterable<NamedText>,
  planted: readonly string[],
  { members, wordsEach }: Pick<SetOptions, "members" | "wordsEach">,
): string[] {
  const paragraphs = paragraphsWithoutCopies(texts, planted);
  return Array.from({ length: members }, () => {
    const own: string[] = [];
    for (let words = 0; words < wordsEach; ) {
      const { value, done } = paragraphs.next();
      if (done) throw new Error("there is too little text for so many members");
      own.push(value);
      words += value.split(/\s+/).length;
    }
    return own.join("\n\n");
  });
}

function* paragraphsWithoutCopies(
  texts: Iterable<NamedText>,
  planted: readonly string[],
): Generator<string, undefined> {
  const seen = new Set(planted.flatMap(wordRuns));
  for (const { text } of texts) {
    for (const paragraph of text.split(/\n\s*\n/)) {
      if (paragraph.length <= PARAGRAPH_CHARS_MIN) continue;
      const runs = wordRuns(paragraph);
      const isCopy = runs.some((run) => seen.has(run));
      for (const run of runs) seen.add(run);
      if (!isCopy) yield paragraph;
    }
  }
  return undefined;
}

function wordRuns(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(COPIED_WORDS - 1).map((_, at) => words.slice(at, at + COPIED_WORDS).join(" "));
}

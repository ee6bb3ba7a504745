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

/** Quotations that members of no ring have in common, and how many members have none. */
const QUOTATIONS = 10;
const QUOTING_SHARE = 0.4;

/** Every seventh word of an edited copy is left out, doubled with a filler or swapped with the next one. */
const EDITED_EVERY = 7;
const FILLERS = ["indeed", "perhaps", "clearly", "often", "also"];

/** Makes a set; the same for the same input. Its own text are paragraphs of articles, each in one member only. */
export function plantRings(
  articles: readonly NamedText[],
  data: ModernData,
  { members, wordsEach, ringsOfKind }: SetOptions,
): PlantedSet {
  const own = ownTexts(articles, new Set(data.passages.map(({ title }) => title)), members, wordsEach);
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

/** Texts of whole paragraphs, each from one article after the other, so that no two share one. */
function ownTexts(
  articles: readonly NamedText[],
  left: ReadonlySet<string>,
  members: number,
  wordsEach: number,
): string[] {
  const titles = new Set([...left].map((title) => title.toLowerCase().replaceAll(" ", "-")));
  const used = articles.filter(({ name }) => !titles.has(name.replace(/\.txt$/, "").toLowerCase()));
  const paragraphs = used.flatMap(({ text }) => text.split(/\n\n+/)).filter((one) => one.length > 200);
  const texts: string[] = [];
  let at = 0;
  for (let member = 0; member < members; member++) {
    const own: string[] = [];
    for (let words = 0; words < wordsEach; at++) {
      const paragraph = paragraphs[at];
      if (paragraph === undefined) throw new Error("the articles have too little text for so many members");
      own.push(paragraph);
      words += paragraph.split(/\s+/).length;
    }
    texts.push(own.join("\n\n"));
  }
  return texts;
}

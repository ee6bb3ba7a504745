import { mulberry32, prose } from "./prose.ts";

export type SampleText = { readonly name: string; readonly text: string; readonly group?: string };

const FIRST_NAMES =
  "anna ben carl dora emil frida georg hanna ivo jana karl lena max nora otto paula rosa sven tina".split(
    " ",
  );

/** Half of a class copies, in rings of two to seven; in a large class, one ring is an eighth of it. */
const COPYING_SHARE = 0.5;
const LARGE_CLASS = 400;

/**
 * Made-up texts of a class, in which rings have passages in common: each member of a ring has one to three of its three passages.
 * @param words of each text's own
 */
export function sampleClass(members: number, words: number): SampleText[] {
  const random = mulberry32(members);
  const texts = Array.from({ length: members }, (_, at) => [prose(100_000 + at, words)]);
  for (let first = 0, ring = 0; first < members * COPYING_SHARE; ring++) {
    const isLargest = ring === 0 && members >= LARGE_CLASS;
    const size = isLargest ? Math.floor(members / 8) : 2 + Math.floor(random() * 6);
    const passages = [60, 120, 40].map((length, at) => prose(900_000 + 3 * ring + at, length));
    for (const parts of texts.slice(first, first + size)) {
      const taken = 1 + Math.floor(random() * 7);
      for (const [at, passage] of passages.entries())
        if ((taken & (1 << at)) !== 0) parts.splice(Math.floor(random() * (parts.length + 1)), 0, passage);
    }
    first += size;
  }
  return texts.map((parts, at) => ({
    name: `${FIRST_NAMES[at % FIRST_NAMES.length]}-${Math.floor(at / FIRST_NAMES.length) + 1}.txt`,
    text: parts.join("\n\n"),
    ...(at % 9 === 0 && { group: `group ${at % 5}` }),
  }));
}

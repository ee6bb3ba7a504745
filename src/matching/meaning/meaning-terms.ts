import { meaningTerm } from "./cells.ts";
import { cellsByChunk, type SentenceSection, unpackSentences } from "./sentence-section.ts";

/** Terms by the numbers of a document's chunks. */
export type MeaningTerms = ReadonlyMap<number, readonly string[]>;

/** The generation of a term. */
export function generationOf(term: string): number {
  return Number.parseInt(term, 10);
}

/** The semantic terms of a document's chunks, by all its sections. @param offsets where each chunk begins, and the end of the text. */
export function meaningTermsOf(
  sections: readonly (SentenceSection & { readonly generation: number })[],
  offsets: { readonly utf16: readonly number[] },
): MeaningTerms {
  const terms = new Map<number, string[]>();
  for (const [generation, ofGeneration] of Map.groupBy(sections, (section) => section.generation)) {
    for (const [chunk, cells] of cellsByChunk(unpackSentences(ofGeneration), offsets.utf16.slice(0, -1))) {
      const ofChunk = [...cells].map((cell) => meaningTerm(generation, cell));
      terms.set(chunk, [...(terms.get(chunk) ?? []), ...ofChunk]);
    }
  }
  return terms;
}

import { semanticTerm } from "../../matching/meaning/cells.ts";
import { cellsByChunk, unpackSentences } from "../../matching/meaning/sentence-section.ts";
import type { ChunkOffsets } from "../../matching/set.ts";
import type { SemanticTerms } from "../index/chunk-index.ts";
import type { StoredSection } from "./semantic-store.ts";

/** The generation of a term. */
export function generationOf(term: string): number {
  return Number.parseInt(term, 10);
}

/** The semantic terms of a document's chunks, by all its sections. */
export function semanticTermsOf(sections: readonly StoredSection[], { utf16 }: ChunkOffsets): SemanticTerms {
  const terms = new Map<number, string[]>();
  for (const [generation, ofGeneration] of Map.groupBy(sections, (section) => section.generation)) {
    for (const [chunk, cells] of cellsByChunk(unpackSentences(ofGeneration), utf16.slice(0, -1))) {
      const ofChunk = [...cells].map((cell) => semanticTerm(generation, cell));
      terms.set(chunk, [...(terms.get(chunk) ?? []), ...ofChunk]);
    }
  }
  return terms;
}

import { enclosingSpan, gapLength, type Span, spanLength } from "../../text/span.ts";
import { CosinesByVector, MeaningComparison, type QuerySentence } from "./align-meaning.ts";
import type { MeaningModel } from "./meaning-model.ts";
import { type SentenceSection, unpackSentences } from "./sentence-section.ts";

/** A part of the query, as sentence numbers `[first, end)`, and the chunks of the corpus that its meaning may come from. */
export type SearchedPart = {
  readonly first: number;
  readonly end: number;
  /** `span` in UTF-16 units; `sharedTerms`: rare words that it shares with the part, as far as words have found it. */
  readonly places: readonly {
    readonly documentId: string;
    readonly span: Span;
    readonly sharedTerms: number;
  }[];
};

type FindMeaningInput = {
  readonly model: Pick<MeaningModel, "mean" | "calibration">;
  readonly query: readonly QuerySentence[];
  readonly parts: readonly SearchedPart[];
  /** How many parts the whole query has; `parts` may be some of them. */
  readonly partsOfQuery: number;
  /** The fingerprints of the documents' sentences around the places. */
  readonly sections: ReadonlyMap<string, readonly SentenceSection[]>;
};

/** Query sentences, by their numbers, and the place in a document (UTF-16) to align them with. */
export type MeaningPlace = {
  readonly documentId: string;
  readonly query: Span;
  readonly source: Span;
  /** How likely it is the true one, to compare it with others. */
  readonly rank: number;
};

/**
 * Documents that a part of the query is aligned with. Of 225 rewritten and translated paragraphs all but three have their source among the
 * first three.
 */
const DOCUMENTS_OF_PART = 3;

/** A text of few parts may be aligned with more. */
const DOCUMENTS_OF_SHORT_TEXT = 12;

/** The contribution of a rare word on both sides to the sum of margins. */
const RANK_PER_TERM = 0.05;

/** The minimum rank of a place that counts as evidence. */
const RANK_MIN = 0.15;

/** Ranks the places of each part by the margins of their sentences, and takes the places in the best documents. */
export function rankMeaning({
  model,
  query,
  parts,
  partsOfQuery,
  sections,
}: FindMeaningInput): MeaningPlace[] {
  const comparison = new MeaningComparison(new CosinesByVector(model), query);
  const documentsMax = Math.max(DOCUMENTS_OF_PART, Math.ceil(DOCUMENTS_OF_SHORT_TEXT / partsOfQuery));
  const found: MeaningPlace[] = [];
  for (const { first, end, places } of parts) {
    const ranked = places
      .map(({ documentId, span, sharedTerms }) => {
        const inSpan = unpackSentences(sections.get(documentId) ?? [], span);
        const rank = comparison.reach(first, end, inSpan) + RANK_PER_TERM * sharedTerms;
        return { documentId, source: span, rank };
      })
      .filter(({ rank }) => rank >= RANK_MIN)
      .sort((a, b) => {
        if (a.rank !== b.rank) return b.rank - a.rank;
        if (a.documentId !== b.documentId) return a.documentId < b.documentId ? -1 : 1;
        return a.source.start - b.source.start;
      });
    const chosen = new Set<string>();
    for (const place of ranked) {
      if (chosen.size >= documentsMax && !chosen.has(place.documentId)) continue;
      chosen.add(place.documentId);
      found.push({ ...place, query: { start: first, end } });
    }
  }
  return found;
}

/** Places of a document are aligned as one when so much text lies between them at most, in UTF-16 units: some six chunks. */
const JOINED_GAP_MAX = 8_000;

/** The most query sentences that are aligned together: time and memory grow with the product of both sides. */
const JOINED_SENTENCES_MAX = 150;

/** Joins places of a document that are near each other on both sides, so that a long passage is aligned as one. */
export function joinPlaces(places: readonly MeaningPlace[]): MeaningPlace[] {
  const joined: MeaningPlace[] = [];
  for (const place of places) {
    let whole = place;
    for (;;) {
      const at = joined.findIndex((other) => isNear(other, whole));
      const [other] = at < 0 ? [] : joined.splice(at, 1);
      if (other === undefined) break;
      whole = {
        documentId: whole.documentId,
        query: enclosingSpan(other.query, whole.query),
        source: enclosingSpan(other.source, whole.source),
        rank: Math.max(other.rank, whole.rank),
      };
    }
    joined.push(whole);
  }
  return joined;
}

function isNear(a: MeaningPlace, b: MeaningPlace): boolean {
  return (
    a.documentId === b.documentId &&
    gapLength(a.query, b.query) === 0 &&
    gapLength(a.source, b.source) <= JOINED_GAP_MAX &&
    spanLength(enclosingSpan(a.query, b.query)) <= JOINED_SENTENCES_MAX
  );
}

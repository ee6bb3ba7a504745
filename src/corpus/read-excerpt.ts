import { type Excerpt, type Landmarks, landmarksAround, type OffsetUnit } from "../text/excerpt.ts";
import type { CorpusStores } from "./index/corpus-stores.ts";

type ExcerptRange = {
  readonly start: number;
  /** The end of the text if undefined, as far as `lengthMax` allows. */
  readonly end: number | undefined;
  readonly lengthMax: number;
  readonly unit: OffsetUnit;
};

/** Part of a text and the length of all of it, in `unit`, with its actual range; undefined when the document is gone. */
export type ReadExcerpt = (
  document: { readonly documentId: string; readonly charCount: number },
  range: ExcerptRange,
) => Promise<(Excerpt & { readonly textLength: number }) | undefined>;

/** Reads only the sections of the text that overlap the excerpt, whatever the length of the document. */
export function createReadExcerpt({ database, documents, texts, compute }: CorpusStores): ReadExcerpt {
  async function findLandmarks(documentId: string, charCount: number): Promise<Landmarks | undefined> {
    const [matchable] = await documents.findMatchable(database, [documentId]);
    if (matchable !== undefined) return matchable.chunkOffsets;
    // A pending document has no chunk offsets; its start and its end are known nevertheless.
    const length = await texts.findLength(database, documentId);
    return length === undefined ? undefined : { utf16: [0, length], codePoints: [0, charCount] };
  }

  return async ({ documentId, charCount }, { start: from, end: to, lengthMax, unit }) => {
    const landmarks = await findLandmarks(documentId, charCount);
    if (landmarks === undefined) return undefined;
    const textLength = (unit === "utf16" ? landmarks.utf16 : landmarks.codePoints).at(-1) ?? 0;
    const start = Math.min(from, textLength);
    const span = { start, end: Math.min(to ?? textLength, textLength, start + lengthMax) };
    if (span.start === span.end) return { ...span, text: "", textLength };
    const { before, after } = landmarksAround(landmarks, unit, span);
    const range = { documentId, start: before.utf16, end: after.utf16 };
    const sections = (await texts.findRanges(database, [range])).get(documentId);
    if (sections === undefined) return undefined;
    return { ...(await compute.run("readExcerpt", { sections, before, unit, span })), textLength };
  };
}

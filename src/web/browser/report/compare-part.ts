import type { Report } from "../../../client/index.ts";
import { type ComparedWords, compareWords } from "../../../report/figures/compare-sides.ts";
import { rewordedParts } from "../../../report/reworded-parts.ts";
import { blankMargins } from "../../../text/margins.ts";
import { fromPairs } from "../../../text/span.ts";
import { engine } from "../shared/engine.ts";
import type { PlacedPassage } from "./passages.ts";

export type ComparedPart = {
  readonly part: ShownPart;
  readonly compared: ComparedWords;
  readonly query: Context;
  readonly source: Context;
  /** Length of the whole source, in UTF-16 units. */
  readonly sourceLength: number;
};

type Context = { readonly before: string; readonly after: string };

/** Context before and after a passage: about two lines. */
const CONTEXT_CHARS = 140;

/** Reads a part of the source's text and compares it with the passage. @param after the previous part, if any */
export async function comparePart(
  { check_id: checkId, query_text, page_margins: margins, language }: Report,
  passage: PlacedPassage,
  after: ShownPart | undefined,
  signal: AbortSignal,
): Promise<ComparedPart> {
  const text = blankMargins(query_text, fromPairs(margins));
  const longest =
    after === undefined ? partFrom(passage) : partFrom(passage, after.queryEnd, after.sourceEnd);
  const read = await engine.getSourceText(
    checkId,
    passage.source.source_document_id,
    {
      start: Math.max(0, longest.sourceStart - CONTEXT_CHARS),
      end: longest.sourceEnd + CONTEXT_CHARS,
      offset_unit: "utf16",
    },
    { signal },
  );
  const sourceText = (start: number, end: number) =>
    read.text.slice(Math.max(0, start - read.start), end - read.start);
  const compare = ({ queryStart, queryEnd, sourceStart, sourceEnd }: ShownPart) =>
    compareWords(
      text.slice(queryStart, queryEnd),
      sourceText(sourceStart, sourceEnd),
      language,
      rewordedParts(passage.passage, queryStart, sourceStart),
    );
  const words = compare(longest);
  const part = partUntil(longest, words.lastEqual);
  return {
    part,
    compared: part === longest ? words : compare(part),
    query: {
      before: contextBefore(text.slice(Math.max(0, part.queryStart - CONTEXT_CHARS), part.queryStart)),
      after: contextAfter(text.slice(part.queryEnd, part.queryEnd + CONTEXT_CHARS)),
    },
    source: {
      before: contextBefore(sourceText(read.start, part.sourceStart)),
      after: contextAfter(sourceText(part.sourceEnd, part.sourceEnd + CONTEXT_CHARS)),
    },
    sourceLength: read.char_count,
  };
}

/** Without the cut word or character at its beginning. */
function contextBefore(text: string): string {
  if (text.length < CONTEXT_CHARS) return text.trim();
  return `… ${text.slice(Math.max(1, text.search(/\s/u))).trim()}`;
}

/** Without the cut word or character at its end. */
function contextAfter(text: string): string {
  if (text.length < CONTEXT_CHARS) return text.trim();
  return `${text.slice(0, text.search(/\s\S*$/u)).trim()} …`;
}

/** A part of a passage that is compared at once: UTF-16 offsets into both texts. */
type ShownPart = {
  readonly queryStart: number;
  readonly queryEnd: number;
  readonly sourceStart: number;
  readonly sourceEnd: number;
  readonly hasMore: boolean;
};

/** About three pages. Comparing 1,000 words with 1,000 takes 10 ms; Chinese takes 60 ms, with more words per character. */
const QUERY_CHARS_MAX = 6_000;

/** Longer than the query's, because a copy may shorten its source. */
const SOURCE_CHARS_MAX = 2 * QUERY_CHARS_MAX;

/** The longest part that begins at these places, by default at the beginning of the passage. */
export function partFrom(
  { start, end, passage }: PlacedPassage,
  queryStart = start,
  sourceStart = passage.source_document_start,
): ShownPart {
  const queryEnd = Math.min(end, queryStart + QUERY_CHARS_MAX);
  const sourceEnd = Math.min(passage.source_document_end, sourceStart + SOURCE_CHARS_MAX);
  return { queryStart, queryEnd, sourceStart, sourceEnd, hasMore: queryEnd < end };
}

/** Ends a part with the last words that are equal on both sides, so that the next part begins at the same place in both. */
export function partUntil(
  part: ShownPart,
  lastEqual: { readonly queryEnd: number; readonly sourceEnd: number } | undefined,
): ShownPart {
  if (!part.hasMore || lastEqual === undefined) return part;
  return {
    ...part,
    queryEnd: part.queryStart + lastEqual.queryEnd,
    sourceEnd: part.sourceStart + lastEqual.sourceEnd,
  };
}

import { type WordDiff, wordDiff } from "../../../../core/report/compare-sides.ts";
import { engine } from "../../shared/engine.ts";
import { type PassagePart, partFrom, partUntil } from "../model/passage-part.ts";
import type { PlacedPassage } from "../model/passages.ts";

/** A part of a passage, compared, with what stands around it in both texts. */
export type ComparedPart = {
  readonly part: PassagePart;
  readonly diff: WordDiff;
  readonly queryBefore: string;
  readonly queryAfter: string;
  readonly sourceBefore: string;
  readonly sourceAfter: string;
  /** Of the whole source, in UTF-16 units. */
  readonly sourceLength: number;
};

/** What is shown before and after a passage: two lines, to see where it stands. */
const AROUND_CHARS = 140;

/**
 * Reads the source's text and compares it with the passage.
 * @param after the part before this one, undefined for the first
 */
export async function comparePart(
  {
    checkId,
    text,
    language,
    passage,
    after,
  }: {
    readonly checkId: string;
    readonly text: string;
    readonly language: string;
    readonly passage: PlacedPassage;
    readonly after: PassagePart | undefined;
  },
  signal: AbortSignal,
): Promise<ComparedPart> {
  const whole = after === undefined ? partFrom(passage) : partFrom(passage, after.queryEnd, after.sourceEnd);
  const read = await engine.getSourceText(
    checkId,
    passage.source.source_document_id,
    {
      start: Math.max(0, whole.sourceStart - AROUND_CHARS),
      end: whole.sourceEnd + AROUND_CHARS,
      offset_unit: "utf16",
    },
    { signal },
  );
  const sourceText = (start: number, end: number) =>
    read.text.slice(Math.max(0, start - read.start), end - read.start);
  const compare = ({ queryStart, queryEnd, sourceStart, sourceEnd }: PassagePart) =>
    wordDiff(text.slice(queryStart, queryEnd), sourceText(sourceStart, sourceEnd), language);
  const diff = compare(whole);
  const part = partUntil(whole, diff.lastEqual);
  return {
    part,
    diff: part === whole ? diff : compare(part),
    queryBefore: beginning(text.slice(Math.max(0, part.queryStart - AROUND_CHARS), part.queryStart)),
    queryAfter: ending(text.slice(part.queryEnd, part.queryEnd + AROUND_CHARS)),
    sourceBefore: beginning(sourceText(read.start, part.sourceStart)),
    sourceAfter: ending(sourceText(part.sourceEnd, part.sourceEnd + AROUND_CHARS)),
    sourceLength: read.char_count,
  };
}

/** What stands before, without the half of a word or character that it may begin with. */
function beginning(text: string): string {
  if (text.length < AROUND_CHARS) return text.trim();
  return `… ${text.slice(Math.max(1, text.search(/\s/u))).trim()}`;
}

/** What stands after, without the half of a word or character that it may end with. */
function ending(text: string): string {
  if (text.length < AROUND_CHARS) return text.trim();
  return `${text.slice(0, text.search(/\s\S*$/u)).trim()} …`;
}

import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { ProblemError } from "../../../client/index.ts";
import { cutAtMarks } from "../../../text/cut-at-marks.ts";
import type { Span } from "../../../text/span.ts";
import { counterpartWithin } from "../shared/counterpart.ts";
import { engine } from "../shared/engine.ts";
import { Notice, Pending } from "../shared/notice.tsx";
import { blockLines, type TextBlock, textBlocks } from "../shared/text-blocks.ts";
import { say, sayCount } from "../shared/texts.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { useSyncedScroll } from "../shared/use-synced-scroll.ts";
import type { PlacedPassage } from "./passages.ts";
import type { Reading } from "./use-reading.ts";

/** Of longer documents, this much around the passage is read: ten requests, and a book is twice as long at most. */
const CHARS_MAX = 1_000_000;

/** The estimate of a line's width before the first layout, in ems. */
const LINE_EMS = 28;

type WholeSourceProps = {
  readonly passage: PlacedPassage;
  readonly reading: Reading;
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
};

/** The whole text of the source of a passage, with all its passages. It scrolls together with the submitted text. */
export function WholeSource({ passage, reading, scroller }: WholeSourceProps) {
  const { source } = passage;
  const from = Math.max(0, passage.passage.source_document_start - CHARS_MAX / 2);
  const start = from < CHARS_MAX / 2 ? 0 : from;
  const { check_id: checkId } = reading.report;
  const { value, error, reload } = useLoaded(`${source.source_document_id}/${start}`, (signal) =>
    readSource(checkId, source.source_document_id, start, start + CHARS_MAX, signal),
  );
  if (error !== undefined || value === undefined)
    return <PendingSource passage={passage} error={error} reload={reload} />;
  const isWhole = value.text.length === value.length;
  return (
    <>
      {!isWhole && <p class="quiet">{sayCount("report.partOfSource", value.length)}</p>}
      <SourceText {...value} passage={passage} reading={reading} scroller={scroller} />
    </>
  );
}

/** The submitted text scrolls with the window. */
const WINDOW = { current: document.documentElement };

type SourceTextProps = WholeSourceProps & { readonly start: number; readonly text: string };

type SourceMark = Span & { readonly passage: PlacedPassage };

function SourceText({ start, text, passage, reading, scroller }: SourceTextProps) {
  const container = useRef<HTMLDivElement>(null);
  const { passages } = reading;
  const { source } = passage;
  const blocks = useMemo(() => textBlocks(text), [text]);
  const marks = useMemo(
    () =>
      passages
        .filter((one) => one.source === source)
        .map((one): SourceMark => ({ ...sourceSpan(one, start), passage: one })),
    [passages, source, start],
  );
  const segments = useMemo(() => [...cutAtMarks(blocks, marks)], [blocks, marks]);
  const places = useMemo(
    () =>
      marks.map(({ passage: { start: from, end }, ...inSource }) => ({
        query: { start: from, end },
        source: inSource,
      })),
    [marks],
  );
  const refs = useMemo(
    () => ({
      query: { scroller: WINDOW, text: reading.container },
      source: { scroller, text: container },
    }),
    [reading.container, scroller],
  );
  // Only within passages: the reader of one text would not want the other one to leave its passage.
  const { reveal, level } = useSyncedScroll(refs, { query: reading.blocks, source: blocks }, (place) =>
    counterpartWithin(places, place),
  );
  useLayoutEffect(() => {
    const inSource = sourceSpan(passage, start).start;
    // Pages of an original file do not scroll with the source.
    if (reading.container.current === null) reveal({ source: inSource });
    else level("query", { query: passage.start, source: inSource });
  }, [blocks, passage]);
  const open = (event: MouseEvent) => {
    const marked = event.target instanceof Element ? event.target.closest("[data-source-passage]") : null;
    const index = marked?.getAttribute("data-source-passage") ?? null;
    if (index !== null && getSelection()?.isCollapsed !== false) reading.open(Number(index));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Next and Previous lead to the same passages
    // biome-ignore lint/a11y/noStaticElementInteractions: one listener for all marks
    <div class="source-text" lang={source.language} ref={container} onClick={open}>
      {blocks.map((block, index) => (
        <SourceBlock
          key={block.start}
          text={text}
          block={block}
          segments={segments[index] ?? []}
          chosen={isIn(block, passage, start) ? passage : undefined}
        />
      ))}
    </div>
  );
}

function sourceSpan({ passage }: PlacedPassage, from: number): Span {
  return { start: passage.source_document_start - from, end: passage.source_document_end - from };
}

function isIn(block: TextBlock, passage: PlacedPassage, from: number): boolean {
  const { start, end } = sourceSpan(passage, from);
  return start < block.end && end > block.start;
}

type SourceBlockProps = {
  readonly text: string;
  readonly block: TextBlock;
  readonly segments: readonly (Span & { readonly marks: readonly SourceMark[] })[];
  readonly chosen: PlacedPassage | undefined;
};

/** A block of the source; see `BlockView` of the submitted text. */
function SourceBlock({ text, block, segments, chosen }: SourceBlockProps) {
  return useMemo(
    () => (
      <p
        class="block"
        dir="auto"
        style={{ containIntrinsicBlockSize: `auto ${blockLines(text, block, LINE_EMS)}lh` }}
      >
        {segments.map(({ start, end, marks }) => {
          const piece = text.slice(start, end);
          const shown = marks.find((mark) => mark.passage === chosen) ?? marks[0];
          if (shown === undefined) return piece;
          return (
            <mark
              key={start}
              class={shown.passage === chosen ? "chosen" : undefined}
              data-source-passage={shown.passage.index}
            >
              {piece}
            </mark>
          );
        })}
      </p>
    ),
    [text, block, segments, chosen],
  );
}

type PendingSourceProps = {
  readonly passage: PlacedPassage;
  readonly error: unknown;
  readonly reload: () => void;
};

/** Stands for the text of a source that is still loading, could not be loaded, or has been deleted. */
export function PendingSource({ passage, error, reload }: PendingSourceProps) {
  if (!isDeleted(error)) return <Pending text={say("loading.source")} error={error} reload={reload} />;
  return (
    <Notice kind="warn" title={say("report.sourceDeleted")}>
      <p>{say("report.excerptKept")}</p>
      <p dir="auto" class="kept">
        {passage.passage.overlap_text_preview}
      </p>
    </Notice>
  );
}

export function isDeleted(error: unknown): boolean {
  return error instanceof ProblemError && error.code === "source_not_found";
}

/** A part of a source's text, in UTF-16 units. `length` is the length of the whole source. */
type SourceExtract = { readonly start: number; readonly text: string; readonly length: number };

/** Reads the text of a source from `start` to `end`, or to its end, in as many requests as it takes. */
export async function readSource(
  checkId: string,
  documentId: string,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<SourceExtract> {
  let text = "";
  for (;;) {
    const range = { start: start + text.length, end, offset_unit: "utf16" } as const;
    const read = await engine.getSourceText(checkId, documentId, range, { signal });
    text += read.text;
    if (read.text === "" || start + text.length >= Math.min(end, read.char_count))
      return { start, text, length: read.char_count };
  }
}

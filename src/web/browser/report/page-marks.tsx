import { useMemo } from "preact/hooks";
import { filterReason } from "../../../report/wording.ts";
import { say, texts } from "../shared/texts.ts";
import {
  type Box,
  boxAround,
  cornersOf,
  joinBoxes,
  type MeasureText,
  type PagePiece,
  sideOf,
  stack,
} from "./page-places.ts";
import type { Segment } from "./passages.ts";
import { type Emphasis, emphasisOf, Numbers, passageMark, SOURCES_SHOWN } from "./text-view.tsx";
import type { PdfPage } from "./use-pdf.ts";
import type { Reading } from "./use-reading.ts";

type MarkedSegment = { readonly segment: Segment; readonly pieces: readonly PagePiece[] };

type PageMarksProps = {
  readonly page: PdfPage;
  /** Of the page as it is shown, in pixels. */
  readonly width: number;
  readonly marked: readonly MarkedSegment[];
  readonly reading: Reading;
};

/** The marks of a page, which lie over the drawing, and the numbers of its passages beside it. */
export function PageMarks({ page, width, marked, reading }: PageMarksProps) {
  const boxes = useMemo(() => marked.map((one) => boxesOf(page, one)), [page, marked]);
  const emphasis = emphasisOf(reading);
  return (
    <>
      <div class="page-marks">
        {marked.map(({ segment }, index) => {
          const look = lookOf(segment, emphasis);
          return boxes[index]?.map((box, at) => (
            <mark
              key={`${segment.start} ${at}`}
              class={look.classes}
              title={look.title}
              data-passage={look.passage}
              style={styleOf(box, page)}
            />
          ));
        })}
      </div>
      {(["left", "right"] as const).map((side) => (
        <div key={side} class={`page-numbers ${side}`}>
          {numbersOf(marked, boxes, page, width, side).map(({ segment, top }) => (
            <span key={segment.start} class="page-number" style={{ top: `${top}px` }}>
              <Numbers segment={segment} emphasis={emphasis} linkOf={reading.linkOf} />
            </span>
          ))}
        </div>
      ))}
    </>
  );
}

/** The height of a number, as in its styles. */
const NUMBER_PX = 17;

/** The segments that have numbers on a side of the page, with the place of these: on the line where the segment begins, or below other numbers. */
function numbersOf(
  marked: readonly MarkedSegment[],
  boxes: readonly (readonly Box[])[],
  { viewport }: PdfPage,
  width: number,
  side: "left" | "right",
) {
  const scale = width / viewport.width;
  const numbered = marked
    .flatMap(({ segment }, at) => {
      const own = boxes[at] ?? [];
      const [first] = own;
      if (first === undefined || segment.begins.length === 0) return [];
      if (sideOf(own, viewport.width) !== side) return [];
      const length = NUMBER_PX * Math.min(segment.begins.length, SOURCES_SHOWN + 1);
      return [{ segment, start: first.top * scale, length }];
    })
    .sort((a, b) => a.start - b.start);
  const tops = stack(numbered);
  return numbered.map(({ segment, start }, at) => ({ segment, top: tops[at] ?? start }));
}

type Look = { readonly classes: string; readonly title?: string; readonly passage?: number };

function lookOf(segment: Segment, emphasis: Emphasis): Look {
  const mark = passageMark(segment, emphasis);
  if (mark !== undefined) return mark;
  if (segment.excluded !== undefined)
    return {
      classes: "excluded",
      title: say("mark.filtered", { reason: filterReason(segment.excluded.filter, texts) }),
    };
  return { classes: "orphan", title: say("mark.deleted") };
}

/** The boxes of a segment on a page, in pixels of the page at its own size. */
function boxesOf({ viewport, read }: PdfPage, { segment, pieces }: MarkedSegment): Box[] {
  const boxes = pieces.map((piece) => {
    const part = { start: Math.max(segment.start, piece.start), end: Math.min(segment.end, piece.end) };
    const corners = cornersOf(piece, part, read.fonts, measureText);
    return boxAround(
      corners.map(([x, y]) => {
        const [right = 0, down = 0] = viewport.convertToViewportPoint(x, y);
        return [right, down] as const;
      }),
    );
  });
  return joinBoxes(boxes.filter(({ left, right, top, bottom }) => right > left && bottom > top));
}

const MEASURING = document.createElement("canvas").getContext("2d");

/** Large, so that rounding to pixels does not matter. */
const MEASURED_PX = 100;

const measureText: MeasureText = (text, fontFamily) => {
  if (MEASURING === null) return text.length;
  MEASURING.font = `${MEASURED_PX}px ${fontFamily}`;
  return MEASURING.measureText(text).width;
};

/** In shares of the page, so that marks follow its size without being drawn again. */
function styleOf(box: Box, { viewport: { width, height } }: PdfPage) {
  return {
    left: share(box.left, width),
    top: share(box.top, height),
    width: share(box.right - box.left, width),
    height: share(box.bottom - box.top, height),
  };
}

function share(length: number, whole: number): string {
  return `${(100 * length) / whole}%`;
}

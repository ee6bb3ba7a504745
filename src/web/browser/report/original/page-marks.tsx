import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { filterReason } from "../../../../reports/wording.ts";
import { type Emphasis, emphasisOf, Numbers, passageMark } from "../segment-view.tsx";
import type { Segment } from "../segments.ts";
import type { Reading } from "../use-reading.ts";
import {
  type Box,
  boxAround,
  cornersOf,
  joinBoxes,
  type MeasureText,
  type PagePiece,
} from "./page-places.ts";
import type { PdfPage } from "./use-pdf.ts";

export type MarkedSegment = { readonly segment: Segment; readonly pieces: readonly PagePiece[] };

type PageMarksProps = {
  readonly page: PdfPage;
  readonly marked: readonly MarkedSegment[];
  readonly reading: Reading;
};

/** The marks of a page and the numbers of its passages, which lie over the drawing. */
export function PageMarks({ page, marked, reading }: PageMarksProps) {
  const boxes = useMemo(() => marked.map((one) => boxesOf(page, one)), [page, marked]);
  const emphasis = emphasisOf(reading);
  return (
    <div class="page-marks">
      {marked.map(({ segment }, index) => {
        const own = boxes[index] ?? [];
        const look = lookOf(segment, emphasis);
        const [first] = own;
        return (
          <Fragment key={segment.start}>
            {own.map((box, at) => (
              <mark
                key={at}
                class={look.classes}
                title={look.title}
                data-passage={look.passage}
                style={styleOf(box, page)}
              />
            ))}
            {first !== undefined && segment.begins.length > 0 && (
              <span class="page-number" style={startOf(first, page)}>
                <Numbers segment={segment} emphasis={emphasis} linkOf={reading.linkOf} />
              </span>
            )}
          </Fragment>
        );
      })}
    </div>
  );
}

type Look = { readonly classes: string; readonly title?: string; readonly passage?: number };

function lookOf(segment: Segment, emphasis: Emphasis): Look {
  const mark = passageMark(segment, emphasis);
  if (mark !== undefined) return mark;
  if (segment.excluded !== undefined)
    return { classes: "excluded", title: `Filtered: ${filterReason(segment.excluded.filter)}` };
  return { classes: "orphan", title: "Matched a source that has since been deleted" };
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

function startOf(box: Box, { viewport: { width, height } }: PdfPage) {
  return { left: share(box.left, width), top: share(box.top, height) };
}

function share(length: number, whole: number): string {
  return `${(100 * length) / whole}%`;
}

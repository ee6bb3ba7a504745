import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { colourOf } from "../../../../reports/source-colours.ts";
import type { TextBlock } from "../../shared/text/text-blocks.ts";
import { matchedTenths } from "../model/matched-tenths.ts";
import { minimapBands } from "../model/minimap-bands.ts";
import type { Segment } from "../model/segments.ts";
import { placesInView } from "./place-in-text.ts";

/** Fine enough that a sentence of a long text shows, and no more shapes than a screen has lines. */
const ROWS = 400;

/** Shorter bands could not be seen. */
const BAND_ROWS_MIN = 2;

/** Where along the text matches lie, and which part is in view. A click goes there. */
export function Minimap({
  segments,
  blocks,
  length,
  source,
  container,
  onPlace,
}: {
  readonly segments: readonly (readonly Segment[])[];
  readonly blocks: readonly TextBlock[];
  readonly length: number;
  /** The chosen source, by its number. */
  readonly source: number | undefined;
  readonly container: RefObject<HTMLDivElement | null>;
  readonly onPlace: (offset: number) => void;
}) {
  const view = useViewFrame(container, blocks, length);
  const flat = useMemo(() => {
    const all = segments.flat();
    if (source === undefined) return all;
    return all.map((one) => ({ ...one, passages: one.passages.filter((p) => p.source.number === source) }));
  }, [segments, source]);
  const bands = useMemo(() => minimapBands(flat, length, ROWS), [flat, length]);
  const tenths = useMemo(() => matchedTenths(flat, length), [flat, length]);
  const go = (event: MouseEvent) => {
    const { currentTarget, clientY } = event;
    if (!(currentTarget instanceof Element)) return;
    const box = currentTarget.getBoundingClientRect();
    onPlace(Math.min(length - 1, Math.max(0, Math.floor(((clientY - box.top) / box.height) * length))));
  };
  return (
    <div class="minimap">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a picture to point at; keys go through the passages themselves */}
      <svg
        role="img"
        aria-label={`Where matches lie, in tenths of the text: ${tenths.map((share) => `${share}%`).join(", ")}`}
        viewBox={`0 0 10 ${ROWS}`}
        preserveAspectRatio="none"
        onClick={go}
      >
        {bands.map(({ top, rows, source: number }) => (
          <rect
            key={top}
            class={`c${colourOf(number)}`}
            x="1"
            width="8"
            y={top}
            height={Math.max(BAND_ROWS_MIN, rows)}
          />
        ))}
        <rect ref={view} class="in-view" x="0" width="10" y="0" height="0" />
      </svg>
    </div>
  );
}

/** Keeps the frame at what is in view, without drawing the map anew. */
function useViewFrame(
  container: RefObject<HTMLDivElement | null>,
  blocks: readonly TextBlock[],
  length: number,
): RefObject<SVGRectElement | null> {
  const frame = useRef<SVGRectElement>(null);
  useEffect(() => {
    let asked = 0;
    const place = () => {
      asked = 0;
      if (container.current === null || length === 0) return;
      const { start, end } = placesInView(container.current, blocks);
      frame.current?.setAttribute("y", String((start / length) * ROWS));
      frame.current?.setAttribute("height", String(Math.max(BAND_ROWS_MIN, ((end - start) / length) * ROWS)));
    };
    const ask = () => {
      asked ||= requestAnimationFrame(place);
    };
    ask();
    addEventListener("scroll", ask, { passive: true });
    addEventListener("resize", ask);
    return () => {
      cancelAnimationFrame(asked);
      removeEventListener("scroll", ask);
      removeEventListener("resize", ask);
    };
  }, [container, blocks, length]);
  return frame;
}

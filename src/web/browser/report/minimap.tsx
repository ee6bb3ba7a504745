import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { matchBands, matchedTenths } from "../../../report/figures/match-bands.ts";
import { colourOf } from "../../../report/source-colours.ts";
import { offsetsInView } from "../shared/text-places.ts";
import { say, texts } from "../shared/texts.ts";
import type { Reading } from "./use-reading.ts";

/** Enough for a sentence of a long text to show, with no more shapes than a screen has lines. */
const ROWS = 400;

/** Thinner bands would be invisible. */
const BAND_ROWS_MIN = 2;

/** A map of the matches along the text, with the visible part. A click scrolls there. */
export function Minimap({ reading }: { readonly reading: Reading }) {
  const { report, segments, source, reveal } = reading;
  const { length } = report.query_text;
  const visiblePart = useVisiblePart(reading, length);
  const matched = useMemo(
    () =>
      segments.flat().flatMap(({ start, end, passages }) => {
        const shown = passages.find((one) => source === undefined || one.source === source);
        return shown === undefined ? [] : [{ start, end, source: shown.source.number }];
      }),
    [segments, source],
  );
  const bands = useMemo(() => matchBands(matched, length, ROWS), [matched, length]);
  const tenths = useMemo(() => matchedTenths(matched, length), [matched, length]);
  const titles = new Map(report.sources.map(({ number, title }) => [number, title]));
  const go = (event: MouseEvent) => {
    const { currentTarget, clientY } = event;
    if (!(currentTarget instanceof Element)) return;
    const box = currentTarget.getBoundingClientRect();
    reveal(Math.min(length - 1, Math.max(0, Math.floor(((clientY - box.top) / box.height) * length))));
  };
  return (
    <div class="minimap">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users go through the passages themselves */}
      <svg
        role="img"
        aria-label={say("map.shares", { shares: tenths.map(texts.wholePercent).join(", ") })}
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
          >
            <title>{say("report.source", { number, title: titles.get(number) ?? "" })}</title>
          </rect>
        ))}
        <rect ref={visiblePart} class="visible-part" x="0" width="10" y="0" height="0" />
      </svg>
    </div>
  );
}

/** Moves the rectangle of the visible part while the page scrolls, without redrawing the map. */
function useVisiblePart(
  { container, original, blocks }: Reading,
  length: number,
): RefObject<SVGRectElement | null> {
  const rectangle = useRef<SVGRectElement>(null);
  useEffect(() => {
    let requested = 0;
    const place = () => {
      requested = 0;
      const places = original.current ?? { element: container, blocks };
      const text = places.element.current;
      if (text === null || places.blocks.length === 0 || length === 0)
        return rectangle.current?.setAttribute("height", "0");
      const { start, end } = offsetsInView({
        scroller: document.documentElement,
        text,
        blocks: places.blocks,
      });
      const height = Math.max(BAND_ROWS_MIN, ((end - start) / length) * ROWS);
      rectangle.current?.setAttribute("y", String((start / length) * ROWS));
      rectangle.current?.setAttribute("height", String(height));
    };
    const request = () => {
      requested ||= requestAnimationFrame(place);
    };
    request();
    addEventListener("scroll", request, { passive: true });
    addEventListener("resize", request);
    // The pages of a file are drawn later than the text, and are higher.
    const observer = new ResizeObserver(request);
    observer.observe(document.body);
    return () => {
      cancelAnimationFrame(requested);
      observer.disconnect();
      removeEventListener("scroll", request);
      removeEventListener("resize", request);
    };
  }, [container, original, blocks, length]);
  return rectangle;
}

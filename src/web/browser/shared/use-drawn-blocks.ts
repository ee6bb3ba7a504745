import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

/** The first screens, drawn at once. */
const FIRST_BLOCKS = 8;

/** Blocks per step after that: some 20 ms, so that scrolling and typing stay fluid. */
const NEXT_BLOCKS = 40;

/** How many blocks of a text have their content: all of them at once would delay the first paint. */
export function useDrawnBlocks(all: number): number {
  const [drawn, setDrawn] = useState(FIRST_BLOCKS);
  useEffect(() => {
    if (drawn >= all) return;
    const timer = setTimeout(() => setDrawn(drawn + NEXT_BLOCKS));
    return () => clearTimeout(timer);
  }, [drawn, all]);
  return drawn;
}

/** The estimate before the first layout. */
const LINE_EMS = 38;

/** Width changes below this step do not change the estimated heights enough to redraw. */
const STEP_EMS = 4;

/** The width of a text in ems, with which the heights of its blocks are estimated. */
export function useLineWidth(container: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(LINE_EMS);
  useLayoutEffect(() => {
    const element = container.current;
    if (element === null) return;
    const measure = () => {
      const ems = element.clientWidth / Number.parseFloat(getComputedStyle(element).fontSize);
      setWidth(Math.max(STEP_EMS, Math.round(ems / STEP_EMS) * STEP_EMS));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [container]);
  return width;
}

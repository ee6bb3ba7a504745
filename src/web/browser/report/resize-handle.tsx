import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { lastingStorage, readStored, store } from "../shared/browser-storage.ts";
import { isRightToLeft, say } from "../shared/texts.ts";

/** The width from which sources and comparison stand beside the text; see `report.css`. */
export const WIDE = "(min-width: 62rem)";

/** The size of the comparison in percent of the window: its width beside the text, its height at the bottom of a narrow window. */
type PanelSize = { readonly width: number; readonly height: number };

const DEFAULT: PanelSize = { width: 34, height: 50 };
const PERCENT_MIN = 20;
/** Beyond this, the text beside it could not be read. */
const PERCENT_MAX = 70;
const STEP = 4;
/** The comparison stands at the end of the line: at the left where lines run from the right. */
const TOWARDS_TEXT = isRightToLeft ? -1 : 1;
const STORED_AS = "comparison-size";

/** The edge of the comparison: dragging it, or the arrow keys, changes the size, which this browser keeps. */
export function ResizeHandle() {
  const [size, setSize] = useState(storedSize);
  const isWide = useIsWide();
  const side = isWide ? "width" : "height";
  /** Where dragging began, and the size there. */
  const dragged = useRef({ percent: 0, x: 0, y: 0 });
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty("--comparison-width", `${size.width}vw`);
    style.setProperty("--comparison-height", `${size.height}dvh`);
  }, [size]);
  const change = (percent: number) => {
    const next = { ...size, [side]: Math.min(PERCENT_MAX, Math.max(PERCENT_MIN, Math.round(percent))) };
    setSize(next);
    store(lastingStorage, STORED_AS, `${next.width} ${next.height}`);
  };
  const drag = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof Element)) return;
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { percent, x, y } = dragged.current;
    const moved = isWide
      ? (TOWARDS_TEXT * (x - event.clientX)) / innerWidth
      : (y - event.clientY) / innerHeight;
    change(percent + moved * 100);
  };
  const [towards, away] = isRightToLeft ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
  const grow = isWide ? towards : "ArrowUp";
  const shrink = isWide ? away : "ArrowDown";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule can't be moved
    <div
      class="resize-handle"
      role="separator"
      tabIndex={0}
      aria-label={say("comparison.size")}
      aria-orientation={isWide ? "vertical" : "horizontal"}
      aria-valuemin={PERCENT_MIN}
      aria-valuemax={PERCENT_MAX}
      aria-valuenow={size[side]}
      onPointerDown={({ currentTarget, pointerId, clientX: x, clientY: y }) => {
        currentTarget.setPointerCapture(pointerId);
        dragged.current = { percent: size[side], x, y };
      }}
      onPointerMove={drag}
      onKeyDown={(event) => {
        if (event.key !== grow && event.key !== shrink) return;
        event.preventDefault();
        change(size[side] + (event.key === grow ? STEP : -STEP));
      }}
    />
  );
}

function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const follow = () => setIsWide(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isWide;
}

function storedSize(): PanelSize {
  const [width, height] = (readStored(lastingStorage, STORED_AS) ?? "").split(" ").map(Number);
  const isValid = (percent: number | undefined): percent is number =>
    percent !== undefined && percent >= PERCENT_MIN && percent <= PERCENT_MAX;
  return isValid(width) && isValid(height) ? { width, height } : DEFAULT;
}

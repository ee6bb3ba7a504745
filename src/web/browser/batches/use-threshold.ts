import { useEffect, useRef, useState } from "preact/hooks";

export type Threshold = {
  readonly pct: number;
  /** While it is dragged: followed once for each frame that is drawn. */
  readonly drag: (pct: number) => void;
  /** When it stands: kept in the address. Browsers take only some changes of it in a second. */
  readonly settle: (pct: number) => void;
};

/** The least similarity of the pairs that are shown. @param settled the one in the address */
export function useThreshold(settled: number, onSettle: (pct: number) => void): Threshold {
  const [dragged, setDragged] = useState<number>();
  const latest = useRef(settled);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return {
    pct: dragged ?? settled,
    drag: (pct) => {
      latest.current = pct;
      frame.current ||= requestAnimationFrame(() => {
        frame.current = 0;
        setDragged(latest.current);
      });
    },
    settle: (pct) => {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
      setDragged(undefined);
      onSettle(pct);
    },
  };
}

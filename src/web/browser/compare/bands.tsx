import { useEffect, useRef, useState } from "preact/hooks";
import { overlapLength } from "../../../text/span.ts";
import { edgesOf, offsetsInView } from "../shared/text-places.ts";
import type { PairedPassage, Side } from "./paired-passages.ts";
import type { PairedScroll } from "./use-paired-scroll.ts";

/** More bands at once could not be told apart, and would slow the scrolling down. */
const BANDS_MAX = 80;

/** A band leads this far out of sight towards a place that is not in view. */
const BEYOND_PX = 60;

type Band = { readonly passage: PairedPassage; readonly path: string };

type BandsProps = {
  readonly passages: readonly PairedPassage[];
  readonly scroll: PairedScroll;
  /** The text on the left. */
  readonly first: Side;
  readonly chosen: PairedPassage | undefined;
  readonly lit: PairedPassage | undefined;
};

/** Connects the passages in view with their places in the other text. */
export function Bands({ passages, scroll, first, chosen, lit }: BandsProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [bands, setBands] = useState<readonly Band[]>([]);
  const { textOf, refs } = scroll;
  useEffect(() => {
    let requested = 0;
    const draw = () => {
      requested = 0;
      const box = svg.current?.getBoundingClientRect();
      // On narrow screens there is no space for bands.
      if (box !== undefined && box.width > 0) setBands(bandsOf(passages, textOf, first, box));
    };
    const request = () => {
      requested ||= requestAnimationFrame(draw);
    };
    request();
    const observer = new ResizeObserver(request);
    for (const side of ["query", "source"] as const) {
      refs[side].scroller.current?.addEventListener("scroll", request, { passive: true });
      // Blocks that are laid out change the height of the text.
      if (refs[side].text.current !== null) observer.observe(refs[side].text.current);
    }
    if (svg.current !== null) observer.observe(svg.current);
    return () => {
      cancelAnimationFrame(requested);
      observer.disconnect();
      for (const { scroller } of Object.values(refs))
        scroller.current?.removeEventListener("scroll", request);
    };
  }, [passages, textOf, refs, first]);
  // The emphasised ones lie above the others.
  const rank = ({ passage }: Band) => (passage === lit ? 2 : Number(passage === chosen));
  return (
    <svg class="pair-bands" ref={svg} aria-hidden="true">
      {bands
        .toSorted((a, b) => rank(a) - rank(b))
        .map(({ passage, path }) => {
          const classes = ["band", `k-${passage.passage.match_type}-mark`];
          if (passage === chosen) classes.push("chosen");
          if (passage === lit) classes.push("lit");
          return <path key={passage.index} class={classes.join(" ")} d={path} />;
        })}
    </svg>
  );
}

function bandsOf(
  passages: readonly PairedPassage[],
  textOf: PairedScroll["textOf"],
  first: Side,
  box: DOMRect,
): Band[] {
  const second = first === "query" ? "source" : "query";
  const [left, right] = [textOf(first), textOf(second)];
  if (left === undefined || right === undefined) return [];
  const [leftView, rightView] = [offsetsInView(left), offsetsInView(right)];
  const within = (y: number) =>
    Math.round(Math.min(box.height + BEYOND_PX, Math.max(-BEYOND_PX, y - box.top)) * 2) / 2;
  return passages
    .filter(
      (passage) =>
        overlapLength(passage[first], leftView) > 0 || overlapLength(passage[second], rightView) > 0,
    )
    .slice(0, BANDS_MAX)
    .map((passage) => {
      const [a, b] = [edgesOf(left, passage[first]), edgesOf(right, passage[second])];
      return {
        passage,
        path: bandPath(box.width, within(a.top), within(a.bottom), within(b.top), within(b.bottom)),
      };
    });
}

/** From a range on the left edge to one on the right, in curves. */
function bandPath(width: number, top: number, bottom: number, otherTop: number, otherBottom: number): string {
  const middle = width / 2;
  return (
    `M0 ${top}C${middle} ${top} ${middle} ${otherTop} ${width} ${otherTop}` +
    `V${otherBottom}C${middle} ${otherBottom} ${middle} ${bottom} 0 ${bottom}Z`
  );
}

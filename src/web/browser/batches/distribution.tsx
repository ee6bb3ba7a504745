import { useId, useMemo, useRef } from "preact/hooks";
import { say, sayCount, sayParts, texts } from "../shared/texts.ts";
import { count, wholePercent } from "../shared/wording.ts";
import type { Threshold } from "./batch-address.ts";
import { type BatchGraph, type HistogramBin, memberHistogram } from "./batch-graph.ts";
import { SaveButton, saveSvg, svgFile, useWidth } from "./svg-file.tsx";

const [HEIGHT, FOOT, HEAD] = [170, 20, 20];

/** Right of the axis, for the number at its end. */
const SIDE = 14;

/**
 * Left of the axis, for the bar of the members without any pair: they have no place on the axis, and no threshold leaves them out.
 * With the margins of the slider, 0% and 100% are below each other.
 */
const [UNPAIRED_LEFT, UNPAIRED_PX, LEFT] = [2, 44, 64];

/** The width of a digit, and the space beside a number, in pixels. */
const [DIGIT_PX, BESIDE_PX] = [6.5, 4];

/** The ranges of the bars, in percent, and the width from which on the finer ones have space for their numbers. */
const [FINE_PCT, COARSE_PCT, FINE_FROM_PX] = [5, 10, 420];

/** Members without any pair would make all other bars flat: their bar is cut at this multiple of the others. */
const UNPAIRED_BAR_MAX = 1.3;

type DistributionProps = {
  readonly graph: BatchGraph;
  readonly threshold: Threshold;
  /** The graph lacks pairs below this percentage. */
  readonly least: number;
};

/** How similar the members are to their nearest ones, above the slider that says from where on pairs count. */
export function Distribution({ graph, threshold, least }: DistributionProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const width = useWidth(place);
  const { pct, drag, settle } = threshold;
  const save = () => drawing.current !== null && saveSvg(svgFile(drawing.current), say("batch.overview"));
  return (
    <figure class="distribution">
      <figcaption>
        <strong>{say("batch.distribution")}</strong>
        <SaveButton drawing={say("batch.overview")} onSave={save} />
      </figcaption>
      <div class="distribution-place" dir="ltr" ref={place}>
        {width > 0 && <Histogram graph={graph} width={width} pct={pct} svg={drawing} />}
      </div>
      <div class="threshold-control">
        {/* Below its axis, which runs from left to right in all languages. */}
        <input
          id={id}
          dir="ltr"
          type="range"
          min={least}
          max={100}
          value={pct}
          aria-valuetext={wholePercent(pct)}
          onInput={(event) => drag(Number(event.currentTarget.value))}
          onChange={(event) => settle(Number(event.currentTarget.value))}
        />
        <label for={id}>{sayParts("batch.atLeast", { pct: <strong>{wholePercent(pct)}</strong> })}</label>
      </div>
    </figure>
  );
}

const named = (name: string, members: number) =>
  say("join.colon", { name, text: sayCount("count.texts", members) });

type HistogramProps = Pick<DistributionProps, "graph"> & {
  readonly width: number;
  readonly pct: number;
  readonly svg: { current: SVGSVGElement | null };
};

function Histogram({ graph, width, pct, svg }: HistogramProps) {
  const bins = useMemo(
    () => memberHistogram(graph.members, width < FINE_FROM_PX ? COARSE_PCT : FINE_PCT),
    [graph, width < FINE_FROM_PX],
  );
  const filled = bins.filter(({ members }) => members > 0);
  const unpaired = graph.members.length - filled.reduce((sum, { members }) => sum + members, 0);
  const ofPaired = Math.max(1, ...bins.map(({ members }) => members));
  const highest = Math.max(ofPaired, Math.min(unpaired, UNPAIRED_BAR_MAX * ofPaired));
  const axisPx = width - LEFT - SIDE;
  const xOf = (at: number) => LEFT + (at / 100) * axisPx;
  const step = axisPx / bins.length;
  const bottom = HEIGHT - FOOT;
  const topOf = (members: number) =>
    bottom - Math.max(2, Math.round(Math.min(1, members / highest) * (bottom - HEAD)));
  const left = ({ from }: HistogramBin) => xOf(from);
  /** In the middle of its bar, or beside the line of the threshold where that would cross it. */
  const numberAt = (bin: HistogramBin) => {
    const [middle, line] = [left(bin) + step / 2, xOf(pct)];
    const half = (DIGIT_PX * count(bin.members).length) / 2 + BESIDE_PX;
    if (Math.abs(middle - line) >= half) return middle;
    return middle < line ? line - half : line + half;
  };
  return (
    <svg
      ref={svg}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      role="img"
      aria-label={[
        ...(unpaired > 0 ? [named(say("batch.noPair"), unpaired)] : []),
        ...filled.map(({ from, to, members }) => named(texts.percentRange(from, to), members)),
      ].join(", ")}
    >
      {unpaired > 0 && (
        <g class="unpaired">
          <rect x={UNPAIRED_LEFT} width={UNPAIRED_PX} y={topOf(unpaired)} height={bottom - topOf(unpaired)} />
          {unpaired > highest && (
            <path class="break" d={`M${UNPAIRED_LEFT - 1} ${topOf(unpaired) + 14}l${UNPAIRED_PX + 2} -8`} />
          )}
          <text class="number" x={UNPAIRED_LEFT + UNPAIRED_PX / 2} y={topOf(unpaired) - 4}>
            {count(unpaired)}
          </text>
          <text x={UNPAIRED_LEFT + UNPAIRED_PX / 2} y={HEIGHT - 4}>
            {say("batch.noPair")}
          </text>
        </g>
      )}
      {filled.map((bin) => (
        <g key={bin.from} class={bin.to <= pct ? "below" : undefined}>
          <rect
            x={left(bin) + 1}
            width={step - 2}
            y={topOf(bin.members)}
            height={bottom - topOf(bin.members)}
          />
        </g>
      ))}
      <path class="axis" d={`M${xOf(0)} ${bottom + 0.5}H${xOf(100)}`} />
      <path class="threshold" d={`M${xOf(pct)} 0V${bottom}`} />
      {filled.map((bin) => (
        <text key={bin.from} class="number" x={numberAt(bin)} y={topOf(bin.members) - 4}>
          {count(bin.members)}
        </text>
      ))}
      {[0, 25, 50, 75, 100].map((at) => (
        <g key={at}>
          <path class="axis" d={`M${xOf(at)} ${bottom}v4`} />
          <text x={xOf(at)} y={HEIGHT - 4}>
            {wholePercent(at)}
          </text>
        </g>
      ))}
    </svg>
  );
}

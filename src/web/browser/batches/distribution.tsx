import { useId, useMemo, useRef } from "preact/hooks";
import { SmallButton } from "../shared/elements.tsx";
import { count, counted } from "../shared/wording.ts";
import { type BatchGraph, memberHistogram } from "./batch-graph.ts";
import { levelOf } from "./levels.ts";
import { saveSvg, svgFile } from "./svg-file.ts";
import type { Threshold } from "./use-threshold.ts";

const BIN_PCT = 5;
const [WIDTH, HEIGHT, FOOT, HEAD] = [400, 124, 18, 16];

/** Members without any pair would make all other bars flat: their bar is cut at this multiple of the others. */
const FIRST_BAR_MAX = 2;

type DistributionProps = {
  readonly graph: BatchGraph;
  readonly threshold: Threshold;
  /** The graph lacks pairs below this percentage. */
  readonly least: number;
};

/** How similar the members are to their nearest ones, above the slider that says from where on pairs count. */
export function Distribution({ graph, threshold, least }: DistributionProps) {
  const id = useId();
  const drawing = useRef<SVGSVGElement>(null);
  const bins = useMemo(() => memberHistogram(graph.members, BIN_PCT), [graph]);
  const [first, ...others] = bins.map(({ members }) => members);
  const ofOthers = Math.max(1, ...others);
  const highest = Math.max(ofOthers, Math.min(first ?? 0, FIRST_BAR_MAX * ofOthers));
  const step = WIDTH / bins.length;
  const { pct, drag, settle } = threshold;
  const save = () => drawing.current !== null && saveSvg(svgFile(drawing.current), "distribution");
  return (
    <figure class="distribution">
      <figcaption>
        <strong>Texts by their highest similarity to another text</strong>
        <SmallButton onClick={save}>
          SVG<span class="hidden-visually"> file of the distribution</span>
        </SmallButton>
      </figcaption>
      <svg
        ref={drawing}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={bins
          .filter(({ members }) => members > 0)
          .map(({ from, to, members }) => `${from} to ${to}%: ${counted(members, "text")}`)
          .join(", ")}
      >
        <path class="threshold" d={`M${(pct / 100) * WIDTH} 0V${HEIGHT - FOOT}`} />
        {bins.map(({ from, to, members }, at) => {
          const height = (Math.min(1, members / highest) * (HEIGHT - FOOT - HEAD)) | 0;
          const shown = members > 0 ? Math.max(2, height) : 0;
          return (
            <g key={from} class={to <= pct ? "bin below" : "bin"}>
              <rect
                class={`level-${levelOf(from)}`}
                x={at * step + 1}
                width={step - 2}
                y={HEIGHT - FOOT - shown}
                height={shown}
              />
              {members > 0 && (
                <text x={(at + 0.5) * step} y={HEIGHT - FOOT - shown - 3}>
                  {members > highest ? `↑${count(members)}` : count(members)}
                </text>
              )}
            </g>
          );
        })}
        <path class="axis" d={`M0 ${HEIGHT - FOOT + 0.5}H${WIDTH}`} />
        {[0, 25, 50, 75, 100].map((at) => (
          <text
            key={at}
            class={at === 0 ? "tick-first" : at === 100 ? "tick-last" : undefined}
            x={(at / 100) * WIDTH}
            y={HEIGHT - 3}
          >
            {at}%
          </text>
        ))}
      </svg>
      <div class="threshold-control">
        <input
          id={id}
          type="range"
          min={least}
          max={100}
          value={pct}
          aria-valuetext={`${pct}%`}
          onInput={(event) => drag(Number(event.currentTarget.value))}
          onChange={(event) => settle(Number(event.currentTarget.value))}
        />
        <label for={id}>
          Pairs from <strong>{pct}%</strong> on
        </label>
      </div>
    </figure>
  );
}

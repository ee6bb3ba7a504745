// A map of the rates: the shade of a country is its shrunken rate, so that small numbers don't stand out.
import type { Draw } from "./axis.ts";
import { shape } from "./elements.ts";
import { formatRate, isRightToLeft, say } from "./messages.ts";
import { pointText, type RatedRow } from "./rate-rows.ts";
import world from "./world-map.json" with { type: "json" };

const SHADES = 5;
/** Of a line of the legend, and of one shade in it. */
const LEGEND_PX = 26;
const SHADE_PX = 120;
const BOX_PX = 14;

type MapRow = RatedRow & {
  readonly code: string;
  /** The address of its page, where there is one. */
  readonly href?: string | undefined;
};

/**
 * Draws the countries in five shades with as many countries each. The arrow keys go from rate to rate.
 * @param describe called with the figures of the country that the pointer or the keyboard is on
 */
export function worldMap(rows: readonly MapRow[], describe: (text: string) => void): Draw {
  const sorted = rows
    .map((row) => ({ row, value: row.rate_shrunken ?? row.rate }))
    .toSorted((a, b) => b.value - a.value);
  const shadeOf = (index: number) => SHADES - 1 - Math.floor((index * SHADES) / sorted.length);
  const summary = say("highest", {
    first: pointText(sorted.at(0)?.row),
    last: pointText(sorted.at(-1)?.row),
  });
  return (width) => {
    const scale = width / world.width;
    const mapHeight = Math.ceil(world.height * scale);
    const areas = sorted.map(({ row }, index) => {
      const tip = pointText(row);
      const looks = {
        class: `shade-${shadeOf(index)}`,
        "aria-label": tip,
        tabindex: index === 0 ? 0 : -1,
      };
      const parts = [shape("title", {}, tip), ...outline(row.code)];
      const area =
        row.href === undefined
          ? shape("g", { ...looks, role: "img" }, ...parts)
          : shape("a", { ...looks, href: row.href }, ...parts);
      for (const event of ["focus", "pointerenter"]) area.addEventListener(event, () => describe(tip));
      return area;
    });
    for (const [index, area] of areas.entries())
      area.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        const next = areas[(index + step + areas.length) % areas.length];
        area.setAttribute("tabindex", "-1");
        next?.setAttribute("tabindex", "0");
        next?.focus();
      });
    const ranked = new Set(rows.map(({ code }) => code));
    const others = [...Object.keys(world.shapes), ...Object.keys(world.points)].filter(
      (code) => !ranked.has(code),
    );
    const height = mapHeight + LEGEND_PX * Math.ceil(SHADES / columnsAt(width));
    return shape(
      "svg",
      {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        class: "map",
        role: "group",
        "aria-label": summary,
      },
      shape("g", { transform: `scale(${scale})` }, ...others.flatMap((code) => outline(code)), ...areas),
      ...legend(width, mapHeight),
    );
  };

  function legend(width: number, top: number): SVGElement[] {
    const columns = columnsAt(width);
    return Array.from({ length: SHADES }, (_, shade) => {
      const values = sorted.filter((_one, index) => shadeOf(index) === shade).map(({ value }) => value);
      const text =
        values.length === 0 ? "" : `${formatRate(Math.min(...values))}–${formatRate(Math.max(...values))}`;
      const from = ((shade % columns) * width) / columns;
      const y = top + Math.floor(shade / columns) * LEGEND_PX;
      const x = isRightToLeft ? width - from - BOX_PX : from;
      return shape(
        "g",
        { class: `shade-${shade}` },
        shape("rect", { x, y: y + 6, width: BOX_PX, height: BOX_PX }),
        shape(
          "text",
          { x: isRightToLeft ? x - 5 : x + BOX_PX + 5, y: y + 18, class: "note" },
          `\u2066${text}\u2069`,
        ),
      );
    });
  }
}

/** How many shades have space beside each other. */
function columnsAt(width: number): number {
  return Math.max(1, Math.min(SHADES, Math.floor(width / SHADE_PX)));
}

const SHAPES: Readonly<Record<string, string>> = world.shapes;
const POINTS: Readonly<Record<string, string>> = world.points;

/** The outline of a country, or a dot for a small one; nothing for the few that the map lacks. */
function outline(code: string): SVGElement[] {
  const [d, point] = [SHAPES[code], POINTS[code]];
  if (d !== undefined) return [shape("path", { d })];
  const [cx = "", cy = ""] = point?.split(" ") ?? [];
  return point === undefined ? [] : [shape("circle", { cx, cy, r: 4 })];
}

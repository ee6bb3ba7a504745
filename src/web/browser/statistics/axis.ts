// Scales with round marks, and drawing that follows the width of the page.

export type Scale = {
  readonly start: number;
  readonly end: number;
  readonly marks: readonly number[];
  /** Where a value lies between the ends, from 0 to 1. */
  readonly fractionOf: (value: number) => number;
};

/** A scale from 0, on which equal distances are equal differences. Values beyond its end are at the end. */
export function linearScale(end: number, wanted: number): Scale {
  return {
    start: 0,
    end,
    marks: roundMarks(end, wanted),
    fractionOf: (value) => Math.min(value, end) / end,
  };
}

/** A scale on which equal distances are equal ratios. Values beyond an end are at that end. */
export function logScale(start: number, end: number): Scale {
  const [from, to] = [Math.log(start), Math.log(end)];
  const powers = Array.from(
    { length: Math.ceil(Math.log10(end)) - Math.floor(Math.log10(start)) + 1 },
    (_, index) => 10 ** (Math.floor(Math.log10(start)) + index),
  );
  return {
    start,
    end,
    marks: powers
      .flatMap((power) => [power, 2 * power, 5 * power])
      .filter((mark) => mark >= start * (1 - 1e-9) && mark <= end * (1 + 1e-9)),
    fractionOf: (value) => (Math.log(Math.min(Math.max(value, start), end)) - from) / (to - from),
  };
}

/** Round values from 0 to the end of a scale: steps of 1, 2 or 5 times a power of ten, about `wanted` of them. */
export function roundMarks(end: number, wanted: number): number[] {
  const rough = end / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5].map((factor) => factor * power).find((one) => one >= rough) ?? 10 * power;
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, index) => index * step);
}

/** The marks whose texts have space: each keeps a distance from the one before. */
export function marksWithSpace<Mark>(
  marks: readonly Mark[],
  at: (mark: Mark) => number,
  widthOf: (mark: Mark) => number,
): Mark[] {
  let taken = Number.NEGATIVE_INFINITY;
  return marks.filter((mark) => {
    const half = widthOf(mark) / 2;
    if (at(mark) - half < taken) return false;
    taken = at(mark) + half + 8;
    return true;
  });
}

/** Gives a chart at a width, in pixels. */
export type Draw = (width: number) => SVGSVGElement;

const watchers = new WeakMap<HTMLElement, ResizeObserver>();

/** Draws now, and again whenever the width of the place changes. */
export function drawIn(place: HTMLElement, draw: Draw): void {
  let drawnWidth: number | undefined;
  const redraw = () => {
    const width = Math.floor(place.clientWidth);
    if (width === 0 || width === drawnWidth) return;
    drawnWidth = width;
    place.replaceChildren(draw(width));
  };
  watchers.get(place)?.disconnect();
  const watcher = new ResizeObserver(redraw);
  watchers.set(place, watcher);
  watcher.observe(place);
  redraw();
}

const canvas = document.createElement("canvas").getContext("2d");

/** How wide a text is in the font of the page, at a size in pixels. */
export function textWidth(text: string, sizePx: number): number {
  if (canvas === null) return text.length * sizePx;
  canvas.font = `${sizePx}px ${getComputedStyle(document.body).fontFamily}`;
  return canvas.measureText(text).width;
}

/** A text that is cut to a width. */
export function fitText(text: string, sizePx: number, width: number): string {
  if (textWidth(text, sizePx) <= width) return text;
  let cut = text;
  while (cut.length > 1 && textWidth(`${cut}…`, sizePx) > width) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}…`;
}

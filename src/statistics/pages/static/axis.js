// What the charts need: scales with round marks, and drawing that follows the width of the page.

/** A scale from 0, on which equal distances are equal differences. Values beyond its end are at the end. */
export function linearScale(end, wanted) {
  return {
    start: 0,
    end,
    marks: roundMarks(end, wanted),
    fractionOf: (value) => Math.min(value, end) / end,
  };
}

/** A scale on which equal distances are equal ratios. Values beyond an end are at that end. */
export function logScale(start, end) {
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
export function roundMarks(end, wanted) {
  const rough = end / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough);
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, index) => index * step);
}

/** The marks whose texts have space: each keeps a distance from the one before. */
export function marksWithSpace(marks, at, widthOf) {
  let taken = Number.NEGATIVE_INFINITY;
  return marks.filter((mark) => {
    const half = widthOf(mark) / 2;
    if (at(mark) - half < taken) return false;
    taken = at(mark) + half + 8;
    return true;
  });
}

/** Draws now, and anew whenever the width of the place changes. `draw` takes the width in pixels and gives an SVG. */
export function drawIn(place, draw) {
  let drawnWidth;
  const redraw = () => {
    const width = Math.floor(place.clientWidth);
    if (width === 0 || width === drawnWidth) return;
    drawnWidth = width;
    place.replaceChildren(draw(width));
  };
  place.watcher?.disconnect();
  place.watcher = new ResizeObserver(redraw);
  place.watcher.observe(place);
  redraw();
}

const canvas = document.createElement("canvas").getContext("2d");

/** How wide a text is in the font of the page, at a size in pixels. */
export function textWidth(text, sizePx) {
  canvas.font = `${sizePx}px ${getComputedStyle(document.body).fontFamily}`;
  return canvas.measureText(text).width;
}

/** A text that is cut to a width. */
export function fitText(text, sizePx, width) {
  if (textWidth(text, sizePx) <= width) return text;
  let cut = text;
  while (cut.length > 1 && textWidth(`${cut}…`, sizePx) > width) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}…`;
}

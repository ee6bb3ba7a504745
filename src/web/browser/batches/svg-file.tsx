import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { SmallButton } from "../shared/elements.tsx";
import { saveFile } from "../shared/save-file.ts";
import { say } from "../shared/texts.ts";

const SVG = "http://www.w3.org/2000/svg";

/** The page's styles of a shape, which a separate file needs as attributes. */
const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "font-family",
  "font-size",
  "font-weight",
  "paint-order",
  "text-anchor",
] as const;

/** A drawing of the page as a file that looks the same without the page's styles, on the page's ground. */
export function svgFile(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error("the copy of a drawing is a drawing");
  const shapes = [...drawing.querySelectorAll("*")];
  for (const [at, shape] of [...copy.querySelectorAll("*")].entries()) {
    const shown = shapes[at];
    if (shown === undefined) continue;
    const style = getComputedStyle(shown);
    for (const property of PROPERTIES) shape.setAttribute(property, style.getPropertyValue(property));
    shape.removeAttribute("class");
  }
  const { width, height } = drawing.viewBox.baseVal;
  const ground = document.createElementNS(SVG, "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", getComputedStyle(drawing).backgroundColor);
  copy.prepend(ground);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.removeAttribute("class");
  return new XMLSerializer().serializeToString(copy);
}

type SaveButtonProps = { readonly drawing: string; readonly onSave: () => void };

/** Saves a drawing; screen readers hear which one. */
export function SaveButton({ drawing, onSave }: SaveButtonProps) {
  return (
    <SmallButton onClick={onSave}>
      {say("batch.saveSvg")}
      <span class="hidden-visually"> ({drawing})</span>
    </SmallButton>
  );
}

/** Saves a drawing under a name. */
export function saveSvg(content: string, name: string): void {
  saveFile(new Blob([content], { type: "image/svg+xml" }), `${name}.svg`);
}

/** The inner width of an element in whole pixels; 0 before the first layout. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observed = element.current;
    if (observed === null) return;
    const measure = () => setWidth(Math.floor(observed.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

import { type ComponentChild, render } from "preact";
import { makeRegion } from "./announce.ts";
import "./base.css";
import "./frame.css";
import "./controls.css";
import "./parts/parts.css";
import "./lists/listing.css";

/** Draws a page into the place that its document has for it. */
export function mount(page: ComponentChild): void {
  const place = document.getElementById("page");
  if (place === null) throw new Error("this document has no place for a page");
  makeRegion();
  place.replaceChildren();
  render(page, place);
}

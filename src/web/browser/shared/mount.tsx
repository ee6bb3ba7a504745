import { type ComponentChild, render } from "preact";
import { useLayoutEffect } from "preact/hooks";
import "./base.css";
import "./components.css";

/** Renders a page into its document's `main` element. */
export function mount(page: ComponentChild): void {
  const place = document.getElementById("page");
  if (place === null) throw new Error("this document has no element for the page");
  addLiveRegion();
  place.replaceChildren();
  render(page, place);
}

/** Names the browser's tab after what the page shows, once that is known. */
export function usePageTitle(title: string | undefined): void {
  useLayoutEffect(() => {
    if (title !== undefined) document.title = `${title} · Similarity Check`;
  }, [title]);
}

/** Makes screen readers say a sentence once they finish the current one; sighted readers see the change itself. */
export function announce(sentence: string): void {
  const region = document.getElementById(REGION_ID) ?? addLiveRegion();
  // An unchanged text would not be announced again.
  region.textContent = region.textContent === sentence ? `${sentence}\u00a0` : sentence;
}

const REGION_ID = "announcements";

/** Added when the page mounts, because screen readers only watch regions that exist before the text changes. */
function addLiveRegion(): HTMLElement {
  const region = document.createElement("div");
  region.id = REGION_ID;
  region.className = "hidden-visually";
  region.setAttribute("role", "status");
  document.body.append(region);
  return region;
}

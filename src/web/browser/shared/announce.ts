/** Has a screen reader say a sentence when it has finished the present one; sighted readers see the change itself. */
export function announce(sentence: string): void {
  const region = document.getElementById(REGION_ID) ?? makeRegion();
  // The same sentence twice would be no change, and so not be said.
  region.textContent = region.textContent === sentence ? `${sentence}\u00a0` : sentence;
}

/** Before the first sentence comes: a region is only listened to once it is there. */
export function makeRegion(): HTMLElement {
  const region = document.createElement("div");
  region.id = REGION_ID;
  region.className = "hidden-visually";
  region.setAttribute("role", "status");
  document.body.append(region);
  return region;
}

const REGION_ID = "announcements";

import { useEffect } from "preact/hooks";

/**
 * How often a list with something running asks anew. A stream for each row would be faster to tell, but a browser
 * keeps six connections to a host, and a list may show more.
 */
const REFRESH_MS = 1_000;

/** Calls `refresh` again and again while `isActive`; not while the page is in the background. */
export function useRefreshed(isActive: boolean, refresh: () => void): void {
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isActive, refresh]);
}

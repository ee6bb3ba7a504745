import { useLayoutEffect, useRef, useState } from "preact/hooks";

/**
 * Takes files that are dropped anywhere on the page, from its first frame on; elsewhere the browser would open them and leave the page.
 * @returns whether files are held over the page
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useLayoutEffect(() => {
    const ended = new AbortController();
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      // Leaving for no other element is leaving the window.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) latest.current(files);
    };
    addEventListener("dragover", over, { signal: ended.signal });
    addEventListener("dragleave", leave, { signal: ended.signal });
    addEventListener("drop", drop, { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return isOver;
}

/** Text that is dragged about is left to the browser. */
function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

import { useState } from "preact/hooks";
import { useWindowEvent } from "./use-window-event.ts";
import { bytes } from "./wording.ts";

/** The engine's limit on a file to check. */
const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** Why the service would refuse a file, known before it is sent. The service itself detects the file type, by content. */
export function fileFault(
  { size }: { readonly size: number },
  bytesMax: number = FILE_BYTES_MAX,
): string | undefined {
  if (size === 0) return "This file is empty.";
  if (size <= bytesMax) return undefined;
  return `This file is ${bytes(size)}, over the limit of ${bytes(bytesMax)}. Split it or remove its images.`;
}

/** Receives files dropped anywhere on the page, and on what; returns whether files are being dragged over it. */
export function useFileDrop(onFiles: (files: readonly File[], target: Element | undefined) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useWindowEvent("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setIsOver(true);
  });
  useWindowEvent("dragleave", (event) => {
    // Without a related target the pointer has left the window.
    if (event.relatedTarget === null) setIsOver(false);
  });
  useWindowEvent("drop", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setIsOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) onFiles(files, event.target instanceof Element ? event.target : undefined);
  });
  return isOver;
}

/** False for dragged text, which the browser handles. */
function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

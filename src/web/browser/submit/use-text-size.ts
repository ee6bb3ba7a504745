import { useEffect, useState } from "preact/hooks";
import { type TextSize, textSize } from "./text-size.ts";

/** Up to here counting takes under a millisecond, and goes with each letter. */
const COUNTED_AT_ONCE_CHARS = 20_000;

/** A longer text is counted when its writer pauses. */
const PAUSE_MS = 250;

/** The size of a text while it is typed. */
export function useTextSize(text: string, language: string): TextSize {
  const [size, setSize] = useState(() => textSize(text, language));
  useEffect(() => {
    const measure = () => setSize(textSize(text, language));
    if (text.length <= COUNTED_AT_ONCE_CHARS) return measure();
    const timer = setTimeout(measure, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, language]);
  return size;
}

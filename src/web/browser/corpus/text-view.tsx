import { useMemo } from "preact/hooks";
import { likelyLines, textBlocks } from "./text-blocks.ts";

/** A text of any length, as it was read from a file. What is out of view is not laid out, but the browser's search finds it. */
export function TextView({ text, language }: { readonly text: string; readonly language: string }) {
  const blocks = useMemo(() => textBlocks(text), [text]);
  return (
    <div class="document-text" lang={language}>
      {blocks.map((block, index) => (
        <div
          key={index}
          class="text-block"
          dir="auto"
          style={{ containIntrinsicBlockSize: `auto ${likelyLines(block)}lh` }}
        >
          {block}
        </div>
      ))}
    </div>
  );
}

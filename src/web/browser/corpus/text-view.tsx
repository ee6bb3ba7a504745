import { useMemo } from "preact/hooks";
import { blockLines } from "../shared/text/block-lines.ts";
import { textBlocks } from "../shared/text/text-blocks.ts";

/** Some screens of text, as nothing in it is marked: a document of 20 million characters has 5,000 blocks. */
const BLOCK_CHARS_MAX = 4_000;

/** The text's width on a wide screen; a guess is enough for what has not been in view. */
const LINE_EMS = 40;

/** A text of any length, as it was read from a file. What is out of view is not laid out, but the browser's search finds it. */
export function TextView({ text, language }: { readonly text: string; readonly language: string }) {
  const blocks = useMemo(() => textBlocks(text, BLOCK_CHARS_MAX), [text]);
  return (
    <div class="document-text" lang={language}>
      {blocks.map((block) => (
        <div
          key={block.start}
          class="text-block"
          dir="auto"
          style={{ containIntrinsicBlockSize: `auto ${blockLines(text, block, LINE_EMS)}lh` }}
        >
          {text.slice(block.start, block.end)}
        </div>
      ))}
    </div>
  );
}

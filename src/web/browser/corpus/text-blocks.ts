/**
 * The size of a block in characters (UTF-16). Some screens of text: the browser lays out those in view, and a document of
 * 20 million characters has 5,000 of them.
 */
const BLOCK_CHARS = 4_000;

/** A block without a line's end goes on no further than this. */
const BLOCK_CHARS_MAX = 8_000;

/**
 * Cuts a text into blocks that together are the text: at the end of a line where there is one, else after a space, else
 * anywhere but within a character.
 */
export function textBlocks(text: string): string[] {
  const blocks: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = blockEnd(text, start);
    blocks.push(text.slice(start, end));
    start = end;
  }
  return blocks;
}

function blockEnd(text: string, start: number): number {
  const far = start + BLOCK_CHARS_MAX;
  if (text.length <= start + BLOCK_CHARS) return text.length;
  const window = text.slice(start + BLOCK_CHARS, far);
  const line = window.indexOf("\n");
  if (line >= 0) return start + BLOCK_CHARS + line + 1;
  if (far >= text.length) return text.length;
  const space = window.search(/\s(?=\S*$)/);
  if (space >= 0) return start + BLOCK_CHARS + space + 1;
  return isWithinCharacter(text, far) ? far + 1 : far;
}

function isWithinCharacter(text: string, at: number): boolean {
  return /^[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]$/.test(text.charAt(at - 1));
}

/** Characters that a line holds on a wide screen; a guess is enough for what has not been in view. */
const LINE_CHARS = 85;

/** How many lines a block is likely to take. */
export function likelyLines(block: string): number {
  let lines = 0;
  for (const line of block.split("\n")) lines += Math.max(1, Math.ceil(line.length / LINE_CHARS));
  return block.endsWith("\n") ? lines - 1 : lines;
}

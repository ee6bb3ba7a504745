import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Tokenize } from "rtf-stream-parser";
import { ToPlainText } from "rtf-stream-parser/dist/src/ToPlainText.js";

/** The encodings of code pages that have no label with their number. */
const CODE_PAGES: ReadonlyMap<string, string> = new Map([
  ["cp866", "ibm866"],
  ["cp932", "shift_jis"],
  ["cp936", "gb18030"],
  ["cp949", "euc-kr"],
  ["cp950", "big5"],
  ["cp10000", "macintosh"],
  ["cp10007", "x-mac-cyrillic"],
]);

/** The text of a document in Rich Text Format, its paragraphs divided by blank lines. @throws when it is damaged. */
export async function rtfText(bytes: Uint8Array): Promise<string> {
  const pieces: string[] = [];
  const reader = new ToPlainText({ decode, replaceSymbolFontChars: true, warn: () => undefined });
  await pipeline(Readable.from([Buffer.from(bytes)]), new Tokenize(), shownTokens, reader, async (texts) => {
    for await (const text of texts) pieces.push(String(text));
  });
  return pieces.join("").replace(/\r?\n/g, "\n\n");
}

/** Groups that the reader would take for text of the document. */
const NOT_SHOWN = new Set(
  "info pict object fonttbl colortbl stylesheet listtable revtbl themedata datastore annotation".split(" "),
);
const [GROUP_START, GROUP_END] = [0, 1];

async function* shownTokens(tokens: AsyncIterable<Token>): AsyncGenerator<Token> {
  let start: Token | undefined;
  let skipped = 0;
  for await (const token of tokens) {
    const isStart = token.type === GROUP_START;
    if (skipped > 0) skipped += isStart ? 1 : token.type === GROUP_END ? -1 : 0;
    else if (start !== undefined && NOT_SHOWN.has(token.word ?? "")) {
      skipped = 1;
      start = undefined;
    } else {
      if (start !== undefined) yield start;
      start = isStart ? token : undefined;
      if (!isStart) yield token;
    }
  }
  if (start !== undefined) yield start;
}

type Token = { readonly type: number; readonly word?: string };

function decode(bytes: Buffer, codePage: string): string {
  try {
    return new TextDecoder(CODE_PAGES.get(codePage) ?? codePage.replace("cp", "windows-")).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

import { unescapeXml } from "./xml-text.ts";

/** Figures that a chart was drawn from; its titles and names are kept apart from them. */
const FIGURES = /<c:(numCache|numLit)>[\s\S]*?<\/c:\1>/g;

/** Text of a drawing, a cell of a chart's names, and the ends of both; with the text up to the next tag. */
const PIECE = /<(\/?)(a:p|a:t|c:v|dgm:t)(?=[\s/>])[^<>]*>([^<]*)/g;

/**
 * The words that a chart or a diagram (SmartArt) shows: titles, names of axes, series and categories, labels. Each
 * once, since a chart repeats the names of its categories for every series; numbers are no text.
 *
 * @param xml a chart's part or a diagram's data part, with the usual prefixes.
 */
export function drawingWords(xml: string): string[] {
  const found = new Set<string>();
  let words = "";
  for (const [, closing, name, text = ""] of xml.replace(FIGURES, "").matchAll(PIECE)) {
    const isText = name === "a:t" || name === "c:v";
    if (isText && closing === "") words += text;
    else if (closing === "/" && name !== "a:t") {
      found.add(unescapeXml(words).trim());
      words = "";
    }
  }
  return [...found].filter((text) => /\p{L}/u.test(text));
}

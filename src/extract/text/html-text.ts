import { convert, type HtmlToTextOptions } from "html-to-text";

const BLOCKS =
  "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table td th tr ul";

const NOT_SHOWN = "head title script style template img";

const HTML_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  whitespaceCharacters: " \t\r\n\f",
  limits: { maxInputLength: Number.POSITIVE_INFINITY }, // by default a long page is cut without a word
  baseElements: { selectors: [] }, // some pages have text behind their body
  selectors: [
    { selector: "*", format: "inline" },
    ...BLOCKS.split(" ").map((selector) => {
      return { selector, format: "block", options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } };
    }),
    ...NOT_SHOWN.split(" ").map((selector) => ({ selector, format: "skip" })),
    { selector: "br", format: "lineBreak" },
  ],
};

/**
 * The text of HTML as a browser shows it, without list marks; a blank line divides blocks and table cells. Errors are text.
 * @throws RangeError when it is nested too deeply: the walk is recursive.
 */
export function htmlText(html: string): string {
  // Word's own pages contain marks that are not HTML, such as `<![if !vml]>`.
  return convert(html.replace(/<!\[(?:if|endif)[^>]*>/gi, ""), HTML_OPTIONS);
}

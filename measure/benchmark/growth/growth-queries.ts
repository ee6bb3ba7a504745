import type { SampleArticle } from "../../../src/corpus/sample-corpus/select-articles.ts";
import type { Span } from "../../../src/text/span.ts";
import { mulberry32 } from "../../../test/support/work/prose.ts";
import { generatedText } from "./generated-corpus.ts";
import type { TextModel } from "./text-model.ts";

/** Seeds of queries; documents have those from 0 on. */
const QUERY_SEEDS = 1_000_000_000;

/** Words of a planted passage, and how many words of the query there are for each. */
const PASSAGE_WORDS = 100;
const WORDS_FOR_A_PASSAGE = 600;

/** Generated documents from which passages are taken: they are in the corpus at every size. */
const FIRST_DOCUMENTS = 100;

/** One in so many words of every second passage is replaced, so that the passage is not a plain copy. */
const REPLACED_OF = 7;

/** A text and where passages of the corpus stand in it, in UTF-16 units. */
export type GrowthQuery = { readonly text: string; readonly planted: readonly Span[] };

/**
 * Texts as they are submitted: new text of the model in which passages of the corpus stand, by turns of a real article and of
 * a generated document, copied and edited.
 */
export function growthQueries(
  model: TextModel,
  articles: readonly SampleArticle[],
  words: number,
  count: number,
): GrowthQuery[] {
  return Array.from({ length: count }, (_, at) => {
    const random = mulberry32(QUERY_SEEDS + words * 100 + at);
    const passages = Math.max(1, Math.floor(words / WORDS_FOR_A_PASSAGE));
    const own = model.text(QUERY_SEEDS + words * 100 + at, words - passages * PASSAGE_WORDS).split(" ");
    const between = Math.floor(own.length / passages);
    const planted: Span[] = [];
    let text = "";
    for (let passage = 0; passage < passages; passage += 1) {
      const isArticle = (at + passage) % 2 === 0;
      const source = isArticle
        ? (articles[Math.floor(random() * articles.length)]?.text ?? "")
        : generatedText(model, Math.floor(random() * FIRST_DOCUMENTS));
      text += `${own.slice(passage * between, (passage + 1) * between).join(" ")} `;
      const start = text.length;
      text += passageOf(source, passage % 2 === 1, random);
      planted.push({ start, end: text.length });
      text += " ";
    }
    return { text: text + own.slice(passages * between).join(" "), planted };
  });
}

function passageOf(source: string, isEdited: boolean, random: () => number): string {
  const words = source.split(/\s+/);
  const first = Math.floor(random() * Math.max(1, words.length - PASSAGE_WORDS));
  const passage = words.slice(first, first + PASSAGE_WORDS);
  if (!isEdited) return passage.join(" ");
  return passage
    .map((word, at) => (at % REPLACED_OF === 3 ? (words[Math.floor(random() * words.length)] ?? word) : word))
    .join(" ");
}

import { sfc32 } from "../../../test/support/work/prose.ts";

/**
 * Writes text with the word distribution of the articles it has read, from seeds: the same seed gives the same text. Words are
 * drawn as they follow one another in the articles (a Markov chain of order 1) or as often as they stand in all of them, in
 * equal parts: sentences and common phrases look natural, and runs of five equal words are rare. Names are made up, and
 * each text has some of its own, so that the vocabulary grows with the corpus. Texts have subjects: the words of two articles come
 * more often than by chance, so that many texts share rare words, as texts on one subject do.
 */
export class TextModel {
  readonly #tokens: readonly string[];
  /** The articles' words, in order, as numbers in `#tokens`. */
  readonly #running: Int32Array;
  /** Positions in `#running` of each token: the positions of token t begin at `#firstPlace[t]`. */
  readonly #places: Int32Array;
  readonly #firstPlace: Int32Array;
  /** Where each article begins in `#running`; its end last. */
  readonly #articleStarts: readonly number[];

  constructor(articles: readonly string[]) {
    const ids = new Map<string, number>();
    const running: number[] = [];
    const starts = [0];
    for (const article of articles) {
      for (const token of article.split(/\s+/)) {
        if (token === "") continue;
        const id = ids.get(token) ?? ids.size;
        ids.set(token, id);
        running.push(id);
      }
      starts.push(running.length);
    }
    this.#tokens = [...ids.keys()];
    this.#running = Int32Array.from(running);
    this.#articleStarts = starts;
    this.#firstPlace = new Int32Array(this.#tokens.length + 1);
    for (const id of running) this.#firstPlace[id + 1] = (this.#firstPlace[id + 1] ?? 0) + 1;
    for (let id = 0; id < this.#tokens.length; id += 1) {
      this.#firstPlace[id + 1] = (this.#firstPlace[id + 1] ?? 0) + (this.#firstPlace[id] ?? 0);
    }
    const next = this.#firstPlace.slice();
    this.#places = new Int32Array(running.length);
    for (const [position, id] of running.entries()) {
      const at = next[id] ?? 0;
      this.#places[at] = position;
      next[id] = at + 1;
    }
  }

  /** A text of about so many words, in paragraphs. */
  text(seed: number, words: number): string {
    const random = sfc32(seed);
    const upTo = (limit: number) => Math.floor(random() * limit);
    const names = Array.from({ length: NAMES_OF_TEXT }, () => madeUpName(random));
    const subjects = [upTo(this.#articleStarts.length - 1), upTo(this.#articleStarts.length - 1)];
    const paragraphs: string[] = [];
    let paragraph: string[] = [];
    let last = this.#running[upTo(this.#running.length)] ?? 0;
    for (let written = 0; written < words; written += 1) {
      const chance = random();
      if (chance < NAME_SHARE) {
        paragraph.push(chance < FRESH_NAME_SHARE ? madeUpName(random) : (names[upTo(names.length)] ?? ""));
        continue;
      }
      if (chance < NAME_SHARE + SUBJECT_SHARE) last = this.#wordOf(subjects[written % 2] ?? 0, random());
      else if (chance < CHAIN_FROM) last = this.#running[upTo(this.#running.length)] ?? 0;
      else last = this.#after(last, random());
      const token = this.#tokens[last] ?? "";
      paragraph.push(token);
      if (paragraph.length >= PARAGRAPH_WORDS && token.endsWith(".")) {
        paragraphs.push(paragraph.join(" "));
        paragraph = [];
      }
    }
    if (paragraph.length > 0) paragraphs.push(paragraph.join(" "));
    return `${paragraphs.join("\n\n")}\n`;
  }

  #after(token: number, chance: number): number {
    const first = this.#firstPlace[token] ?? 0;
    const count = (this.#firstPlace[token + 1] ?? 0) - first;
    const position = (this.#places[first + Math.floor(chance * count)] ?? 0) + 1;
    return this.#running[position % this.#running.length] ?? 0;
  }

  #wordOf(article: number, chance: number): number {
    const start = this.#articleStarts[article] ?? 0;
    const end = this.#articleStarts[article + 1] ?? this.#running.length;
    return this.#running[start + Math.floor(chance * (end - start))] ?? 0;
  }
}

const NAMES_OF_TEXT = 12;

/** The share of names that occur in few articles among all words, about as in encyclopedia articles. */
const NAME_SHARE = 0.02;
/** The share of words that occur nowhere else: a corpus of any size has about one new word in 200. */
const FRESH_NAME_SHARE = 0.005;

/** The share of words that are drawn from the articles of a text's subjects. */
const SUBJECT_SHARE = 0.1;

/** Above this a word follows the one before it as in some article. */
const CHAIN_FROM = 0.14;

const PARAGRAPH_WORDS = 80;

function madeUpName(random: () => number): string {
  const syllables = 2 + Math.floor(random() * 3);
  let name = "";
  for (let at = 0; at < syllables; at += 1) name += SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? "";
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const SYLLABLES = [
  "ba",
  "bor",
  "chel",
  "da",
  "dun",
  "el",
  "far",
  "gri",
  "ha",
  "ith",
  "jo",
  "kel",
  "la",
  "lun",
  "mar",
  "mi",
  "nor",
  "o",
  "pel",
  "qua",
  "ran",
  "ri",
  "sal",
  "sen",
  "ta",
  "tor",
  "ul",
  "va",
  "vin",
  "wes",
  "yor",
  "zan",
];

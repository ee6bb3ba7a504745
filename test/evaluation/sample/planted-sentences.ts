import { createHash } from "node:crypto";
import { codePointLength } from "../../../src/core/text/code-points.ts";
import { sentences } from "../../../src/core/text/sentences.ts";
import { wordCount } from "../../../src/core/text/words/word-count.ts";
import type { NamedText } from "../checks/load-texts.ts";
import type { PassagePair } from "../scoring/passage-pair.ts";

/** A text of other articles in which one sentence of a source stands. */
export type PlantedSentence = {
  readonly name: string;
  readonly text: string;
  readonly sourceName: string;
  /** Where the sentence stands on both sides, in code points, its full stop included. */
  readonly planted: PassagePair;
};

const LANGUAGE = "en";
const SENTENCE_WORDS = 15;
const HOST_WORDS = 2_000;

/**
 * Plants a sentence of 15 words of the sources, at most one of each, in about 2,000 words of the hosts, between two of their
 * sentences. Which sentence goes where is drawn from hashes: the same texts give the same trials.
 */
export function plantSentences(
  sources: readonly NamedText[],
  hosts: readonly NamedText[],
  trials: number,
): PlantedSentence[] {
  const chosen = byHash(sources, ({ name }) => name).flatMap((source) => {
    const [sentence] = byHash(sentencesOf(source.text), (one) => source.name + one.text);
    return sentence === undefined ? [] : [{ source, sentence }];
  });
  const hostTexts = byHash(hosts, ({ name }) => name).map(({ text }) => text);
  return chosen.slice(0, trials).map(({ source, sentence }, trial) => {
    const { before, after } = hostAround(hostTexts, trial);
    const queryStart = codePointLength(before);
    const sourceStart = codePointLength(source.text.slice(0, sentence.start));
    const length = codePointLength(sentence.text);
    return {
      name: `sentence ${trial + 1}`,
      text: `${before}${sentence.text} ${after}`,
      sourceName: source.name,
      planted: {
        query: { start: queryStart, end: queryStart + length },
        source: { start: sourceStart, end: sourceStart + length },
      },
    };
  });
}

/** The sentences of so many words that end with a full stop; `start` in UTF-16. */
function sentencesOf(text: string): { readonly start: number; readonly text: string }[] {
  return sentences(text, LANGUAGE)
    .map(({ start, end }) => ({ start, text: text.slice(start, end).trimEnd() }))
    .filter((one) => /^\p{Lu}[^\n]*\.$/u.test(one.text) && wordCount(one.text, LANGUAGE) === SENTENCE_WORDS);
}

/** Text of the hosts from the trial's own one on, divided behind one of its sentences. */
function hostAround(hosts: readonly string[], trial: number): { before: string; after: string } {
  const parts: string[] = [];
  let words = 0;
  for (let at = trial; words < HOST_WORDS; at++) {
    const text = hosts[at % hosts.length] ?? "";
    for (const { start, end } of sentences(text, LANGUAGE)) {
      if (words >= HOST_WORDS) break;
      const sentence = text.slice(start, end);
      parts.push(sentence);
      words += wordCount(sentence, LANGUAGE);
    }
    parts.push("\n\n");
  }
  const at = 1 + (hashOf(String(trial)) % (parts.length - 1));
  return { before: spaced(parts.slice(0, at).join("")), after: parts.slice(at).join("") };
}

function spaced(text: string): string {
  return /\s$/.test(text) ? text : `${text} `;
}

function byHash<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, key: hashOf(keyOf(item)) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** A number of 32 bits. */
function hashOf(key: string): number {
  return createHash("md5").update(key).digest().readUInt32BE(0);
}

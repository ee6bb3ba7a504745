import { createHash } from "node:crypto";
import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import { sentences } from "../../../src/text/chunk.ts";
import { codePointLength } from "../../../src/text/code-points.ts";
import { wordCount } from "../../../src/text/word-count.ts";
import { checkText, mapAtOnce, type TextCheck, withEvaluationService } from "../checks/evaluation-service.ts";
import { excerpt } from "../report/error-lines.ts";
import { overlap, type PassagePair } from "../scoring/match-passages.ts";
import { articlesOfPart, type NamedText, sampleTexts } from "../texts/corpus-texts.ts";
import { everyKth } from "../texts/parts.ts";
import { checkShuffled, shuffledLine, shuffledTexts } from "./shuffled-sentences.ts";

export type SentenceRequest = {
  /** The maximum number of sentences. */
  readonly limit: number;
  readonly wordsOnly: boolean;
  readonly atOnce: number;
  /** The number of failed trials to show. */
  readonly errors: number;
};

/** Enough to distinguish a share of 99% from one of 97%. */
const TRIALS_MAX = 400;

/** The hosts of one trial: 2,000 words are one to three articles. */
const HOSTS_PER_TRIAL = 2;

/** The result of one trial. */
export type SentenceTrial = {
  readonly sentence: PlantedSentence;
  /** The passage of the source that overlaps the sentence. */
  readonly found: PassagePair | undefined;
  /** Whether it has the edges of the sentence on both sides. */
  readonly isExact: boolean;
  /** Passages of the text around the sentence. */
  readonly others: readonly PassagePair[];
};

/**
 * Checks texts of one half of the articles, each with one sentence of the other half, against that other half: how many
 * sentences are found, with exact edges, and without passages of the text around them. Articles that share text with the
 * other half are left out: each article is checked by itself first. Texts of nothing but copied sentences, in random order,
 * come last.
 */
export async function evaluateSentences(
  { limit, atOnce, wordsOnly, errors }: SentenceRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const say = (line: string) => display.say(line);
  const articles = await sampleTexts(say);
  const sources = articlesOfPart(articles, "tune");
  const trialsMax = Math.min(limit, TRIALS_MAX);
  const hosts = everyKth(articlesOfPart(articles, "check"), HOSTS_PER_TRIAL * trialsMax);
  const shuffled = await shuffledTexts(sources);
  return withEvaluationService([...sources, ...shuffled.sources], { say, wordsOnly }, async (service) => {
    const total = hosts.length + trialsMax + shuffled.texts.length;
    const showDone = (done: number) => display.update({ done, total, totalIsFinal: true, failed: 0 });
    const others = await mapAtOnce(hosts, { atOnce, onDone: showDone, signal }, async (host) => {
      const { detections } = await checkText(service, host.name, host.text);
      return detections.size === 0 ? [host] : [];
    });
    const planted = plantSentences(sources, others.flat(), trialsMax);
    const onDone = (done: number) => showDone(hosts.length + done);
    const trials = await mapAtOnce(planted, { atOnce, onDone, signal }, async (sentence) =>
      trialOf(sentence, await checkText(service, sentence.name, sentence.text)),
    );
    const onText = (done: number) => showDone(hosts.length + planted.length + done);
    const results = await mapAtOnce(shuffled.texts, { atOnce, onDone: onText, signal }, (text) =>
      checkShuffled(service, text),
    );
    const lines = [
      ...sentenceLines(trials),
      ...failureLines(trials, errors),
      "",
      ...results.map(shuffledLine),
    ];
    return { lines, result: { trials, shuffled: results } };
  });
}

function trialOf(sentence: PlantedSentence, { detections }: TextCheck): SentenceTrial {
  const { planted, sourceName } = sentence;
  const found = detections.get(sourceName)?.find((passage) => overlap(passage, planted));
  const isExact =
    found !== undefined && isSame(found.query, planted.query) && isSame(found.source, planted.source);
  const { start, end } = planted.query;
  const others = [...detections.values()]
    .flat()
    .filter(({ query }) => query.end <= start || query.start >= end);
  return { sentence, found, isExact, others };
}

function isSame(a: PassagePair["query"], b: PassagePair["query"]): boolean {
  return a.start === b.start && a.end === b.end;
}

function sentenceLines(trials: readonly SentenceTrial[]): string[] {
  const share = (fits: (trial: SentenceTrial) => boolean) => {
    const count = trials.filter(fits).length;
    return `${count} (${((100 * count) / Math.max(1, trials.length)).toFixed(1)}%)`;
  };
  return [
    `${trials.length} sentences of 15 words, each in 2,000 words of other text:`,
    `found ${share(({ found }) => found !== undefined)}, with exact edges ${share(({ isExact }) => isExact)}, ` +
      `with nothing else found ${share(({ others }) => others.length === 0)}, ` +
      `all three ${share(({ isExact, others }) => isExact && others.length === 0)}`,
  ];
}

function failureLines(trials: readonly SentenceTrial[], errors: number): string[] {
  const failed = trials.filter(({ isExact, others }) => !isExact || others.length > 0);
  return failed
    .slice(0, errors)
    .flatMap(({ sentence: { name, text, sourceName, planted }, found, others }) => {
      const characters = [...text];
      return [
        "",
        `${name}, of ${sourceName}: ${found === undefined ? "not found" : "found"}`,
        `  planted ${excerpt(characters, planted.query)}`,
        ...(found === undefined ? [] : [`  found   ${excerpt(characters, found.query)}`]),
        ...others.map(({ query }) => `  also    ${excerpt(characters, query)}`),
      ];
    });
}

/** A text of other articles that contains one sentence of a source. */
export type PlantedSentence = {
  readonly name: string;
  readonly text: string;
  readonly sourceName: string;
  /** The sentence on both sides, with its full stop, in code points. */
  readonly planted: PassagePair;
};

const LANGUAGE = "en";
const SENTENCE_WORDS = 15;
const HOST_WORDS = 2_000;

/**
 * Plants sentences of 15 words, at most one of each source, in about 2,000 words of the hosts, between two of their sentences.
 * Hashes determine the choice: the same texts give the same trials.
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

/** The sentences of 15 words that end with a full stop; `start` in UTF-16. */
function sentencesOf(text: string): { readonly start: number; readonly text: string }[] {
  return sentences(text, LANGUAGE)
    .map(({ start, end }) => ({ start, text: text.slice(start, end).trimEnd() }))
    .filter((one) => /^\p{Lu}[^\n]*\.$/u.test(one.text) && wordCount(one.text, LANGUAGE) === SENTENCE_WORDS);
}

/** The text of successive hosts, from the trial's host on, divided after one of its sentences. */
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

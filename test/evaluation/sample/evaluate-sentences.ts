import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import { mapAtOnce } from "../checks/at-once.ts";
import { checkText, type TextCheck } from "../checks/check-text.ts";
import { withEvaluationService } from "../checks/evaluation-service.ts";
import { excerpt } from "../report/excerpt.ts";
import { overlap, type PassagePair } from "../scoring/passage-pair.ts";
import { everyKth } from "../texts/parts.ts";
import { articlesOfPart, eachOf, sampleTexts } from "./articles.ts";
import { type PlantedSentence, plantSentences } from "./planted-sentences.ts";

export type SentenceRequest = {
  /** At most so many sentences. */
  readonly limit: number;
  readonly atOnce: number;
  /** How many of the trials that failed are shown. */
  readonly errors: number;
};

/** Enough to tell a share of 99% from one of 97%. */
const TRIALS_MAX = 400;

/** A host has 2,000 words, which are one to three articles. */
const HOSTS_PER_TRIAL = 2;

/** How the sentence of one trial came out. */
export type SentenceTrial = {
  readonly sentence: PlantedSentence;
  /** What was found of the sentence in its source. */
  readonly found: PassagePair | undefined;
  /** Whether it begins and ends, on both sides, where the sentence does. */
  readonly isExact: boolean;
  /** What was found of the text around it. */
  readonly others: readonly PassagePair[];
};

/**
 * Checks texts of one half of the articles, each with one sentence of the other half in it, against that other half:
 * how many sentences are found, with exact edges, and with nothing of the text around them. Articles that share text with the
 * other half are no such text: each is checked by itself first, and left out when something is found.
 */
export async function evaluateSentences(
  { limit, atOnce, errors }: SentenceRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const say = (line: string) => display.say(line);
  const articles = await sampleTexts(say);
  const sources = articlesOfPart(articles, "tune");
  const trialsMax = Math.min(limit, TRIALS_MAX);
  const hosts = everyKth(articlesOfPart(articles, "check"), HOSTS_PER_TRIAL * trialsMax);
  return withEvaluationService(eachOf(sources), say, async (service) => {
    const total = hosts.length + trialsMax;
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
    return { lines: [...sentenceLines(trials), ...failureLines(trials, errors)], result: { trials } };
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

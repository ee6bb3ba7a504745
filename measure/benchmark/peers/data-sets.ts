import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { plantSentences } from "../../evaluation/sample/evaluate-sentences.ts";
import {
  articlesOfPart,
  corpusTexts,
  type NamedText,
  sampleTexts,
} from "../../evaluation/texts/corpus-texts.ts";
import { openPanCorpus, readQuery, type TextPair } from "../../evaluation/texts/pan-corpus.ts";
import { everyKth, pairsOfPart } from "../../evaluation/texts/parts.ts";
import { PAN13_ARCHIVE } from "../../evaluation/texts/places.ts";
import type { PeerJob } from "./peer-job.ts";
import type { KnownQuery } from "./recall.ts";

/** The sources, the queries, and the planted passages of the queries. */
export type PeerDataSet = {
  readonly name: string;
  readonly job: PeerJob;
  readonly queries: readonly KnownQuery[];
};

/** The text of a query with its planted passages. */
type QueryText = KnownQuery & { readonly text: string };

/** Texts of each class: enough to tell 80% of the sources from 100, and few enough for a run of minutes. */
const PAN13_TEXTS_A_CLASS = 8;

const SENTENCES = 20;

const PAN13_CLASSES: ReadonlyMap<string, string> = new Map([
  ["01-no-plagiarism", "nothing planted"],
  ["02-no-obfuscation", "verbatim"],
  ["03-random-obfuscation", "random"],
  ["04-translation-obfuscation", "translated"],
  ["05-summary-obfuscation", "summarised"],
]);

/**
 * All source texts of PAN13, and suspicious texts of each class from those on which no constant was chosen, neither of the
 * product nor of a peer. PAN13 lists some of the sources of a text and not all, so that a source counts as false only where
 * nothing was planted at all.
 * @param folder is filled with the texts.
 * @returns undefined where the corpus is not there.
 */
export async function pan13DataSet(
  folder: string,
  say: (line: string) => void,
): Promise<PeerDataSet | undefined> {
  const corpus = await openPanCorpus(PAN13_ARCHIVE);
  if (corpus === undefined) {
    say(`PAN13 is left out: ${PAN13_ARCHIVE} is not there`);
    return undefined;
  }
  const queries: QueryText[] = [];
  const byClass = Map.groupBy(pairsOfPart(corpus.pairs, "check", false), ({ className }) => className);
  for (const [className, label] of PAN13_CLASSES) {
    const texts = [...Map.groupBy(byClass.get(className) ?? [], ({ queryName }) => queryName)];
    const fitting = texts.filter(([, pairs]) => className.startsWith("01") || plantedIn(pairs).size > 0);
    for (const [name, pairs] of everyKth(fitting, PAN13_TEXTS_A_CLASS)) {
      const planted = plantedIn(pairs);
      const text = await readQuery(corpus.folder, name);
      queries.push({ name, className: label, planted, isAllKnown: planted.size === 0, text });
    }
  }
  const sources = await Array.fromAsync(corpusTexts(corpus, undefined, say));
  return dataSet("PAN13", folder, sources, queries);
}

/** Articles of the sample corpus, and other articles that each contain one of their sentences. @throws DomainError */
export async function sentencesDataSet(folder: string, say: (line: string) => void): Promise<PeerDataSet> {
  const articles = await sampleTexts(say);
  const sources = articlesOfPart(articles, "tune");
  const planted = plantSentences(sources, articlesOfPart(articles, "check"), SENTENCES);
  const queries = planted.map(({ name, text, sourceName, planted: { query } }) => ({
    name: `${name}.txt`,
    className: "one sentence",
    planted: new Map([[sourceName, [query]]]),
    isAllKnown: true,
    text,
  }));
  return dataSet("Sentences of 15 words in 2,000 words of other articles", folder, sources, queries);
}

function plantedIn(pairs: readonly TextPair[]): KnownQuery["planted"] {
  const withCases = pairs.filter(({ cases }) => cases.length > 0);
  return new Map(withCases.map(({ sourceName, cases }) => [sourceName, cases.map(({ query }) => query)]));
}

async function dataSet(
  name: string,
  folder: string,
  sources: readonly NamedText[],
  queries: readonly QueryText[],
): Promise<PeerDataSet> {
  const job = {
    sources: await writeTexts(join(folder, "sources"), sources),
    queries: await writeTexts(join(folder, "queries"), queries),
  };
  return { name, job, queries };
}

/** Writes each text into a file of the folder under its name. */
export async function writeTexts(folder: string, texts: readonly NamedText[]) {
  await mkdir(folder, { recursive: true });
  const written: { readonly name: string; readonly file: string }[] = [];
  for (const { name, text } of texts) {
    const file = join(folder, name);
    await writeFile(file, text);
    written.push({ name, file });
  }
  return written;
}

import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { z } from "zod";
import { readSampleCorpus } from "../../../src/corpus/sample-corpus/read-sample-corpus.ts";
import type { SampleArticle } from "../../../src/corpus/sample-corpus/select-articles.ts";
import { codePointLength } from "../../../src/text/code-points.ts";
import type { Span } from "../../../src/text/span.ts";
import type { TextPair } from "../texts/pan-corpus.ts";
import type { Part } from "../texts/parts.ts";
import { EVALUATION_DIR, SAMPLE_CORPUS_DIR } from "../texts/places.ts";

/**
 * An essay in which one paragraph was planted, and the source of the paragraph. `className` is the kind of rewriting;
 * `planted` is where the paragraph lies, in code points. An independent paragraph has no source: the named one is on the
 * same subject.
 */
export type ModernText = TextPair & { readonly planted: Span; readonly isIndependent: boolean };

/** The half of the texts on which rules are fitted (`tune`), or the one on which figures are reported (`check`). */
export function modernPart(texts: readonly ModernText[], part: Part): readonly ModernText[] {
  if (part === "all") return texts;
  return texts.filter(({ className, queryName }) => {
    const number = Number(/(\d+)\.txt$/.exec(queryName)?.[1]);
    // All identifiers of MixSet are even.
    const isTune = (/^(gpt4|llama)-/.test(className) ? number / 2 : number) % 2 === 1;
    return isTune === (part === "tune");
  });
}

export type ModernTexts =
  | {
      readonly available: true;
      /** Contains the essays in `susp` and all sources in `src`, as a corpus of PAN does. */
      readonly folder: string;
      readonly texts: readonly ModernText[];
    }
  | { readonly available: false; readonly reason: string };

export type ModernOptions = {
  readonly dataDir: string;
  /** Leaves out paragraphs in other languages than English. */
  readonly englishOnly: boolean;
  readonly say: (line: string) => void;
};

/**
 * Plants each paragraph of the data in the middle of an essay on an everyday subject. The sources are the articles of the
 * sample corpus and the human originals of the MixSet collection.
 */
export async function makeModernTexts({ dataDir, englishOnly, say }: ModernOptions): Promise<ModernTexts> {
  if (!existsSync(dataDir)) return { available: false, reason: `${dataDir} does not exist` };
  const sample = await readSampleCorpus({ cacheDir: SAMPLE_CORPUS_DIR, say });
  if (!sample.available) return { available: false, reason: `no sample corpus: ${sample.reason}` };
  const data = await readModernData(dataDir);
  const originals = originalsOf(data);
  const folder = join(EVALUATION_DIR, "modern");
  await rm(folder, { recursive: true, force: true });
  for (const part of ["susp", "src"]) await mkdir(join(folder, part), { recursive: true });
  for (const { filename, text } of sample.articles) await writeFile(join(folder, "src", filename), text);
  for (const [text, name] of originals) await writeFile(join(folder, "src", name), text);

  const paragraphs = [
    ...articleParagraphs(data, sample.articles),
    ...mixsetParagraphs(data, originals),
  ].filter(({ language }) => language === "en" || !englishOnly);
  const texts: ModernText[] = [];
  for (const [at, paragraph] of paragraphs.entries()) texts.push(await plant(folder, data, paragraph, at));
  return { available: true, folder, texts };
}

/**
 * The other direction: each original paragraph in an English essay, and its translation, planted in foreign essays, as the only
 * source of it.
 */
export async function makeReverseTexts(dataDir: string): Promise<Extract<ModernTexts, { available: true }>> {
  const data = await readModernData(dataDir);
  const folder = join(EVALUATION_DIR, "modern-reverse");
  await rm(folder, { recursive: true, force: true });
  for (const part of ["susp", "src"]) await mkdir(join(folder, part), { recursive: true });
  for (const [text, name] of originalsOf(data)) await writeFile(join(folder, "src", name), text);
  const texts: ModernText[] = [];
  for (const [at, { n, language, text }] of data.translated.entries()) {
    const planted = data.passages.find((passage) => passage.n === n)?.paragraph ?? "";
    const names = { queryName: `original-${n}.txt`, sourceName: `translation-${n}.txt` };
    const essay = hostOf(data, "en", at);
    const foreign = hostOf(data, language, at);
    await writeFile(join(folder, "susp", names.queryName), essay.before + planted + essay.after);
    await writeFile(join(folder, "src", names.sourceName), foreign.before + text + foreign.after);
    const start = codePointLength(essay.before);
    const end = start + codePointLength(planted);
    const className = `reverse-${language}`;
    texts.push({ className, ...names, cases: [], planted: { start, end }, isIndependent: false });
  }
  return { available: true, folder, texts };
}

export type Paragraph = {
  readonly name: string;
  readonly kind: string;
  readonly language: string;
  readonly text: string;
  readonly sourceName: string;
};

/** Writes the `at`th essay of the language around a paragraph. */
export async function plant(
  folder: string,
  data: ModernData,
  { name, kind, language, text: planted, sourceName }: Paragraph,
  at: number,
): Promise<ModernText> {
  const { before, after } = hostOf(data, language, at);
  const queryName = `${name}.txt`;
  await writeFile(join(folder, "susp", queryName), before + planted + after);
  const start = codePointLength(before);
  return {
    className: kind,
    queryName,
    sourceName,
    cases: [],
    planted: { start, end: start + codePointLength(planted) },
    isIndependent: kind.startsWith("independent"),
  };
}

/** Rewritten, translated and independent paragraphs, with the article that the original paragraph is from. */
function articleParagraphs(data: ModernData, articles: readonly SampleArticle[]): Paragraph[] {
  const fileOfTitle = new Map(articles.map(({ title, filename }) => [title, filename]));
  const sourceOf = new Map(data.passages.map(({ n, title }) => [n, fileOfTitle.get(title)]));
  const paragraphs = [
    ...data.reworded.map(({ n, style, text }) => ({ n, kind: style, language: "en", text })),
    ...data.independent.map(({ n, text }) => ({ n, kind: "independent", language: "en", text })),
    ...data.translated.map(({ n, language, text }) => ({
      n,
      kind: `translated-${language}`,
      language,
      text,
    })),
    ...data.independentForeign.map(({ n, language, text }) => ({
      n,
      kind: "independent-foreign",
      language,
      text,
    })),
  ];
  return paragraphs.map(({ n, kind, language, text }) => {
    const sourceName = sourceOf.get(n);
    if (sourceName === undefined) throw new Error(`The sample corpus has no article for passage ${n}.`);
    return { name: `${kind}-${n}`, kind, language, text, sourceName };
  });
}

function mixsetParagraphs(data: ModernData, originals: ReadonlyMap<string, string>): Paragraph[] {
  return data.mixset.map(({ id, style, original, text }) => ({
    name: `${style}-${id}`,
    kind: style,
    language: "en",
    text,
    sourceName: originals.get(original) ?? "",
  }));
}

/** File names of the distinct originals, by their text: most of them have three rewrites. */
function originalsOf({ mixset }: ModernData): Map<string, string> {
  const distinct = new Set(mixset.map(({ original }) => original));
  return new Map([...distinct].map((text, at) => [text, `original-${at + 1}.txt`]));
}

/** Text for both sides of a planted paragraph: an English essay in two halves, or the two foreign essays of the language. */
function hostOf({ hosts, foreignHosts }: ModernData, language: string, at: number) {
  const paragraphs =
    language === "en"
      ? (hosts[at % hosts.length]?.text ?? "").split("\n\n")
      : foreignHosts.filter((host) => host.language === language).map(({ text }) => text);
  const middle = paragraphs.length >> 1;
  return {
    before: paragraphs
      .slice(0, middle)
      .map((paragraph) => `${paragraph}\n\n`)
      .join(""),
    after: paragraphs
      .slice(middle)
      .map((paragraph) => `\n\n${paragraph}`)
      .join(""),
  };
}

const Numbered = z.object({ n: z.number(), text: z.string() });
const Translated = Numbered.extend({ language: z.string() });
const Mixset = z.object({ id: z.number(), style: z.string(), original: z.string(), text: z.string() });

export type ModernData = Awaited<ReturnType<typeof readModernData>>;

export async function readModernData(dataDir: string) {
  const read = async <T>(file: string, item: z.ZodType<T>): Promise<T[]> => {
    const bytes = await readFile(join(dataDir, file));
    const json = file.endsWith(".gz") ? await promisify(gunzip)(bytes) : bytes;
    return z.array(item).parse(JSON.parse(json.toString("utf8")));
  };
  return {
    passages: await read(
      "passages.json",
      z.object({ n: z.number(), title: z.string(), paragraph: z.string() }),
    ),
    reworded: await read("reworded.json", Numbered.extend({ style: z.string() })),
    independent: await read("independent.json", Numbered),
    translated: await read("translated.json", Translated),
    independentForeign: await read("independent-foreign.json", Translated),
    hosts: await read("host.json", z.object({ text: z.string() })),
    foreignHosts: await read("host-foreign.json", z.object({ language: z.string(), text: z.string() })),
    mixset: await read("mixset.json.gz", Mixset),
  };
}

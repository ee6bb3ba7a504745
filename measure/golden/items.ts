import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { z } from "zod";
import { SAMPLE_CACHE } from "./service.ts";

/** Texts for measurements that are not part of the repository; they lie in a folder beside it. */
const SHARED = join(import.meta.dirname, "..", "..", "..", "shared");
const MODERN = join(SHARED, "data", "modern");
const GENERATED = join(SHARED, "data", "generated");
const MIXED_SCRIPT = join(SHARED, "research", "mixed_reuse.py");

/** A request to the service. Without further members, an item asks for the OpenAPI document of a listener. */
export type Item = {
  readonly key: string;
  readonly text?: string;
  /** The path of a file to upload. */
  readonly file?: string;
  readonly comparison?: { readonly query_text: string; readonly source_text: string };
  readonly batch?: Readonly<Record<string, unknown>>;
};

/** Each part reads its items, or says why its data is not available. */
export const PARTS: Readonly<Record<string, () => Promise<readonly Item[] | string>>> = {
  openapi: async () => [{ key: "engine" }, { key: "statistics" }],
  modern: async () => (await readModern()).texts,
  generated: async () => (await readGenerated()).texts,
  mixed: makeMixed,
  sample: readSample,
  documents: () => listFiles(join(SHARED, "data", "documents")),
  reported: () => listFiles(join(SHARED, "data", "reported")),
  batches: makeBatches,
  comparisons: makeComparisons,
};

/** Missing data of the corpus. Without it no report can be compared, because each one counts the documents. */
export function missingCorpusData(): string[] {
  return [MODERN, GENERATED].filter((folder) => !existsSync(folder));
}

/** Texts that the corpus contains beside the sample corpus. */
export async function corpusTexts(): Promise<string[]> {
  return [...(await readModern()).originals, ...(await readGenerated()).sources];
}

const Numbered = z.object({ n: z.int(), text: z.string(), language: z.string().default("en") });
const REWRITES = 100;

async function readModern() {
  const read = <T>(name: string, item: z.ZodType<T>) => readJson(join(MODERN, name), z.array(item));
  const passages = await read("passages.json", z.object({ n: z.int(), paragraph: z.string() }));
  const hosts = await read("host.json", z.object({ text: z.string() }));
  const foreignHosts = await read("host-foreign.json", z.object({ language: z.string(), text: z.string() }));
  const rewrites = everyOf(
    await read("mixset.json.gz", z.object({ original: z.string(), text: z.string() })),
    REWRITES,
  );
  const sets = await Promise.all(
    ["reworded", "translated", "independent", "independent-foreign"].map(async (set) =>
      (await read(`${set}.json`, Numbered)).map((one) => ({ ...one, key: `${set}-${one.n}` })),
    ),
  );
  const paragraphs = [
    ...sets.flat(),
    ...rewrites.map(({ text }, at) => ({ text, language: "en", key: `rewrite-${at + 1}` })),
  ];
  // Each paragraph is in the middle of an essay on another subject.
  const texts = paragraphs.map(({ key, text, language }, at): Item & { text: string } => {
    const foreign = foreignHosts.filter((one) => one.language === language).map((one) => one.text);
    const host = foreign.length > 0 ? foreign : (hosts[at % hosts.length]?.text ?? "").split("\n\n");
    const middle = host.length >> 1;
    return { key, text: [...host.slice(0, middle), text, ...host.slice(middle)].join("\n\n") };
  });
  const sourceOf = new Map(passages.map(({ n, paragraph }) => [n, paragraph]));
  const rewritten = sets.slice(0, 2).flat();
  const pairs = [
    ...rewritten.map(({ n, text }) => ({ query_text: text, source_text: sourceOf.get(n) ?? "" })),
    ...rewrites.map(({ text, original }) => ({ query_text: text, source_text: original })),
  ];
  const originals = [...new Set(rewrites.map(({ original }) => original))];
  return { texts, pairs, originals, rewrites, templates: hosts.slice(0, 2).map(({ text }) => text) };
}

async function makeBatches(): Promise<Item[]> {
  const { texts, rewrites, originals, templates } = await readModern();
  const batchOf = (key: string, members: readonly string[], settings: object) => {
    const named = members.map((text, at) => ({ name: `member-${at + 1}`, text }));
    return { key, batch: { title: key, members: named, ...settings } };
  };
  const copies = (from: number) => [
    ...originals.slice(from, from + 10),
    ...rewrites.slice(from, from + 20).map(({ text }) => text),
  ];
  const essays = everyOf(texts, 40).map(({ text }) => text);
  return [
    batchOf("both-1", copies(0), { compare_with: "both" }),
    batchOf("both-2", copies(40), { compare_with: "both" }),
    batchOf("templates", essays.slice(0, 20), { templates, common_share: 0.3 }),
    batchOf("members", essays.slice(20), {}),
  ];
}

const COMPARISONS = 30;

async function makeComparisons(): Promise<Item[]> {
  const pairs = everyOf((await readModern()).pairs, COMPARISONS);
  return pairs.map((comparison, at) => ({ key: String(at + 1), comparison }));
}

const Paper = z.object({ parts: z.array(z.object({ text: z.string() })) });
const Pan25 = z.object({ text: z.string(), source: z.string() });

async function readGenerated() {
  const read = <T>(name: string, schema: z.ZodType<T>) => readJson(join(GENERATED, name), schema);
  const papers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => read(`text-${n}.json`, Paper)));
  const independent = await read("independent.json", z.array(z.object({ text: z.string() })));
  const pan25 = await read("pan25.json.gz", z.array(Pan25));
  const texts: Item[] = [
    ...papers.map(({ parts }, at) => ({
      key: `text-${at + 1}`,
      text: parts.map(({ text }) => text).join("\n\n"),
    })),
    ...independent.map(({ text }, at) => ({ key: `independent-${at + 1}`, text })),
    ...pan25.map(({ text }, at) => ({ key: `pan25-${at + 1}`, text })),
  ];
  return { texts, sources: pan25.map(({ source }) => source) };
}

/** So many pairs are in about 120 texts. */
const MIXED_OPTIONS = ["--seed", "2", "--part", "1", "--parts", "2", "--pairs", "200"];

/** Articles in which passages of other articles are planted. */
async function makeMixed(): Promise<Item[] | string> {
  if (!existsSync(MIXED_SCRIPT)) return `${MIXED_SCRIPT} does not exist`;
  const work = await mkdtemp(join(tmpdir(), "golden-"));
  const [from, to] = [join(work, "texts"), join(work, "out")];
  try {
    await mkdir(from);
    // In the script's list of pairs, spaces separate the names.
    for (const { filename, text } of await readArticles())
      await writeFile(join(from, filename.replaceAll(" ", "_")), text);
    await promisify(execFile)("python3", [MIXED_SCRIPT, from, to, ...MIXED_OPTIONS]);
    const names = (await readdir(join(to, "susp"))).sort();
    const read = (name: string) => readFile(join(to, "susp", name), "utf8");
    return await Promise.all(names.map(async (name) => ({ key: name.slice(0, -4), text: await read(name) })));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return "python3 is not installed";
    throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Whole articles, and texts that consist of single sentences of many articles. */
async function readSample(): Promise<Item[]> {
  const articles = await readArticles();
  const sentences = articles.map(({ text }) => text.split(/(?<=[.!?])\s+/));
  const sentence = (article: number, number: number) => {
    const all = sentences[article % sentences.length] ?? [];
    return all[number % all.length] ?? "";
  };
  const copied = Array.from({ length: 40 }, (_, text) =>
    Array.from({ length: 25 }, (_, at) => sentence(text * 23 + at * 37, at * 7 + text)).join(" "),
  );
  return [
    ...everyOf(articles, 40).map(({ text }, at) => ({ key: `article-${at + 1}`, text })),
    ...copied.map((text, at) => ({ key: `sentences-${at + 1}`, text })),
  ];
}

const Article = z.object({ text: z.string(), filename: z.string() });

/** The sample corpus as the service keeps it: a line about the file, then one for each article. */
async function readArticles(): Promise<z.output<typeof Article>[]> {
  const lines = (await promisify(gunzip)(await readFile(SAMPLE_CACHE))).toString("utf8").trim().split("\n");
  return lines.slice(1).map((line) => Article.parse(JSON.parse(line)));
}

async function listFiles(folder: string): Promise<Item[] | string> {
  if (!existsSync(folder)) return `${folder} does not exist`;
  const names = (await readdir(folder)).filter((name) => !/\.(md|tsv|json)$/.test(name)).sort();
  return names.map((name) => ({ key: name, file: join(folder, name) }));
}

/** At most `count` of the items, evenly spread. */
export function everyOf<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, items.length / count);
  return items.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const bytes = await readFile(path);
  const json = path.endsWith(".gz") ? await promisify(gunzip)(bytes) : bytes;
  return schema.parse(JSON.parse(json.toString("utf8")));
}

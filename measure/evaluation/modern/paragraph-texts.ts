import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { z } from "zod";
import { readSampleCorpus } from "../../../src/corpus/sample-corpus/read-sample-corpus.ts";
import { codePointLength } from "../../../src/text/code-points.ts";
import { readRewrittenTexts } from "../../rewritten-paragraphs/read-texts.ts";
import type { WrittenParagraph } from "../../rewritten-paragraphs/score-paragraphs.ts";
import type { TextPair } from "../texts/pan-corpus.ts";
import { EVALUATION_DIR, SAMPLE_CORPUS_DIR } from "../texts/places.ts";

/** A text with its paragraphs; `className` is its collection. */
export type ParagraphText = TextPair & { readonly paragraphs: readonly WrittenParagraph[] };

export type ParagraphTexts =
  | { readonly available: true; readonly folder: string; readonly texts: readonly ParagraphText[] }
  | { readonly available: false; readonly reason: string };

/** Paragraphs with fewer characters are headings and formulas. */
const CHARS_MIN = 150;

const Part = z.object({ kind: z.string(), text: z.string(), source: z.string().nullish() });
const Generated = z.object({ sources: z.array(z.string()), parts: z.array(Part) });
const Independent = z.array(z.object({ about: z.string(), text: z.string() }));
const Pan25 = z.array(
  z.object({
    id: z.string(),
    text: z.string(),
    source: z.string(),
    spans: z.array(z.object({ start: z.number(), end: z.number(), kind: z.string() })),
  }),
);

/**
 * The benchmark of rewritten paragraphs, and papers that language models wrote or rewrote, with the paragraphs taken from articles of the
 * sample corpus and from papers, and paragraphs of the author's own on the same subject. The corpus has the sources and the sample corpus.
 * @param dataDir contains `text-*.json`, `independent.json` and `pan25.json.gz`; without it, only the benchmark is made
 */
export async function makeParagraphTexts(
  dataDir: string,
  say: (line: string) => void,
): Promise<ParagraphTexts> {
  const sample = await readSampleCorpus({ cacheDir: SAMPLE_CORPUS_DIR, say });
  if (!sample.available) return { available: false, reason: `no sample corpus: ${sample.reason}` };
  const folder = join(EVALUATION_DIR, "paragraphs");
  await rm(folder, { recursive: true, force: true });
  for (const part of ["susp", "src"]) await mkdir(join(folder, part), { recursive: true });
  const fileOf = new Map<string | null | undefined, string>();
  for (const { title, filename, text } of sample.articles) {
    fileOf.set(title, filename);
    await writeFile(join(folder, "src", filename), text);
  }
  const texts: ParagraphText[] = [];
  const add = async (className: string, name: string, text: string, paragraphs: WrittenParagraph[]) => {
    const queryName = `${name}.txt`;
    await writeFile(join(folder, "susp", queryName), text);
    texts.push({ className, queryName, sourceName: "", cases: [], paragraphs });
  };
  const open = await readRewrittenTexts();
  for (const { name, text } of open.sources) await writeFile(join(folder, "src", name), text);
  for (const { queryName, text, paragraphs } of open.queries)
    await add("open", queryName.replace(".txt", ""), text, [...paragraphs]);
  if (!existsSync(dataDir)) {
    say(`Only the texts of the repository are measured: ${dataDir} does not exist`);
    return { available: true, folder, texts };
  }
  const files = (await readdir(dataDir)).filter((name) => /^text-.*\.json$/.test(name)).sort();
  for (const file of files) {
    const { parts } = Generated.parse(JSON.parse(await readFile(join(dataDir, file), "utf8")));
    let start = 0;
    const paragraphs = parts.map(({ kind, text, source }) => {
      const span = { start, end: start + codePointLength(text) };
      start = span.end + 2;
      const name = fileOf.get(source);
      return { kind, span, sources: name === undefined ? [] : [name] };
    });
    const text = parts.map((part) => part.text).join("\n\n");
    await add("papers", file.replace(".json", ""), text, paragraphs.filter(isLong));
  }
  const independent = Independent.parse(
    JSON.parse(await readFile(join(dataDir, "independent.json"), "utf8")),
  );
  for (const [at, { text }] of independent.entries()) {
    const span = { start: 0, end: codePointLength(text) };
    await add("independent", `independent-${at + 1}`, text, [{ kind: "independent", span, sources: [] }]);
  }
  const zipped = await readFile(join(dataDir, "pan25.json.gz"));
  for (const [at, { text, source, spans }] of Pan25.parse(
    JSON.parse((await promisify(gunzip)(zipped)).toString("utf8")),
  ).entries()) {
    const sourceName = `paper-${at + 1}.txt`;
    await writeFile(join(folder, "src", sourceName), source);
    const paragraphs = spans.map(({ kind, ...span }) => ({
      kind: `paper ${at + 1}: ${kind}`,
      span,
      sources: kind === "plagiarism" ? [sourceName] : [],
    }));
    await add("PAN 2025", `pan25-${at + 1}`, text, paragraphs.filter(isLong));
  }
  return { available: true, folder, texts };
}

function isLong({ span }: WrittenParagraph): boolean {
  return span.end - span.start >= CHARS_MIN;
}

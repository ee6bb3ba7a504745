import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { z } from "zod";
import { readSampleCorpus } from "../../../src/corpus/sample-corpus/read-sample-corpus.ts";
import { codePointLength } from "../../../src/text/code-points.ts";
import type { Span } from "../../../src/text/span.ts";
import type { TextPair } from "../texts/pan-corpus.ts";
import { EVALUATION_DIR, SAMPLE_CORPUS_DIR } from "../texts/places.ts";

/** A paragraph of a text, in code points; `sourceName`: the document that it was rewritten from, if any. */
export type WrittenParagraph = {
  readonly kind: string;
  readonly span: Span;
  readonly sourceName: string | undefined;
};

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
 * Papers that language models wrote or rewrote, with the paragraphs taken from articles of the sample corpus and from papers, and
 * paragraphs of the author's own on the same subject. The corpus has the sample corpus and the papers.
 * @param dataDir contains `text-*.json`, `independent.json` and `pan25.json.gz`.
 */
export async function makeParagraphTexts(
  dataDir: string,
  say: (line: string) => void,
): Promise<ParagraphTexts> {
  if (!existsSync(dataDir)) return { available: false, reason: `${dataDir} does not exist` };
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
  const files = (await readdir(dataDir)).filter((name) => /^text-.*\.json$/.test(name)).sort();
  for (const file of files) {
    const { parts } = Generated.parse(JSON.parse(await readFile(join(dataDir, file), "utf8")));
    let start = 0;
    const paragraphs = parts.map(({ kind, text, source }) => {
      const span = { start, end: start + codePointLength(text) };
      start = span.end + 2;
      return { kind, span, sourceName: fileOf.get(source) };
    });
    const text = parts.map((part) => part.text).join("\n\n");
    await add("papers", file.replace(".json", ""), text, paragraphs.filter(isLong));
  }
  const independent = Independent.parse(
    JSON.parse(await readFile(join(dataDir, "independent.json"), "utf8")),
  );
  for (const [at, { text }] of independent.entries()) {
    const span = { start: 0, end: codePointLength(text) };
    await add("independent", `independent-${at + 1}`, text, [
      { kind: "independent", span, sourceName: undefined },
    ]);
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
      sourceName: kind === "plagiarism" ? sourceName : undefined,
    }));
    await add("PAN 2025", `pan25-${at + 1}`, text, paragraphs.filter(isLong));
  }
  return { available: true, folder, texts };
}

function isLong({ span }: WrittenParagraph): boolean {
  return span.end - span.start >= CHARS_MIN;
}

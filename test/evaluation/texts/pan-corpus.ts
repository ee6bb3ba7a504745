import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Span } from "../../../src/core/text/span.ts";
import type { PassagePair } from "../scoring/passage-pair.ts";

/** A passage that was planted on purpose, and how it was reworded, in the words of the corpus. */
export type PlantedCase = PassagePair & { readonly kind: string };

/** A suspicious text with one source that it may have been made from; without cases it took nothing from it. */
export type TextPair = {
  /** The folder that holds the pair: a class of obfuscation. */
  readonly className: string;
  readonly queryName: string;
  readonly sourceName: string;
  readonly cases: readonly PlantedCase[];
};

export type PanCorpus = { readonly folder: string; readonly pairs: readonly TextPair[] };

const CLASS_FOLDER = /^\d\d-/;
const FEATURE = /<feature\s[^>]*>/g;

/**
 * Reads a corpus in the layout of PAN's text-alignment tasks: `susp/`, `src/`, the list `pairs`, and a folder for each class
 * with an XML file for each pair. The pairs come by class and in the order of the list.
 * @throws when a listed pair has no XML file, or one that says less than where its passages lie.
 */
export async function readPanCorpus(folder: string): Promise<PanCorpus> {
  const classes = (await readdir(folder)).filter((name) => CLASS_FOLDER.test(name)).sort();
  const classOf = new Map<string, string>();
  for (const className of classes) {
    for (const file of await readdir(join(folder, className))) classOf.set(file, className);
  }
  const listed = (await readFile(join(folder, "pairs"), "utf8")).split("\n").filter((line) => line !== "");
  const pairs: TextPair[] = [];
  for (const line of listed) pairs.push(await readPair(folder, line.trim(), classOf));
  return { folder, pairs: pairs.sort((a, b) => compare(a.className, b.className)) };
}

/** Whether the folder looks like such a corpus. */
export function isPanCorpus(folder: string): boolean {
  return ["pairs", "susp", "src"].every((name) => existsSync(join(folder, name)));
}

/** A suspicious text, see `readText`. */
export function readQuery(folder: string, queryName: string): Promise<string> {
  return readText(join(folder, "susp", queryName));
}

export function readSource(folder: string, sourceName: string): Promise<string> {
  return readText(join(folder, "src", sourceName));
}

/**
 * A text as it is, line ends included: the offsets count them. Some hold the character U+0000, which the service refuses
 * because PostgreSQL can't store it; a space stands in its place.
 */
export async function readText(file: string): Promise<string> {
  return (await readFile(file, "utf8")).replaceAll("\0", " ");
}

async function readPair(
  folder: string,
  line: string,
  classOf: ReadonlyMap<string, string>,
): Promise<TextPair> {
  const [queryName, sourceName] = line.split(" ");
  if (queryName === undefined || sourceName === undefined)
    throw new Error(`"${line}" names no pair of texts.`);
  const file = `${stem(queryName)}-${stem(sourceName)}.xml`;
  const className = classOf.get(file);
  if (className === undefined) throw new Error(`No class in ${folder} holds ${file}.`);
  const xml = await readFile(join(folder, className, file), "utf8");
  const features = [...xml.matchAll(FEATURE)].map(([feature]) => attributesOf(feature));
  const cases = features.filter((feature) => feature.get("name") === "plagiarism").map(readCase);
  return { className, queryName, sourceName, cases };
}

function readCase(feature: ReadonlyMap<string, string>): PlantedCase {
  return {
    query: spanOf(feature, "this"),
    source: spanOf(feature, "source"),
    kind: feature.get("obfuscation") ?? "translation",
  };
}

function spanOf(feature: ReadonlyMap<string, string>, side: "this" | "source"): Span {
  const start = Number(feature.get(`${side}_offset`) ?? Number.NaN);
  const length = Number(feature.get(`${side}_length`) ?? Number.NaN);
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(length) || length <= 0) {
    throw new Error(`A passage has no proper ${side}_offset and ${side}_length.`);
  }
  return { start, end: start + length };
}

function attributesOf(element: string): ReadonlyMap<string, string> {
  return new Map([...element.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]));
}

function stem(name: string): string {
  return name.replace(/\.txt$/, "");
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

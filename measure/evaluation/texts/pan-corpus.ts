import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { DomainError } from "../../../src/platform/domain-error.ts";
import type { Span } from "../../../src/text/span.ts";
import type { PassagePair } from "../scoring/match-passages.ts";
import { EVALUATION_DIR } from "./places.ts";

/** A planted passage, and the corpus's own name for the way in which it was reworded. */
export type PlantedCase = PassagePair & { readonly kind: string };

/** A suspicious text and a possible source of it; without cases nothing was taken from the source. */
export type TextPair = {
  /** The folder that contains the pair: a class of obfuscation. */
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
 * @throws when a listed pair has no XML file, or one without the offsets of its passages.
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
 * A text with its line ends, which the offsets count. Spaces replace the character U+0000, which some texts contain and the
 * service refuses because PostgreSQL can't store it.
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
  if (className === undefined) throw new Error(`No class in ${folder} contains ${file}.`);
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
    throw new Error(`A passage has no valid ${side}_offset and ${side}_length.`);
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

/**
 * Reads the corpus at `path`: a folder, or an archive that `tar` can unpack, which is done once and kept.
 * @returns undefined when the path does not exist.
 * @throws DomainError `invalid_input` when it is not a corpus.
 */
export async function openPanCorpus(path: string): Promise<PanCorpus | undefined> {
  if (!existsSync(path)) return undefined;
  const folder = statSync(path).isDirectory() ? path : await unpacked(path);
  if (isPanCorpus(folder)) return readPanCorpus(folder);
  throw new DomainError(
    "invalid_input",
    `${path} is not a corpus in PAN's layout: it lacks "pairs", "susp" or "src".`,
  );
}

/** The folder with the content of the archive. Its name changes with the size and time of the archive. */
async function unpacked(archive: string): Promise<string> {
  const { size, mtimeMs } = statSync(archive);
  const kept = join(EVALUATION_DIR, `${basename(archive)}-${size}-${Math.trunc(mtimeMs)}`);
  if (!existsSync(kept)) {
    await mkdir(EVALUATION_DIR, { recursive: true });
    const fresh = await mkdtemp(join(EVALUATION_DIR, "unpacking-"));
    try {
      await promisify(execFile)("tar", ["-xf", archive, "-C", fresh]);
      await rename(fresh, kept);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }
  const [only] = await readdir(kept);
  return only === undefined || isPanCorpus(kept) ? kept : join(kept, only);
}

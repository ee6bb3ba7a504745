import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { DomainError } from "../../../src/platform/domain-error.ts";
import { everyKth, type Part } from "../texts/parts.ts";
import type { PlantedPassage } from "./manuscripts.ts";

/** A PDF that a package ships, with its paragraphs in order and the passages of it that are put into the corpus. */
export type PackagedPdf = {
  readonly bytes: Buffer;
  readonly paragraphs: readonly string[];
  readonly planted: readonly PlantedPassage[];
};

/** Openly licensed manuals that Debian ships both as PDF and as text. */
export const PACKAGED: readonly {
  readonly name: string;
  readonly part: Exclude<Part, "all">;
  readonly debianPackage: string;
  readonly pdf: string;
  readonly text: string;
}[] = [
  {
    name: "Debian Developer's Reference",
    part: "tune",
    debianPackage: "developers-reference",
    pdf: "/usr/share/developers-reference/developers-reference.pdf",
    text: "/usr/share/developers-reference/developers-reference.txt.gz",
  },
  {
    name: "Debian New Maintainers' Guide",
    part: "check",
    debianPackage: "maint-guide",
    pdf: "/usr/share/doc/maint-guide/maint-guide.en.pdf",
    text: "/usr/share/doc/maint-guide/maint-guide.en.txt.gz",
  },
  {
    name: "Filesystem Hierarchy Standard",
    part: "tune",
    debianPackage: "debian-policy",
    pdf: "/usr/share/doc/debian-policy/fhs/fhs-3.0.pdf.gz",
    text: "/usr/share/doc/debian-policy/fhs/fhs-3.0.txt.gz",
  },
  {
    name: "Debian Policy Manual",
    part: "check",
    debianPackage: "debian-policy",
    pdf: "/usr/share/doc/debian-policy/policy.pdf.gz",
    text: "/usr/share/doc/debian-policy/policy.txt.gz",
  },
];

/** Shorter paragraphs are headings, items and listings. */
const PARAGRAPH_CHARS_MIN = 250;

/** A passage ends with the paragraph that reaches this length. */
const PASSAGE_CHARS_MIN = 500;

const PASSAGES_MAX = 20;

/** @throws DomainError `invalid_input` when the package is not installed. */
export async function readPackagedPdf(packaged: (typeof PACKAGED)[number]): Promise<PackagedPdf> {
  const { debianPackage, name, pdf, text } = packaged;
  for (const file of [pdf, text]) {
    if (!existsSync(file)) {
      throw new DomainError(
        "invalid_input",
        `${file} is missing. Install Debian's package ${debianPackage}.`,
      );
    }
  }
  const written = (await readUnpacked(text)).toString("utf8");
  const prose = prosesOf(written);
  const notes = notesOf(written);
  const passages = prose.map((run) => passageOf(run)).filter((one) => one.length >= PASSAGE_CHARS_MIN);
  return {
    bytes: await readUnpacked(pdf),
    paragraphs: prose.flat().filter((paragraph) => !notes.has(paragraph)),
    planted: everyKth(passages, PASSAGES_MAX).map((passage, at) => ({
      sourceName: `${name}, passage ${at + 1}`,
      text: passage,
    })),
  };
}

async function readUnpacked(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  return file.endsWith(".gz") ? promisify(gunzip)(bytes) : bytes;
}

/** Paragraphs of prose in a row: long, not indented more than others around them, and without signs of a listing. */
function prosesOf(text: string): string[][] {
  const runs: string[][] = [[]];
  for (const paragraph of blocksOf(text)) {
    if (isProse(paragraph)) runs.at(-1)?.push(paragraph);
    else if (runs.at(-1)?.length !== 0) runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

/** The further paragraphs of footnotes, which the text has behind a chapter, and the PDF on the page of their marks. */
function notesOf(text: string): ReadonlySet<string> {
  const notes = new Set<string>();
  let isNote = false;
  for (const paragraph of blocksOf(text)) {
    isNote = /^\^?\[\d+\]/.test(paragraph) || (isNote && isProse(paragraph));
    if (isNote) notes.add(paragraph);
  }
  return notes;
}

function blocksOf(text: string): string[] {
  // Words that the text divides at a hyphen of its own keep it.
  return text
    .replace(/\r\n/g, "\n")
    .split(/\n\s*\n/)
    .map((block) =>
      block
        .trim()
        .replace(/(?<=\w-)\n\s*/g, "")
        .replace(/\s+/g, " "),
    );
}

function isProse(paragraph: string): boolean {
  return paragraph.length >= PARAGRAPH_CHARS_MIN && /^[A-Z][^|{}]*[.:]$/.test(paragraph);
}

function passageOf(run: readonly string[]): string {
  let passage = "";
  for (const paragraph of run) {
    if (passage.length >= PASSAGE_CHARS_MIN) break;
    passage = passage === "" ? paragraph : `${passage}\n\n${paragraph}`;
  }
  return passage;
}

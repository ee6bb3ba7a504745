import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { collectFiles } from "../measure/files/collect-files.ts";
import { compareWords, type WordDifferences } from "../measure/files/compare-words.ts";
import { pandocText, pdftotext } from "../measure/files/other-readers.ts";
import { extractText } from "../src/extract/extract-text.ts";
import { MEDIA_TYPES } from "../src/extract/text/extracted-text.ts";
import { DomainError } from "../src/platform/domain-error.ts";
import { readCommand, UsageError } from "../src/platform/terminal/command.ts";

const USAGE = `Usage: npm run measure:files -- [--collect] [--worst N] FOLDER

Compares the text of the PDFs and Word documents in a folder with the text that pdftotext (Debian's poppler-utils) and
pandoc read: words that only one of both has, and neighbours that are no neighbours in ours.

  --collect   First put the files that about a dozen packages of Debian, npm and PyPI ship into the folder; needs apt-get, npm and pip.
  --worst N   How many of the most different files of each kind are listed (default 10).`;

type Row = WordDifferences & { readonly name: string; readonly pages: number; readonly seconds: number };

const KINDS = [
  { extension: "pdf", reader: "pdftotext", read: pdftotext },
  { extension: "docx", reader: "pandoc", read: pandocText },
] as const;

const request = await readCommand(USAGE, (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { collect: { type: "boolean", default: false }, worst: { type: "string", default: "10" } },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new UsageError("One folder is needed.");
  return { folder, collect: values.collect, worst: Number(values.worst) };
});

if (request !== undefined) {
  if (request.collect) collectFiles(request.folder);
  const all: Row[] = [];
  for (const kind of KINDS) all.push(...(await compareKind(kind, request.folder, request.worst)));
  printTotal("all", all);
}

/** Prints the sum of one kind, and the files with most differences. */
async function compareKind(kind: (typeof KINDS)[number], folder: string, worst: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of globSync(join(folder, `**/*.${kind.extension}`)).toSorted()) {
    const name = basename(file);
    const startedAt = process.cpuUsage();
    const own = await extractText(readFileSync(file), {
      filename: name,
      accept: MEDIA_TYPES,
      textCharsMax: 20_000_000,
    }).catch((error: unknown) => refusal(error));
    const { user, system } = process.cpuUsage(startedAt);
    const other = kind.read(file);
    if (typeof own === "string") console.log(`  refused: ${name}: ${own.slice(0, 150)}`);
    else if (other === undefined) console.log(`  refused by ${kind.reader}: ${name}`);
    else {
      const pages = other.split("\f").length - 1;
      rows.push({ name, pages, seconds: (user + system) / 1e6, ...compareWords(own.text, other) });
    }
  }
  printTotal(`${kind.extension} beside ${kind.reader}`, rows);
  for (const row of rows.toSorted((a, b) => differences(b) - differences(a)).slice(0, worst))
    console.log(`  ${row.name}\t${figures(row)}`);
  return rows;
}

/** A file without text is compared like the others; any other refusal is described. */
function refusal(error: unknown): { readonly text: string } | string {
  return error instanceof DomainError && error.code === "no_extractable_text" ? { text: "" } : String(error);
}

function differences({ lost, added, moved }: WordDifferences): number {
  return lost + added + moved;
}

function printTotal(label: string, rows: readonly Row[]): void {
  const sum = (key: "words" | "lost" | "added" | "moved" | "pages" | "seconds") =>
    rows.reduce((total, row) => total + row[key], 0);
  const total = { words: sum("words"), lost: sum("lost"), added: sum("added"), moved: sum("moved") };
  console.log(
    `${label}: ${rows.length} files, ${sum("pages")} pages, ${sum("seconds").toFixed(0)} s of processor time; ${figures(total)}`,
  );
}

function figures({ words, lost, added, moved }: WordDifferences): string {
  const share = (count: number) => `${count} (${((100 * count) / Math.max(1, words)).toFixed(2)}%)`;
  return `${words} words, ${share(lost)} lost, ${share(added)} added, ${share(moved)} out of order`;
}

import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { readPdfText } from "../../../src/extract/pdf/pdf-text.ts";

/**
 * Compares the text of PDFs with the text that `pdftotext` (Debian's poppler-utils) reads, and measures the pages a second:
 * `node measure/evaluation/pdf/beside-pdftotext.ts FOLDER…`. Words are runs of letters and digits. `lost` are the words that only pdftotext
 * has, `added` those that only we have, `moved` the pairs of neighbours of pdftotext's text that are no neighbours in ours, as a share.
 */
function compare(own: string, other: string) {
  const [ours, theirs] = [wordsOf(own), wordsOf(other)];
  const pairs = new Set(ours.slice(1).map((word, at) => `${ours[at]} ${word}`));
  const known = new Set(ours);
  const shared = theirs.slice(1).filter((word, at) => known.has(word) && known.has(theirs[at] ?? ""));
  const moved = theirs.slice(1).filter((word, at) => {
    const before = theirs[at] ?? "";
    return known.has(word) && known.has(before) && !pairs.has(`${before} ${word}`);
  });
  return {
    words: theirs.length,
    lost: surplus(theirs, ours),
    added: surplus(ours, theirs),
    moved: moved.length,
    pairs: shared.length,
  };
}

/** A hyphen at the end of a line divides a word; ligatures and letters of full width are taken apart. */
function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/(?<=\p{L})[-\u2010\u00ad]\s*\n\s*(?=\p{L})/gu, "")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** The number of words that the first list has more often than the second. */
function surplus(words: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  return words.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  }).length;
}

const total = { files: 0, refused: 0, pages: 0, seconds: 0, words: 0, lost: 0, added: 0, moved: 0, pairs: 0 };
for (const folder of process.argv.slice(2))
  for (const file of globSync(`${folder}/**/*.pdf`).toSorted()) {
    const startedAt = process.cpuUsage();
    const read = await readPdfText(readFileSync(file), 20_000_000).catch((error: unknown) => String(error));
    const { user, system } = process.cpuUsage(startedAt);
    let other = "";
    try {
      other = execFileSync("pdftotext", [file, "-"], { encoding: "utf8", maxBuffer: 1e9, stdio: "pipe" });
    } catch {
      // It reads nothing of a file that it refuses.
    }
    total.files++;
    if (typeof read === "string") {
      total.refused++;
      console.log(`${basename(file)}\trefused: ${read.slice(0, 150)}`);
      continue;
    }
    const pages = other.split("\f").length - 1;
    const seconds = (user + system) / 1e6;
    const { words, lost, added, moved, pairs } = compare(read.text, other);
    total.pages += pages;
    total.seconds += seconds;
    for (const [key, value] of Object.entries({ words, lost, added, moved, pairs }))
      if (key === "words" || key === "lost" || key === "added" || key === "moved" || key === "pairs")
        total[key] += value;
    console.log(
      [
        basename(file),
        pages,
        seconds.toFixed(2),
        words,
        lost,
        added,
        `${((100 * moved) / Math.max(1, pairs)).toFixed(1)}%`,
      ].join("\t"),
    );
  }
const { files, refused, pages, seconds, words, lost, added, moved, pairs } = total;
console.log(
  `${files} files, ${refused} refused, ${pages} pages, ${(pages / seconds).toFixed(0)} pages a second of processor time; ` +
    `${words} words: ${lost} lost, ${added} added, ${((100 * moved) / Math.max(1, pairs)).toFixed(2)}% of the pairs moved`,
);

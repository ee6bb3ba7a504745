import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { foldCharacters } from "../src/text/normalise.ts";

// Writes src/text/confusables.json from Unicode's confusables.txt (UTS #39):
//
//   node tools/generate-confusables.ts confusables.txt

const FILE = join(import.meta.dirname, "..", "src", "text", "confusables.json");

/** The letters of words in the three alphabets. */
const LETTER = /^[[A-Za-z\p{sc=Grek}\p{sc=Cyrl}]&&\p{L}]$/v;

/** Line drawings and ASCII signs look like letters, but divide words. */
const DIVIDER = /^[[[\0-\x7f]--[A-Za-z01]]\p{P}\u2500-\u257f]$/v;

const [path = ""] = process.argv.slice(2);
const lines = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
const version = /^# Version: (\S+)/m.exec(lines)?.[1] ?? "";
const prototypes = new Map(
  lines
    .matchAll(/^([0-9A-F]+)\s*;\s*([0-9A-F ]+?)\s*;/gm)
    .map(([, from = "", to = ""]) => [fromHex(from), fromHex(to)]),
);
const classes = new Map<string, string>();
for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
  if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
  const character = String.fromCodePoint(codePoint);
  if (foldCharacters(character).text !== character || DIVIDER.test(character)) continue;
  const prototype = prototypes.get(character) ?? character;
  classes.set(prototype, (classes.get(prototype) ?? "") + character);
}
const kept = [...classes.values()]
  .filter((all) => Array.from(all).length > 1 && Array.from(all).some(isLetter))
  .sort();
const source = "Unicode confusables.txt (UTS #39), https://www.unicode.org/license.txt";
writeFileSync(FILE, `${JSON.stringify({ source, version, classes: kept }, undefined, 2)}\n`);

function isLetter(character: string): boolean {
  return LETTER.test(character);
}

function fromHex(codePoints: string): string {
  return String.fromCodePoint(...codePoints.split(" ").map((one) => Number.parseInt(one, 16)));
}

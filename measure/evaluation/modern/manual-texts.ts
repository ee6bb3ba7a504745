import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { htmlText } from "../../../src/extract/text/html-text.ts";
import { everyKth } from "../texts/parts.ts";
import { EVALUATION_DIR } from "../texts/places.ts";
import { type ModernText, type ModernTexts, plant, readModernData } from "./modern-texts.ts";

/** Openly licensed manuals with translations by people, shipped by Debian: a folder of HTML files for each language. */
const MANUALS = {
  handbook: { debianPackage: "debian-handbook", folder: "/usr/share/doc/debian-handbook/html" },
  guide: {
    debianPackage: "installation-guide-amd64",
    folder: "/usr/share/doc/installation-guide-amd64",
  },
} as const;

type Manual = (typeof MANUALS)[keyof typeof MANUALS];

/** Languages for which there are essays to plant paragraphs in. */
const LANGUAGES = ["de", "es", "fr", "it", "pt", "nl", "pl", "ru", "ar", "ja"] as const;

/** Of each manual and language, evenly spread. */
const PARAGRAPHS_MAX = 40;

/** Shorter English paragraphs are headings, items and listings. */
const PARAGRAPH_CHARS_MIN = 300;

/** A document of the corpus ends with the section that reaches this length. */
const DOCUMENT_CHARS_MIN = 15_000;

/** A paragraph of a manual in both languages, and the document that contains the English one. */
type ManualParagraph = { readonly english: string; readonly text: string; readonly sourceName: string };

/**
 * Plants translated paragraphs of two manuals in foreign essays. The corpus has one of them in English, so that the other's paragraphs
 * are independent, on the same subject.
 * @param modernDir contains the essays.
 */
export async function makeManualTexts(modernDir: string): Promise<ModernTexts> {
  if (!existsSync(modernDir)) return { available: false, reason: `${modernDir} does not exist` };
  for (const { debianPackage, folder } of Object.values(MANUALS)) {
    if (!existsSync(folder))
      return {
        available: false,
        reason: `${folder} does not exist; install Debian's package ${debianPackage}`,
      };
  }
  const data = await readModernData(modernDir);
  const folder = join(EVALUATION_DIR, "manuals");
  await rm(folder, { recursive: true, force: true });
  for (const part of ["susp", "src"]) await mkdir(join(folder, part), { recursive: true });
  const texts: ModernText[] = [];
  for (const [manualName, manual] of Object.entries(MANUALS)) {
    const isIndependent = manual !== MANUALS.handbook;
    const english = await readManual(manual, "en");
    const documents = documentsOf(english);
    if (!isIndependent)
      for (const { name, text } of new Set(documents.values()))
        await writeFile(join(folder, "src", name), text);
    for (const language of LANGUAGES) {
      const translated = await readManual(manual, language);
      const paragraphs = everyKth(translatedParagraphs(english, translated, documents), PARAGRAPHS_MAX);
      for (const [at, { text, sourceName }] of paragraphs.entries()) {
        const name = `${manualName}-${language}-${at + 1}`;
        const kind = `${isIndependent ? "independent" : "translated"}-${language}`;
        texts.push(await plant(folder, data, { name, kind, language, text, sourceName }, at));
      }
    }
  }
  return { available: true, folder, texts };
}

/** The paragraphs of each file, by its name; none if there is no translation. */
async function readManual({ folder }: Manual, language: string): Promise<Map<string, string[]>> {
  const languages = await readdir(folder);
  const found = languages.find((name) => name === language || name.startsWith(`${language}-`));
  if (found === undefined) return new Map();
  const files = (await readdir(join(folder, found))).filter((name) => name.endsWith(".html")).sort();
  const read = files.map(async (name) => {
    const text = htmlText(await readFile(join(folder, found, name), "utf8"));
    return [name, text.split(/\n\s*\n/).map((block) => block.trim().replace(/\s+/g, " "))] as const;
  });
  return new Map(await Promise.all(read));
}

/** The document of each file: files that follow each other are one. */
function documentsOf(
  files: ReadonlyMap<string, readonly string[]>,
): Map<string, { readonly name: string; readonly text: string }> {
  const documents = new Map<string, { readonly name: string; text: string }>();
  let current = { name: "manual-1.txt", text: "" };
  for (const [file, paragraphs] of files) {
    if (current.text.length >= DOCUMENT_CHARS_MIN)
      current = { name: `manual-${new Set(documents.values()).size + 1}.txt`, text: "" };
    current.text += `${paragraphs.join("\n\n")}\n\n`;
    documents.set(file, current);
  }
  return documents;
}

/** The longer paragraphs that are translated, of the files whose translation has as many. */
function translatedParagraphs(
  english: ReadonlyMap<string, readonly string[]>,
  translated: ReadonlyMap<string, readonly string[]>,
  documents: ReturnType<typeof documentsOf>,
): ManualParagraph[] {
  return [...english].flatMap(([file, paragraphs]) => {
    const others = translated.get(file);
    if (others?.length !== paragraphs.length) return [];
    const sourceName = documents.get(file)?.name ?? "";
    return paragraphs
      .map((paragraph, at) => ({ english: paragraph, text: others[at] ?? "", sourceName }))
      .filter((pair) => pair.english.length >= PARAGRAPH_CHARS_MIN && isTranslation(pair));
  });
}

/** Whether less than half of the words are English ones: translations of manuals are unfinished, and have commands in them. */
function isTranslation({ english, text }: ManualParagraph): boolean {
  const words = new Set(text.split(" "));
  const ofEnglish = new Set(english.split(" "));
  return [...words].filter((word) => ofEnglish.has(word)).length * 2 < words.size;
}

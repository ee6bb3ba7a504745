import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DomainError } from "../../../src/platform/domain-error.ts";
import type { NamedText } from "../texts/corpus-texts.ts";

/** A passage of a source, as it stands in a document. */
export type PlantedPassage = { readonly sourceName: string; readonly text: string };

/** A document before it is set: its text in reading order, and the copied passages. */
export type Manuscript = {
  readonly title: string;
  readonly abstract: string;
  readonly sections: readonly Section[];
  readonly planted: readonly PlantedPassage[];
};

export type Section = { readonly heading: string; readonly paragraphs: readonly Paragraph[] };

/** A footnote's mark stands behind the word in the middle of its paragraph. */
export type Paragraph = { readonly text: string; readonly footnote: string | undefined };

export type ManuscriptTexts = {
  /** Essays on everyday subjects, which no source contains. */
  readonly hosts: readonly string[];
  readonly germanHosts: readonly string[];
  readonly sources: readonly NamedText[];
  readonly germanSources: readonly NamedText[];
};

/** @throws DomainError `invalid_input` when the essays are not available. */
export async function readManuscriptTexts(
  modernDir: string,
  sources: readonly NamedText[],
): Promise<ManuscriptTexts> {
  if (!existsSync(modernDir)) {
    throw new DomainError(
      "invalid_input",
      `${modernDir} does not exist, which holds the essays that documents are made of. Set --modern-data.`,
    );
  }
  const read = async (name: string) =>
    z
      .array(z.object({ text: z.string(), language: z.string().default("en") }))
      .parse(JSON.parse(await readFile(join(modernDir, name), "utf8")));
  const textsOf = async (name: string, language: string) =>
    (await read(name)).filter((one) => one.language === language).map(({ text }) => text);
  return {
    hosts: await textsOf("host.json", "en"),
    germanHosts: [
      ...(await textsOf("host-foreign.json", "de")),
      ...(await textsOf("independent-foreign.json", "de")),
    ],
    sources,
    germanSources: (await textsOf("translated.json", "de")).map((text, at) => ({
      name: `german-${at}.txt`,
      text,
    })),
  };
}

/** The lengths of the passages of an English document, in characters. Long ones go over ends of columns and pages. */
const PASSAGE_CHARS = [500, 1800, 900, 1200, 700, 900] as const;

/** The one of these that is edited lightly. */
const EDITED = 2;

const FOOTNOTE_CHARS = 400;

/** Paragraphs for each footnote. */
const FOOTNOTE_EVERY = 3;

/** Each document has its own articles. */
const DOCUMENTS_MAX = 20;

/** The manuscript of the document with this number: essays in turn, with passages of articles that no other document uses. */
export function englishManuscript({ hosts, sources }: ManuscriptTexts, number: number): Manuscript {
  const lengths = [...PASSAGE_CHARS, FOOTNOTE_CHARS];
  const articles = sources.filter((_, at) => at % DOCUMENTS_MAX === number);
  const planted: PlantedPassage[] = [];
  for (const [at, length] of lengths.entries()) {
    const unused = articles.filter(({ name }) => !planted.some(({ sourceName }) => sourceName === name));
    const { sourceName, text } = runOf(unused, length, at === lengths.length - 1);
    planted.push({ sourceName, text: at === EDITED ? lightlyEdited(text) : text });
  }
  const essays = [...hosts.slice(number), ...hosts.slice(0, number)];
  return manuscript(`A study of everyday work, part ${number + 1}`, essays, planted);
}

/** A German manuscript, with its long words: paragraphs that were translated from articles among others. */
export function germanManuscript({ germanHosts, germanSources }: ManuscriptTexts): Manuscript {
  const planted = germanSources.map(({ name, text }) => ({ sourceName: name, text }));
  return manuscript("Über die Arbeit im Alltag", germanHosts, planted);
}

/** Passages stand after the paragraphs of essays in turn, by themselves or within a paragraph; the last is a footnote. */
function manuscript(
  title: string,
  essays: readonly string[],
  planted: readonly PlantedPassage[],
): Manuscript {
  const [abstract = "", ...rest] = (essays[0] ?? "").split("\n\n");
  const texts = [rest.join("\n\n"), ...essays.slice(1)];
  const count = texts.reduce((sum, text) => sum + text.split("\n\n").length, 0);
  const inBody = planted.slice(0, -1);
  const every = count / inBody.length;
  let [done, used] = [0, 0];
  const sections = texts.map((text): Section => {
    const paragraphs: string[] = [];
    for (const own of text.split("\n\n")) {
      const passage = done >= Math.floor(used * every) ? inBody[used]?.text : undefined;
      if (passage === undefined) paragraphs.push(own);
      else if (used % 2 === 0) paragraphs.push(own, ...passage.split("\n\n"));
      else paragraphs.push(...`${own} ${passage}`.split("\n\n"));
      if (passage !== undefined) used++;
      done++;
    }
    const heading = text.split(/\s+/, 5).join(" ").replace(/\W+$/, "");
    return { heading, paragraphs: paragraphs.map((one) => ({ text: one, footnote: undefined })) };
  });
  return { title, abstract, sections: withFootnotes(sections, planted.at(-1)?.text ?? ""), planted };
}

function withFootnotes(sections: readonly Section[], copied: string): Section[] {
  let at = 0;
  const footnote = () => {
    const number = at++ / FOOTNOTE_EVERY;
    if (!Number.isInteger(number)) return undefined;
    if (number === 2) return copied;
    return `The register of ${1900 + 7 * number} says the same on its sheets ${3 + 5 * number} and ${4 + 5 * number}, and names two witnesses.`;
  };
  return sections.map(({ heading, paragraphs }) => ({
    heading,
    paragraphs: paragraphs.map(({ text }) => ({ text, footnote: footnote() })),
  }));
}

/** Letters that every font has. */
const SET_EVERYWHERE = /^[\x20-\x7e\u00c0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d]*$/;

/** Paragraphs of an article in a row of about the given length. */
function runOf(articles: readonly NamedText[], length: number, isOne: boolean): PlantedPassage {
  for (const { name, text } of articles) {
    const paragraphs = text.split("\n\n");
    for (const start of paragraphs.keys()) {
      let run = "";
      for (const paragraph of paragraphs.slice(start)) {
        if (!SET_EVERYWHERE.test(paragraph) || !/[.!?]$/.test(paragraph)) break;
        run = run === "" ? paragraph : `${run}\n\n${paragraph}`;
        if (run.length >= length || isOne) break;
      }
      if (run.length >= length && run.length < 1.4 * length) return { sourceName: name, text: run };
    }
  }
  throw new Error(`No article has paragraphs of ${length} characters.`);
}

/** One word in thirteen is left out, and one in seventeen is followed by another. */
function lightlyEdited(text: string): string {
  const edit = (word: string, at: number) => (at % 13 === 6 ? [] : at % 17 === 9 ? [word, "indeed"] : [word]);
  return text
    .split("\n\n")
    .map((paragraph) => paragraph.split(" ").flatMap(edit).join(" "))
    .join("\n\n");
}

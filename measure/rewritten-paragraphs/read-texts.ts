import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codePointLength } from "../../src/text/code-points.ts";
import type { WrittenParagraph, WrittenText } from "./score-paragraphs.ts";

const TEXTS_DIR = join(import.meta.dirname, "texts");

/** `from`: pairs of a source and a paragraph of it, both counted from 0; empty for the author's own paragraphs. */
const Paragraph = z.object({
  kind: z.enum(["light", "strong", "condensed", "merged", "own"]),
  from: z.array(z.tuple([z.int(), z.int()])),
  text: z.string(),
});

const Subject = z.object({
  language: z.string(),
  subject: z.string(),
  genre: z.enum(["article", "answer", "study"]),
  sources: z.array(z.object({ title: z.string(), paragraphs: z.array(z.string()) })),
  paragraphs: z.array(Paragraph),
});

/** Paragraphs of a text are divided by a blank line. */
const DIVIDER = "\n\n";

/** The texts of the benchmark: `queries` are checked against the `sources`, by name. */
export type RewrittenTexts = {
  readonly queries: readonly WrittenText[];
  readonly sources: readonly { readonly name: string; readonly text: string }[];
};

/**
 * Reads the benchmark of rewritten paragraphs. A subject is one text of ten paragraphs; of the genre `answer`, each paragraph is a text of
 * its own, as in a class that answers one question.
 */
export async function readRewrittenTexts(): Promise<RewrittenTexts> {
  const queries: WrittenText[] = [];
  const sources: { name: string; text: string }[] = [];
  for (const file of (await readdir(TEXTS_DIR)).sort()) {
    const name = file.replace(".json", "");
    const subject = Subject.parse(JSON.parse(await readFile(join(TEXTS_DIR, file), "utf8")));
    const nameOf = (source: number) => `${name}-source-${source + 1}.txt`;
    for (const [at, { title, paragraphs }] of subject.sources.entries())
      sources.push({ name: nameOf(at), text: [title, ...paragraphs].join(DIVIDER) });
    const whole = (text: string, written: readonly z.infer<typeof Paragraph>[], queryName: string) => {
      let start = 0;
      const paragraphs = written.map(({ kind, from, text }): WrittenParagraph => {
        const span = { start, end: start + codePointLength(text) };
        start = span.end + DIVIDER.length;
        return { kind: kindOf(subject, kind), span, sources: [...new Set(from.map(([at]) => nameOf(at)))] };
      });
      queries.push({ queryName, text, paragraphs });
    };
    if (subject.genre === "answer")
      for (const [at, paragraph] of subject.paragraphs.entries())
        whole(paragraph.text, [paragraph], `${name}-answer-${at + 1}.txt`);
    else whole(subject.paragraphs.map(({ text }) => text).join(DIVIDER), subject.paragraphs, `${name}.txt`);
  }
  return { queries, sources };
}

function kindOf({ language, genre }: z.infer<typeof Subject>, kind: string): string {
  return `${language} ${genre === "answer" ? "answer" : "paper"}: ${kind}`;
}

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import type { Span } from "../../src/text/span.ts";
import { readRewrittenTexts } from "./read-texts.ts";
import { answerLine, paragraphTable, scoreParagraphs } from "./score-paragraphs.ts";

const USAGE = `Usage: node measure/rewritten-paragraphs/score.ts --write FOLDER
       node measure/rewritten-paragraphs/score.ts DETECTIONS.tsv

--write writes the texts as files: FOLDER/queries is checked against all of FOLDER/sources.
Otherwise scores the detections of any system. Each line of DETECTIONS.tsv has, divided by tabs: the name of the query's file,
the first code point of a passage, the one behind it, and the name of the source's file.`;

const Offset = z.string().regex(/^\d+$/u).transform(Number);
const Line = z.tuple([z.string(), Offset, Offset, z.string()]);

const request = await readCommand(USAGE, (args) => {
  const [first, second] = args;
  if (first === "--write" && second !== undefined) return { folder: second };
  if (first === undefined || first.startsWith("-")) throw new UsageError("Name a file of detections.");
  return { file: first };
});
if (request?.folder !== undefined) await writeTexts(request.folder);
if (request?.file !== undefined) await score(request.file);

async function writeTexts(folder: string): Promise<void> {
  const { queries, sources } = await readRewrittenTexts();
  for (const part of ["queries", "sources"]) await mkdir(join(folder, part), { recursive: true });
  for (const { queryName, text } of queries) await writeFile(join(folder, "queries", queryName), text);
  for (const { name, text } of sources) await writeFile(join(folder, "sources", name), text);
  process.stdout.write(`${queries.length} queries and ${sources.length} sources are in ${folder}.\n`);
}

/** @throws UsageError for a line that is no detection or names no query */
async function score(file: string): Promise<void> {
  const { queries } = await readRewrittenTexts();
  const marked = new Map(queries.map(({ queryName }) => [queryName, new Map<string, Span[]>()]));
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  for (const [at, line] of lines.entries()) {
    const read = Line.safeParse(line.split("\t"));
    const bySource = read.success ? marked.get(read.data[0]) : undefined;
    if (!read.success || bySource === undefined) throw new UsageError(`Line ${at + 1} is no detection.`);
    const [, start, end, source] = read.data;
    bySource.set(source, [...(bySource.get(source) ?? []), { start, end }]);
  }
  const scored = scoreParagraphs(queries, (queryName) => marked.get(queryName) ?? new Map());
  process.stdout.write(`${[...paragraphTable(scored), "", ...answerLine(scored)].join("\n")}\n`);
}

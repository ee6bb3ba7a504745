import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import { codePointOffsets } from "../../../src/text/code-points.ts";
import { fromPairs, joinSpans, type Span } from "../../../src/text/span.ts";
import { type EvaluationService, mapAtOnce, withEvaluationService } from "../checks/evaluation-service.ts";
import { excerpt } from "../report/error-lines.ts";
import { figureTable } from "../report/score-lines.ts";
import { type NamedText, sampleTexts } from "../texts/corpus-texts.ts";
import { everyKth, type Part } from "../texts/parts.ts";
import { EVALUATION_DIR } from "../texts/places.ts";
import { makeLatexPdf } from "./latex.ts";
import { LAYOUTS, type Layout } from "./layouts.ts";
import { LetterFinder, lettersOf, type ReadingFigures, readingFigures } from "./letter-places.ts";
import {
  englishManuscript,
  germanManuscript,
  type ManuscriptTexts,
  type PlantedPassage,
  readManuscriptTexts,
} from "./manuscripts.ts";
import { makeOfficePdf } from "./office.ts";
import { PACKAGED, readPackagedPdf } from "./packaged.ts";

export type PdfRequest = {
  readonly modernDir: string;
  readonly part: Part;
  readonly limit: number;
  /** Breaks of each document to show. */
  readonly errors: number;
  readonly wordsOnly: boolean;
  readonly atOnce: number;
};

/** A PDF with copied passages. */
export type PdfDocument = {
  readonly name: string;
  readonly part: Exclude<Part, "all">;
  readonly bytes: Uint8Array;
  /** The paragraphs of its text in the order of reading, without footnotes. */
  readonly paragraphs: readonly string[];
  readonly planted: readonly PlantedPassage[];
};

/**
 * Measures how much of the passages that were planted in PDFs of many layouts is found by checks of the files, and how well
 * the files are read.
 * @throws DomainError `invalid_input` when a program, a package or the texts are not available: fewer documents would give
 *   other figures.
 */
export async function evaluatePdf(
  request: PdfRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const say = (line: string) => display.say(line);
  const { documents, sources } = await makePdfDocuments(request, say);
  const { atOnce, wordsOnly, errors } = request;
  const onDone = (done: number) =>
    display.update({ done, total: documents.length, totalIsFinal: true, failed: 0 });
  const figures = await withEvaluationService(sources, { say, wordsOnly }, (service) =>
    mapAtOnce(documents, { atOnce, onDone, signal }, (document) => checkPdf(service, document)),
  );
  const lines = [...pdfLines(figures), ...figures.flatMap((one) => breakLines(one, errors))];
  return { lines, result: { name: "PDF", documents: figures } };
}

/** The documents of a part, and the corpus that contains the sources of their passages. */
export async function makePdfDocuments(
  { modernDir, part, limit }: Pick<PdfRequest, "modernDir" | "part" | "limit">,
  say: (line: string) => void,
): Promise<{ readonly documents: readonly PdfDocument[]; readonly sources: readonly NamedText[] }> {
  const articles = await sampleTexts(say);
  const texts = await readManuscriptTexts(modernDir, articles);
  const documents: PdfDocument[] = [];
  for (const [number, layout] of LAYOUTS.entries()) documents.push(await makePdf(layout, number, texts));
  for (const packaged of PACKAGED) documents.push({ ...packaged, ...(await readPackagedPdf(packaged)) });
  const extracts = documents
    .slice(LAYOUTS.length)
    .flatMap(({ planted }) => planted.map(({ sourceName, text }) => ({ name: sourceName, text })));
  const chosen = documents.filter((document) => part === "all" || document.part === part);
  return { documents: everyKth(chosen, limit), sources: [...articles, ...texts.germanSources, ...extracts] };
}

async function makePdf(layout: Layout, number: number, texts: ManuscriptTexts): Promise<PdfDocument> {
  const { name, part, isGerman = false } = layout;
  const folder = join(EVALUATION_DIR, "pdf");
  const fileName = `document-${number + 1}`;
  const manuscript = isGerman ? germanManuscript(texts) : englishManuscript(texts, number);
  const file =
    "latex" in layout
      ? await makeLatexPdf(folder, fileName, layout.latex, manuscript)
      : await makeOfficePdf(folder, fileName, layout.office, manuscript);
  const paragraphs = manuscript.sections.flatMap((section) => section.paragraphs.map(({ text }) => text));
  return {
    name,
    part,
    bytes: await readFile(file),
    paragraphs: [manuscript.abstract, ...paragraphs],
    planted: manuscript.planted,
  };
}

export type PdfFigures = Pick<PdfDocument, "name" | "part"> & {
  /** Letters and digits: planted ones, planted ones that are marked as their source's, and marked ones outside. */
  readonly planted: number;
  readonly found: number;
  readonly outside: number;
  /** Planted passages that are found at least in part, and the passages that mark them. */
  readonly passages: number;
  readonly parts: number;
  readonly reading: ReadingFigures;
  readonly text: string;
};

async function checkPdf(service: EvaluationService, document: PdfDocument): Promise<PdfFigures> {
  const { name, part, bytes, paragraphs, planted } = document;
  const report = await service.client.checkedFile(`${name}.pdf`, bytes);
  const { toUtf16 } = codePointOffsets(report.query_text);
  const inUtf16 = ({ start, end }: Span) => ({ start: toUtf16(start), end: toUtf16(end) });
  const text = blank(report.query_text, fromPairs(report.page_margins).map(inUtf16));
  const marksOf = new Map(
    report.sources.map(({ source_document_id, passages }) => [
      service.documents.get(source_document_id)?.name ?? "",
      passages.map(({ query_start, query_end }) => inUtf16({ start: query_start, end: query_end })),
    ]),
  );
  const finder = new LetterFinder(text);
  const plantedPlaces = new Set<number>();
  let [letters, found, found_passages, parts] = [0, 0, 0, 0];
  for (const passage of planted) {
    const places = finder.find(passage.text).filter((place) => place !== undefined);
    const marks = marksOf.get(passage.sourceName) ?? [];
    const touching = marks.filter(({ start, end }) => places.some((place) => place >= start && place < end));
    letters += lettersOf(passage.text).folded.length;
    found += places.filter((place) =>
      touching.some(({ start, end }) => place >= start && place < end),
    ).length;
    if (touching.length > 0) found_passages++;
    parts += touching.length;
    for (const place of places) plantedPlaces.add(place);
  }
  const marked = joinSpans([...marksOf.values()].flat()).flatMap(({ start, end }) =>
    lettersOf(text.slice(start, end)).offsets.map((offset) => start + offset),
  );
  const outside = marked.filter((place) => !plantedPlaces.has(place)).length;
  const reading = readingFigures(text, paragraphs);
  return { name, part, planted: letters, found, outside, passages: found_passages, parts, reading, text };
}

/** The text with blanks instead of headers, footers and page numbers. */
function blank(text: string, margins: readonly Span[]): string {
  return margins.reduce(
    (blanked, { start, end }) => blanked.slice(0, start) + " ".repeat(end - start) + blanked.slice(end),
    text,
  );
}

function pdfLines(documents: readonly PdfFigures[]): string[] {
  const parts = [...new Set(documents.map(({ part }) => part))].sort();
  return figureTable([
    [
      "",
      "planted",
      "found",
      "share",
      "outside",
      "passages per planted",
      "misplaced words",
      "breaks in paragraphs",
    ],
    ...documents.map((document) => [document.name, ...cells([document])]),
    ...parts.map((part) => [
      `all, ${part}`,
      ...cells(documents.filter((document) => document.part === part)),
    ]),
    ["all", ...cells(documents)],
  ]);
}

function cells(documents: readonly PdfFigures[]): string[] {
  const sum = (figure: (document: PdfFigures) => number) =>
    documents.reduce((total, document) => total + figure(document), 0);
  const [planted, found] = [sum((one) => one.planted), sum((one) => one.found)];
  return [
    String(planted),
    String(found),
    (found / Math.max(1, planted)).toFixed(3),
    String(sum(({ outside }) => outside)),
    (
      sum(({ parts }) => parts) /
      Math.max(
        1,
        sum(({ passages }) => passages),
      )
    ).toFixed(2),
    String(sum(({ reading }) => reading.misplaced)),
    String(sum(({ reading }) => reading.breaks.length)),
  ];
}

/** The text around the first breaks of a document. */
function breakLines({ name, reading, text }: PdfFigures, errors: number): string[] {
  if (errors === 0) return [];
  const shown = reading.breaks.slice(0, errors).flatMap(({ start, end }) => {
    const before = JSON.stringify(text.slice(Math.max(0, start - 40), start + 1));
    const after = JSON.stringify(text.slice(end, end + 40));
    const between =
      start < end
        ? JSON.stringify(excerpt([...text.slice(start + 1, end)], { start: 0, end: end - start }))
        : "(back)";
    return [`  ${before} … ${between} … ${after}`];
  });
  return ["", `${name}: ${reading.breaks.length} breaks`, ...shown];
}

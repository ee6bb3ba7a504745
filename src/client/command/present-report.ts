import type { Format, Style } from "../../platform/terminal/terminal-text.ts";
import { columnsOf, fitColumns, grouped, visibleText } from "../../platform/terminal/terminal-text.ts";
import type { Passage, Report, Source } from "../index.ts";

/** A screenful for most texts; --all and the report's page show the rest. */
const SOURCES_SHOWN = 10;
const PASSAGES_SHOWN = 3;
const DETAILS_SHOWN = 3;

type Presentation = {
  readonly style: Style;
  readonly columns: number;
  readonly all: boolean;
  /** The highest similarity that passes, in percent. */
  readonly failOver: number | undefined;
  readonly url: string;
};

/** A report as lines for a terminal. Control characters of titles and texts are escaped. */
export function presentReport(file: string, report: Report, presentation: Presentation): string[] {
  const { style, columns, all, url } = presentation;
  const shown = all ? report.sources : report.sources.slice(0, SOURCES_SHOWN);
  const characters = [...report.query_text];
  return [
    style("bold", fitColumns(visibleText(file), columns)),
    ...scoreLines(report, presentation),
    ...scopeLines(report),
    ...languageLines(report),
    ...coverageLines(report, style),
    ...pendingLines(report, style),
    ...semanticLines(report, style),
    ...integrityLines(report, style, columns),
    ...shown.flatMap((source, index) => [
      "",
      ...sourceLines(source, index + 1, characters, { ...presentation, language: report.language }),
    ]),
    ...more(report.sources.length - shown.length, "source", style),
    "",
    `  ${style("dim", "Report:")} ${url}`,
  ];
}

function scoreLines({ filters, ...report }: Report, { style, failOver }: Presentation): string[] {
  const pct = report.overall_similarity_pct;
  const isOver = failOver !== undefined && pct > failOver;
  const matched = `${grouped(report.total_matched_chars)} of ${grouped(report.compared_chars)} characters`;
  const sources = counted(report.sources.length, "source");
  const score = style(isOver ? ["bold", "red"] : "bold", percent(pct));
  const limit = isOver ? style("red", `, over the limit of ${failOver}%`) : "";
  const lines = [`  ${score} of the text also appears in the corpus: ${matched}, ${sources}${limit}`];
  const kinds = KINDS.flatMap((type) => {
    const share = report.match_types[type];
    return share.matched_chars === 0 ? [] : [{ ...MATCH_STYLES[type], ...share }];
  });
  if (kinds.length > 0)
    lines.push(
      `  ${kinds.map(({ label, format, similarity_pct, matched_chars }) => `${style(format, label)} ${percent(similarity_pct)} (${grouped(matched_chars)})`).join(", ")}`,
    );
  if (filters !== null) {
    const given = Object.entries(filters.applied).map(([name, value]) => `${name}=${String(value)}`);
    lines.push(
      `  filtered by ${visibleText(given.join(", "))}; without filters ${percent(filters.unfiltered_similarity_pct)}`,
    );
  }
  return lines;
}

/** The part of the corpus that the check was limited to. */
function scopeLines({ scope }: Report): string[] {
  if (scope === undefined) return [];
  const { collections: names = [], leave_out: leftOut } = scope;
  const quoted = names.map((name) => `“${visibleText(name)}”`);
  const of = quoted.length === 1 ? "the collection" : "the collections";
  const compared = quoted.length === 0 ? "the corpus" : `${of} ${AND.format(quoted)}`;
  const without = leftOut === undefined ? "" : `, without the documents of the same ${leftOut}`;
  return [`  Compared with ${compared}${without}.`];
}

const AND = new Intl.ListFormat("en");

/** A language that was not stated, as a wrong one hides matches. */
function languageLines({ language, language_origin: origin }: Report): string[] {
  if (origin === "stated") return [];
  const name = LANGUAGE_NAMES.of(language) ?? language;
  const how = origin === "detected" ? "detected" : "assumed, as the text does not tell";
  return [`  Language: ${name} (${how}); --language states another.`];
}

const LANGUAGE_NAMES = new Intl.DisplayNames("en", { type: "language" });

function coverageLines(report: Report, style: Style): string[] {
  const { coverage, coverage_reason, checked_chunks, total_chunks, page_notes = [] } = report;
  const notes = page_notes.map(
    ({ kind, pages }) => `  ${style("yellow", PAGE_NOTES[kind])}: ${pages.join(", ")}.`,
  );
  if (coverage === "full") return notes;
  if (coverage_reason === "unread_pages")
    return [`  ${style(["bold", "yellow"], "PARTIAL:")} the text of some pages could not be read.`, ...notes];
  const share = `${grouped(checked_chunks)} of ${grouped(total_chunks)} parts of the text`;
  return [
    `  ${style(["bold", "yellow"], "PARTIAL:")} the time limit was reached after ${share}. There may be more matches.`,
    ...notes,
  ];
}

const PAGE_NOTES = {
  no_text: "Pages without text, such as scans",
  unreadable_font: "Pages with fonts that can't be read",
  ocr: "Pages read by text recognition (OCR)",
} as const;

function pendingLines({ documents_pending: pending }: Report, style: Style): string[] {
  if (pending === 0) return [];
  return [
    `  ${style("yellow", counted(pending, "uploaded document"))} not compared: still being indexed. Check again later.`,
  ];
}

function semanticLines(report: Report, style: Style): string[] {
  const { semantic_coverage_reason: reason, semantic_documents: documents, corpus_sources: all } = report;
  if (reason === null || reason === "no_sentences") return [];
  const compared =
    documents === 0
      ? "Meaning not compared"
      : `Meaning compared with about ${grouped(documents)} of ${grouped(all)}`;
  return [`  ${style("yellow", compared)}: ${SEMANTIC_REASONS[reason]}.`];
}

const SEMANTIC_REASONS = {
  off: "semantic matching is switched off",
  unavailable: "the sentence encoder is not available",
  not_encoded: "sentences of other documents are still being encoded",
  time_cap: "the time limit was reached",
} as const;

function integrityLines({ integrity_flags: flags }: Report, style: Style, columns: number): string[] {
  const kinds = new Set(flags.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => {
    const ofKind = flags.filter((flag) => flag.kind === kind);
    const head = `  ${style("yellow", `${grouped(ofKind.length)} × ${kind.replaceAll("_", " ")}`)}`;
    const details = ofKind.slice(0, DETAILS_SHOWN).map(({ start, detail }) => {
      return fitColumns(`    at ${grouped(start)}: ${visibleText(detail)}`, columns);
    });
    return [head, ...details, ...more(ofKind.length - details.length, "place", style)];
  });
}

function sourceLines(
  { title, language, source_url: url, similarity_pct: pct, passages }: Source,
  rank: number,
  characters: readonly string[],
  { style, columns, all, language: checked }: Presentation & Pick<Report, "language">,
): string[] {
  const head = `${String(rank).padStart(3)}. ${percent(pct).padStart(7)}  `;
  const inLanguage = language === checked ? "" : ` (in ${LANGUAGE_NAMES.of(language) ?? language})`;
  const name = fitColumns(visibleText(title), columns - columnsOf(head + inLanguage)) + inLanguage;
  const shown = all ? passages : passages.slice(0, PASSAGES_SHOWN);
  return [
    style("bold", head) + name,
    // Never truncated, so that it can be opened.
    ...(url === null ? [] : [`${INDENT}${style("underline", visibleText(url))}`]),
    ...shown.flatMap(({ runs }) => runs.map((run) => runLine(run, characters, style, columns))),
    ...more(passages.length - shown.length, "passage", style),
  ];
}

const INDENT = " ".repeat(14);

const MATCH_STYLES = {
  identical: { label: "identical", format: "red" },
  minor_changes: { label: "slightly changed", format: "yellow" },
  paraphrased: { label: "paraphrased", format: "cyan" },
  translated: { label: "translated", format: "cyan" },
} as const satisfies Record<Passage["match_type"], { label: string; format: Format }>;

const KINDS = ["identical", "minor_changes", "paraphrased", "translated"] as const;

const LABEL_COLUMNS = MATCH_STYLES.minor_changes.label.length;

function runLine(
  { query_start: start, query_end: end, match_type }: Passage["runs"][number],
  characters: readonly string[],
  style: Style,
  columns: number,
): string {
  const { label, format } = MATCH_STYLES[match_type];
  const place = `${grouped(start)}–${grouped(end)}`;
  const columnsLeft = columns - INDENT.length - LABEL_COLUMNS - place.length - 3;
  // All white space becomes one space, so that the text stays on one line of the terminal.
  const text = characters
    .slice(start, Math.min(end, start + columns * 4))
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();
  const isCut = end > start + columns * 4;
  const quoted = fitColumns(`${visibleText(text)}${isCut ? "…" : ""}`, columnsLeft);
  return `${INDENT}${style(format, label.padEnd(LABEL_COLUMNS))} ${style("dim", place)}  ${quoted}`;
}

function more(count: number, what: string, style: Style): string[] {
  return count > 0 ? [`${INDENT}${style("dim", `and ${counted(count, `more ${what}`)}`)}`] : [];
}

/** `what` in the singular. */
export function counted(count: number, what: string): string {
  return `${grouped(count)} ${what}${count === 1 ? "" : "s"}`;
}

function percent(value: number): string {
  return `${value.toFixed(2)}%`;
}

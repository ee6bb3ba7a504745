import { type Content, type Html, html } from "../../../http/html.ts";
import { colourOf } from "../../source-colours.ts";
import {
  counted,
  coverageInWords,
  filtersInWords,
  flagCount,
  passagesInWords,
  percentage,
  scoreInWords,
} from "../../wording.ts";
import { signs } from "./marked-text.ts";
import { matchStrip } from "./match-strip.ts";
import { numberedFlags, type WireReport, type WireSource } from "./report-marks.ts";

const LANGUAGE_NAMES = new Intl.DisplayNames("en", { type: "language" });
const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Flags are shown with at most so much of their text, in UTF-16 units. */
const FLAG_EXCERPT_LENGTH = 60;

/** What the report is about, what it found in all, and what speaks against taking that for all there is. */
export function overview(report: WireReport): Html {
  return html`<header>
<p class="kind">Similarity report</p>
<h1 dir="auto">${reportTitle(report)}</h1>
<p class="facts">${facts(report)}</p>
</header>
<section class="score" aria-label="Score">
<p class="figure"><strong>${percentage(report.overall_similarity_pct)}</strong> <span>${filteredNote(report)}</span></p>
<div><p>${scoreInWords(report)}</p>
${matchStrip(report)}
${filters(report)}</div>
</section>
${coverage(report)}
${integrity(report)}
`;
}

/** What the report is called. */
export function reportTitle({ title }: Pick<WireReport, "title">): string {
  return title ?? "Untitled check";
}

function facts(report: WireReport): Content {
  const counts = `${counted(report.word_count, "word")}, ${counted(report.char_count, "character")}`;
  return html`Checked on <time datetime="${report.completed_at}">${DATE.format(new Date(report.completed_at))} UTC</time> · ${
    LANGUAGE_NAMES.of(report.language) ?? report.language
  } · ${counts} · against about ${counted(report.corpus_sources, "document")}`;
}

function filteredNote({ filters: applied }: WireReport): string {
  return applied === null
    ? "similarity"
    : `filtered, of ${percentage(applied.unfiltered_similarity_pct)} without filters`;
}

function filters(report: WireReport): Content {
  const phrases = filtersInWords(report);
  return phrases.length === 0 ? undefined : html`<p class="filters">Filtered: ${phrases.join("; ")}.</p>`;
}

function coverage(report: WireReport): Html {
  const { title, text } = coverageInWords(report);
  return report.coverage === "full"
    ? html`<p class="quiet">${text}</p>`
    : html`<section class="notice" aria-labelledby="coverage"><h2 id="coverage">${title}</h2><p>${text}</p></section>`;
}

function integrity(report: WireReport): Content {
  const flags = numberedFlags(report);
  if (flags.length === 0) return undefined;
  const kinds = Map.groupBy(report.integrity_flags, ({ kind }) => kind);
  const counts = [...kinds].map(([kind, all]) => flagCount(kind, all.length)).join(", ");
  return html`<section class="notice" aria-labelledby="signs">
<h2 id="signs">Signs of disguised text</h2>
<p>${counts}. Matching sees through them. They may also come from a program that made the file.</p>
<ol class="flags">
${flags.map(({ number, flag }) => {
  const end = Math.min(flag.end, flag.start + FLAG_EXCERPT_LENGTH);
  const excerpt = signs(report.query_text.slice(flag.start, end).toWellFormed(), [flag]);
  const more = end < flag.end ? "…" : "";
  return html`<li id="flag-${number}"><a href="#sign-${number}" lang="${report.language}"><bdi>${excerpt}${more}</bdi></a> <span class="quiet">${flag.detail}</span></li>
`;
})}</ol>
</section>`;
}

/** The sources by rank, each with its share and a way to its passages. */
export function sourceList({ sources }: WireReport): Html {
  const list = html`<ol class="sources">
${sources.map(sourceRow)}</ol>`;
  return html`<section aria-labelledby="sources">
<h2 id="sources">Sources</h2>
${sources.length === 0 ? html`<p class="quiet">There is no source to show.</p>` : list}
</section>
`;
}

function sourceRow(source: WireSource, at: number): Html {
  const number = at + 1;
  return html`<li>
<a class="number r${colourOf(number)}" href="#source-${number}" aria-label="Passages of source ${number}">${number}</a>
<div class="what"><strong dir="auto">${source.title}</strong>
<span class="quiet"><bdi>${source.source_filename}</bdi> ${sourceLink(source)}</span>
<span class="quiet">${passagesInWords(source.passages)}</span></div>
<div class="share"><strong>${percentage(source.similarity_pct)}</strong>
<span class="quiet">${counted(source.matched_chars, "character")}</span>
<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="4"/><rect class="f${colourOf(number)}" width="${source.similarity_pct}" height="4"/></svg></div>
</li>
`;
}

/** Where the source is published; addresses of other kinds than the web's are shown, not followed. */
function sourceLink({ source_url: url }: WireSource): Content {
  if (url === null) return undefined;
  if (!/^https?:\/\//i.test(url)) return html`· <bdi>${url}</bdi>`;
  return html`· <a href="${url}" rel="noopener noreferrer nofollow"><bdi>${url}</bdi></a>`;
}

import { createHash } from "node:crypto";
import { inTurns } from "../../../http/download.ts";
import { type Content, Html, html } from "../../../http/html.ts";
import { percent } from "../../figures/figures.ts";
import { matchBands } from "../../figures/match-bands.ts";
import type { WireReport } from "../../presented-report.ts";
import { colourOf } from "../../source-colours.ts";
import {
  corpusInWords,
  counted,
  coverageInWords,
  DISGUISE_ADVICE,
  filtersInWords,
  flagCount,
  isComparedWithMembersOnly,
  JUDGEMENT_ADVICE,
  languageName,
  languageOriginInWords,
  MATCH_GROUPS_TITLE,
  matchGroupsOf,
  passagesInWords,
  pendingInWords,
  percentage,
  REVIEW_LABELS,
  reuseKinds,
  riseInWords,
  SHARES_ADVICE,
  scoreInWords,
  semanticCoverageInWords,
  shownScore,
  standingInWords,
} from "../../wording.ts";
import type { ComparePairs } from "../compared-pairs.ts";
import type { Exclusion, ExclusionGroup, Exclusions } from "../exclusions.ts";
import {
  flaggedExcerpt,
  marksOf,
  numberedFlags,
  type TextPiece,
  textPieces,
  type WireSource,
} from "../text-pieces.ts";
import { markedText, signs } from "./marked-text.ts";
import { noteBox, passagesBesideSources } from "./passage-pairs.ts";
import { STYLES } from "./styles.ts";

const STYLES_ALLOWED = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLES).digest("base64")}'`;
const CLOSED = "base-uri 'none'; form-action 'none'";
const OWN_FORMS = "base-uri 'none'; form-action 'self'";

/** Lets a browser apply the document's own style and nothing else. The document repeats it, for when it is saved. */
export const REPORT_POLICY = `${STYLES_ALLOWED}; ${CLOSED}; frame-ancestors 'none'`;

/** The same for a report with a toolbar, whose form goes to the server that sent it. */
export const TOOLBAR_POLICY = `${STYLES_ALLOWED}; ${OWN_FORMS}; frame-ancestors 'none'`;

/**
 * A report as a self-contained document without scripts, streamed while it is made. It does not use the page's Preact
 * components: `preact-render-to-string` streams late parts by a script, which the policy forbids, and Node.js can't load
 * `.tsx`.
 * @param report with offsets in UTF-16
 * @param toolbar shown above the report, when it is a page and not a document to keep
 */
export function reportHtml(
  report: WireReport,
  exclusions: Exclusions,
  compare: ComparePairs,
  toolbar?: Html,
): AsyncGenerator<string> {
  return inTurns(parts(report, exclusions, compare, toolbar));
}

/** In small parts: between two of them, other requests may have their turn. */
async function* parts(
  report: WireReport,
  exclusions: Exclusions,
  compare: ComparePairs,
  toolbar: Html | undefined,
): AsyncGenerator<Html> {
  const marks = marksOf(report);
  const pieces = [...textPieces(marks, [{ start: 0, end: report.query_text.length }])].flat();
  yield html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${STYLES_ALLOWED}; ${toolbar === undefined ? CLOSED : OWN_FORMS}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${report.display_title} · Similarity report</title>
`;
  yield new Html(`<style>${STYLES}</style>`);
  yield html`</head>
<body>
<main>
${toolbar}`;
  // Below an English toolbar, the heading stays on the toolbar's side.
  const title = toolbar && html`<h1><bdi>${report.display_title}</bdi></h1>`;
  yield overview(report, pieces, title ?? html`<h1 dir="auto">${report.display_title}</h1>`);
  yield* integrity(report);
  yield* sourceList(report);
  yield* markedText(report, marks, pieces);
  yield* passagesBesideSources(report, compare);
  yield exclusionList(exclusions);
  yield html`</main>
<footer>
<p>${JUDGEMENT_ADVICE}</p>
<p>Created by Similarity Check. Check ${report.check_id}.</p>
</footer>
</body>
</html>
`;
}

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

function overview(report: WireReport, pieces: readonly TextPiece[], title: Html): Html {
  const { filters, language, language_origin: origin, completed_at: completedAt } = report;
  const phrases = filtersInWords(report);
  const rise = riseInWords(report);
  return html`<header>
<p class="kind">Similarity report</p>
${title}
<p class="facts">Checked on <time datetime="${completedAt}">${DATE.format(new Date(completedAt))} UTC</time> · ${languageName(
    language,
  )}${languageOriginInWords(origin)} · ${counted(report.word_count, "word")}, ${counted(report.char_count, "character")} · compared with ${corpusInWords(report)}</p>
</header>
<section class="score" aria-label="Score">
<p class="figure"><strong>${percentage(shownScore(report))}</strong> <span>${
    filters === null || isComparedWithMembersOnly(report)
      ? "similarity"
      : `filtered (${percentage(filters.unfiltered_similarity_pct)} without filters)`
  }</span></p>
<div><p>${scoreInWords(report)}</p>${rise === undefined ? undefined : html`<p class="quiet">${rise}</p>`}
${kinds(report)}${groups(report)}
${isComparedWithMembersOnly(report) ? undefined : matchStrip(report, pieces)}
${phrases.length === 0 ? undefined : html`<p class="filters">Filters: ${phrases.join("; ")}.</p>`}</div>
</section>${decision(report)}
${coverage(report)}
${pendingDocuments(report)}${standing(report)}
${comparedMeaning(report)}
`;
}

function decision({ review }: WireReport): Content {
  if (review === undefined) return undefined;
  return html`<section class="notice" aria-labelledby="decision"><h2 id="decision">Decision: ${REVIEW_LABELS[review.status]}</h2>${
    review.comment === null ? undefined : html`<p dir="auto">${review.comment}</p>`
  }<p class="quiet">Kept on ${DATE.format(new Date(review.changed_at))} UTC.</p></section>`;
}

function kinds(report: WireReport): Content {
  const all = reuseKinds(report);
  if (all.length === 0) return undefined;
  return html`<ul class="kinds">${all.map(
    ({ label, chars, pct }) =>
      html`<li>${label} <strong>${percentage(pct)}</strong> <span class="quiet">(${counted(chars, "character")})</span></li>`,
  )}</ul>`;
}

function groups(report: WireReport): Content {
  const all = matchGroupsOf(report);
  if (all.length === 0) return undefined;
  return html`
<p class="quiet">${MATCH_GROUPS_TITLE}:</p>
<ul class="kinds">${all.map(
    ({ label, passages, pct }) =>
      html`<li>${label} <strong>${counted(passages, "passage")}</strong> <span class="quiet">(${percentage(pct)})</span></li>`,
  )}</ul>`;
}

function exclusionList({ advice, groups }: Exclusions): Html {
  if (groups.length === 0) return html``;
  const quote = ({ text, isQuoted }: Exclusion) =>
    isQuoted ? html`<bdi>“${text}”</bdi>` : html`<bdi>${text}</bdi>`;
  const items = ({ items: all, more }: ExclusionGroup) =>
    html`<ul class="excluded">${all.map(
      (item) => html`<li>${quote(item)} <span class="quiet">${item.about}</span>${noteBox(item.note)}</li>`,
    )}${more === 0 ? undefined : html`<li class="quiet">and ${counted(more, "other")}</li>`}</ul>`;
  return html`<section aria-labelledby="exclusions">
<h2 id="exclusions">Exclusions</h2>
<p class="legend">${advice}</p>
${groups.map((group) => html`<h3>${group.title}</h3>${items(group)}`)}
</section>
`;
}

/** Columns of the strip: about the pixels of a wide screen. */
const COLUMNS = 1_000;

/** Stands for a deleted source; real ones begin at 1. */
const DELETED = 0;

function matchStrip(report: WireReport, pieces: readonly TextPiece[]): Content {
  const { length } = report.query_text;
  const matched = pieces.flatMap(({ start, end, passages: [first], isOrphan }) =>
    first === undefined && !isOrphan ? [] : [{ start, end, source: first?.source.number ?? DELETED }],
  );
  if (matched.length === 0) return undefined;
  const bands = matchBands(matched, length, COLUMNS).map(
    ({ top, rows, source }) =>
      html`<rect class="${source === DELETED ? "orphan" : `f${colourOf(source)}`}" x="${top}" width="${rows}" height="10"/>`,
  );
  return html`<svg class="strip" viewBox="0 0 ${COLUMNS} 10" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="${COLUMNS}" height="10"/>${bands}</svg>`;
}

function coverage(report: WireReport): Html {
  const { title, text } = coverageInWords(report);
  return report.coverage === "full"
    ? html`<p class="quiet">${text}</p>`
    : html`<section class="notice" aria-labelledby="coverage"><h2 id="coverage">${title}</h2><p>${text}</p></section>`;
}

function standing(report: WireReport): Content {
  const text = standingInWords(report);
  return text === undefined ? undefined : html`<p class="quiet">${text}</p>`;
}

function pendingDocuments(report: WireReport): Content {
  const text = pendingInWords(report);
  if (text === undefined) return undefined;
  return html`<section class="notice" aria-labelledby="pending"><h2 id="pending">Some documents were not compared</h2><p>${text}</p></section>`;
}

function comparedMeaning(report: WireReport): Content {
  const text = semanticCoverageInWords(report);
  if (text === undefined) return undefined;
  if (report.semantic_coverage_reason === "off") return html`<p class="quiet">${text}</p>`;
  return html`<section class="notice" aria-labelledby="meaning"><h2 id="meaning">Not everything was compared by meaning</h2><p>${text}</p></section>`;
}

const FLAG_EXCERPT_LENGTH = 60;

function* integrity(report: WireReport): Generator<Html> {
  const flags = numberedFlags(report);
  if (flags.length === 0) return;
  const kinds = Map.groupBy(report.integrity_flags, ({ kind }) => kind);
  const counts = [...kinds].map(([kind, all]) => flagCount(kind, all.length)).join(", ");
  yield html`<section class="notice" aria-labelledby="signs">
<h2 id="signs">Signs of disguised text</h2>
<p>${counts}. ${DISGUISE_ADVICE}</p>
<ol class="flags">
`;
  for (const { number, flag } of flags) {
    const excerpt = signs(flaggedExcerpt(flag, report.query_text, FLAG_EXCERPT_LENGTH), [flag]);
    yield html`<li id="flag-${number}"><a href="#sign-${number}" lang="${report.language}"><bdi>${excerpt}</bdi></a> <span class="quiet">${flag.detail}</span></li>
`;
  }
  yield html`</ol>
</section>
`;
}

function* sourceList({ sources, language, compared_chars: comparedChars }: WireReport): Generator<Html> {
  yield html`<section aria-labelledby="sources">
<h2 id="sources">Sources</h2>
${sources.length > 1 ? html`<p class="quiet">${SHARES_ADVICE}</p>` : undefined}
${sources.length === 0 ? html`<p class="quiet">No sources to show.</p>` : html`<ol class="sources">`}
`;
  for (const source of sources)
    yield sourceRow(source, language, percent(source.exclusive_matched_chars, comparedChars));
  yield html`${sources.length === 0 ? undefined : html`</ol>`}
</section>
`;
}

function sourceRow(source: WireSource, checked: string, scorePct: number): Html {
  const { number } = source;
  return html`<li>
<a class="number r${colourOf(number)}" href="#source-${number}" aria-label="Passages of source ${number}">${number}</a>
<div class="what"><strong dir="auto">${source.title}</strong>
<span class="quiet"><bdi>${source.source_filename}</bdi> ${sourceLink(source)}</span>
<span class="quiet">${passagesInWords(source.passages)}${source.language === checked ? undefined : ` · in ${languageName(source.language)}`}</span></div>
<div class="share"><strong>${percentage(source.similarity_pct)}</strong>
<span class="quiet">${counted(source.matched_chars, "character")}</span>
${source.exclusive_matched_chars === source.matched_chars ? undefined : html`<span class="quiet">${percentage(scorePct)} in the score</span>`}
<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="4"/><rect class="f${colourOf(number)}" width="${source.similarity_pct}" height="4"/></svg></div>
</li>
`;
}

/** Links only to web addresses; others are shown as text. */
function sourceLink({ source_url: url }: WireSource): Content {
  if (url === null) return undefined;
  if (!/^https?:\/\//i.test(url)) return html`· <bdi>${url}</bdi>`;
  return html`· <a href="${url}" rel="noopener noreferrer nofollow"><bdi>${url}</bdi></a>`;
}

import { createHash } from "node:crypto";
import { inTurns } from "../../../http/download.ts";
import { type Content, Html, html } from "../../../http/html.ts";
import { textsIn } from "../../../http/languages/catalogues.ts";
import type { Language } from "../../../http/languages/languages.ts";
import type { Texts } from "../../../http/languages/texts.ts";
import { percent } from "../../figures/figures.ts";
import { matchBands } from "../../figures/match-bands.ts";
import type { WireReport } from "../../presented-report.ts";
import { colourOf } from "../../source-colours.ts";
import {
  corpusInWords,
  coverageInWords,
  filtersInWords,
  flagCount,
  isComparedWithMembersOnly,
  languageOriginInWords,
  matchGroupsOf,
  passagesInWords,
  pendingInWords,
  reuseKinds,
  reviewLabel,
  riseInWords,
  scoreInWords,
  semanticCoverageInWords,
  shownScore,
  standingInWords,
  statedInFile,
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
 * @param exclusions in the same language
 * @param toolbar shown above the report, when it is a page and not a document to keep
 */
export function reportHtml(
  report: WireReport,
  exclusions: Exclusions,
  compare: ComparePairs,
  language: Language,
  toolbar?: Html,
): AsyncGenerator<string> {
  return inTurns(parts(report, exclusions, compare, language, toolbar));
}

/** In small parts: between two of them, other requests may have their turn. */
async function* parts(
  report: WireReport,
  exclusions: Exclusions,
  compare: ComparePairs,
  { tag, locale, direction }: Language,
  toolbar: Html | undefined,
): AsyncGenerator<Html> {
  const texts = textsIn(tag);
  const marks = marksOf(report);
  const pieces = [...textPieces(marks, [{ start: 0, end: report.query_text.length }])].flat();
  yield html`<!doctype html>
<html lang="${locale}"${direction === "rtl" ? html` dir="rtl"` : undefined}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${STYLES_ALLOWED}; ${toolbar === undefined ? CLOSED : OWN_FORMS}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${report.display_title} · ${texts.say("export.title")}</title>
`;
  yield new Html(`<style>${STYLES}</style>`);
  yield html`</head>
<body>
<main>
${toolbar}`;
  // Below a toolbar, the heading stays on the toolbar's side.
  const title = toolbar && html`<h1><bdi>${report.display_title}</bdi></h1>`;
  yield overview(report, texts, pieces, title ?? html`<h1 dir="auto">${report.display_title}</h1>`);
  yield* integrity(report, texts);
  yield* sourceList(report, texts);
  yield* markedText(report, marks, pieces, texts);
  yield* passagesBesideSources(report, compare, texts);
  yield exclusionList(exclusions, texts);
  yield html`</main>
<footer>
<p>${texts.say("advice.judgement")}</p>
<p>${texts.say("export.created", { id: report.check_id })}</p>
</footer>
</body>
</html>
`;
}

function overview(report: WireReport, texts: Texts, pieces: readonly TextPiece[], title: Html): Html {
  const { filters, language, language_origin: origin, completed_at: completedAt } = report;
  const phrases = filtersInWords(report, texts);
  const { say, percent: pct } = texts;
  const date = html`<time datetime="${completedAt}">${texts.utcDate(completedAt)}</time>`;
  const rise = riseInWords(report, texts);
  return html`<header>
<p class="kind">${say("export.title")}</p>
${title}
<p class="facts">${texts.sayParts("export.checkedOn", { date })} · ${texts.languageName(
    language,
  )}${languageOriginInWords(origin, texts)} · ${texts.sayCount("count.words", report.word_count)}, ${texts.sayCount("count.characters", report.char_count)} · ${say("export.comparedWith", { corpus: corpusInWords(report, texts) })}</p>${statedInFile(
    report,
    texts,
  ).map(
    ({ name, value }) => html`
<p class="facts">${name}: <bdi>${value}</bdi></p>`,
  )}
</header>
<section class="score" aria-label="${say("export.score")}">
<p class="figure"><strong>${pct(shownScore(report))}</strong> <span>${
    filters === null || isComparedWithMembersOnly(report)
      ? say("export.similarity")
      : say("export.filtered", { pct: pct(filters.unfiltered_similarity_pct) })
  }</span></p>
<div><p>${scoreInWords(report, texts)}</p>${rise === undefined ? undefined : html`<p class="quiet">${rise}</p>`}
${kinds(report, texts)}${groups(report, texts)}
${isComparedWithMembersOnly(report) ? undefined : matchStrip(report, pieces)}
${phrases.length === 0 ? undefined : html`<p class="filters">${say("export.filters", { filters: phrases.join("; ") })}</p>`}</div>
</section>${decision(report, texts)}
${coverage(report, texts)}
${pendingDocuments(report, texts)}${standing(report, texts)}
${comparedMeaning(report, texts)}
`;
}

function decision({ review }: WireReport, texts: Texts): Content {
  if (review === undefined) return undefined;
  return html`<section class="notice" aria-labelledby="decision"><h2 id="decision">${texts.say("export.decision", { status: reviewLabel(review.status, texts) })}</h2>${
    review.comment === null ? undefined : html`<p dir="auto">${review.comment}</p>`
  }<p class="quiet">${texts.say("export.keptOn", { date: texts.utcDate(review.changed_at) })}</p></section>`;
}

function kinds(report: WireReport, texts: Texts): Content {
  const all = reuseKinds(report, texts);
  if (all.length === 0) return undefined;
  return html`<ul class="kinds">${all.map(
    ({ label, chars, pct }) =>
      html`<li>${label} <strong>${texts.percent(pct)}</strong> <span class="quiet">(${texts.sayCount("count.characters", chars)})</span></li>`,
  )}</ul>`;
}

function groups(report: WireReport, texts: Texts): Content {
  const all = matchGroupsOf(report);
  if (all.length === 0) return undefined;
  return html`
<p class="quiet">${texts.say("group.title")}:</p>
<ul class="kinds">${all.map(
    ({ group, passages, pct }) =>
      html`<li>${texts.say(`group.${group}`)} <strong>${texts.sayCount("count.passages", passages)}</strong> <span class="quiet">(${texts.percent(pct)})</span></li>`,
  )}</ul>`;
}

function exclusionList({ advice, groups }: Exclusions, texts: Texts): Html {
  if (groups.length === 0) return html``;
  const quote = ({ text, isQuoted }: Exclusion) =>
    isQuoted ? html`<bdi>${texts.quote(text)}</bdi>` : html`<bdi>${text}</bdi>`;
  const items = ({ items: all, more }: ExclusionGroup) =>
    html`<ul class="excluded">${all.map(
      (item) =>
        html`<li>${quote(item)} <span class="quiet">${item.about}</span>${noteBox(item.note, texts)}</li>`,
    )}${more === 0 ? undefined : html`<li class="quiet">${texts.sayCount("count.others", more)}</li>`}</ul>`;
  return html`<section aria-labelledby="exclusions">
<h2 id="exclusions">${texts.say("export.exclusions")}</h2>
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

function coverage(report: WireReport, texts: Texts): Html {
  const { title, text } = coverageInWords(report, texts);
  return report.coverage === "full"
    ? html`<p class="quiet">${text}</p>`
    : html`<section class="notice" aria-labelledby="coverage"><h2 id="coverage">${title}</h2><p>${text}</p></section>`;
}

function standing(report: WireReport, texts: Texts): Content {
  const text = standingInWords(report, texts);
  return text === undefined ? undefined : html`<p class="quiet">${text}</p>`;
}

function pendingDocuments(report: WireReport, texts: Texts): Content {
  const text = pendingInWords(report, texts);
  if (text === undefined) return undefined;
  return html`<section class="notice" aria-labelledby="pending"><h2 id="pending">${texts.say("pending.title")}</h2><p>${text}</p></section>`;
}

function comparedMeaning(report: WireReport, texts: Texts): Content {
  const text = semanticCoverageInWords(report, texts);
  if (text === undefined) return undefined;
  if (report.semantic_coverage_reason === "off") return html`<p class="quiet">${text}</p>`;
  return html`<section class="notice" aria-labelledby="meaning"><h2 id="meaning">${texts.say("meaning.title")}</h2><p>${text}</p></section>`;
}

const FLAG_EXCERPT_LENGTH = 60;

function* integrity(report: WireReport, texts: Texts): Generator<Html> {
  const flags = numberedFlags(report);
  if (flags.length === 0) return;
  const kinds = Map.groupBy(report.integrity_flags, ({ kind }) => kind);
  const counts = [...kinds].map(([kind, all]) => flagCount(kind, all.length, texts)).join(", ");
  yield html`<section class="notice" aria-labelledby="signs">
<h2 id="signs">${texts.say("flag.title")}</h2>
<p>${counts}. ${texts.say("advice.disguise")}</p>
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

function* sourceList(
  { sources, language, compared_chars: comparedChars }: WireReport,
  texts: Texts,
): Generator<Html> {
  yield html`<section aria-labelledby="sources">
<h2 id="sources">${texts.say("pdf.sources")}</h2>
${sources.length > 1 ? html`<p class="quiet">${texts.say("advice.shares")}</p>` : undefined}
${sources.length === 0 ? html`<p class="quiet">${texts.say("export.noSources")}</p>` : html`<ol class="sources">`}
`;
  for (const source of sources)
    yield sourceRow(source, language, percent(source.exclusive_matched_chars, comparedChars), texts);
  yield html`${sources.length === 0 ? undefined : html`</ol>`}
</section>
`;
}

function sourceRow(source: WireSource, checked: string, scorePct: number, texts: Texts): Html {
  const { number } = source;
  return html`<li>
<a class="number r${colourOf(number)}" href="#source-${number}" aria-label="${texts.say("export.passagesOfSource", { number })}">${number}</a>
<div class="what"><strong dir="auto">${source.title}</strong>
<span class="quiet"><bdi>${source.source_filename}</bdi> ${sourceLink(source)}</span>
<span class="quiet">${passagesInWords(source.passages, texts)}${source.language === checked ? undefined : ` · ${texts.say("inLanguage", { language: texts.languageName(source.language) })}`}</span></div>
<div class="share"><strong>${texts.percent(source.similarity_pct)}</strong>
<span class="quiet">${texts.sayCount("count.characters", source.matched_chars)}</span>
${source.exclusive_matched_chars === source.matched_chars ? undefined : html`<span class="quiet">${texts.say("export.inScore", { pct: texts.percent(scorePct) })}</span>`}
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

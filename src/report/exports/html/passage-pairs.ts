import { type Content, type Html, html } from "../../../http/html.ts";
import type { Texts } from "../../../http/languages/texts.ts";
import { codePointLength } from "../../../text/code-points.ts";
import type { ComparedPiece, ComparedSides } from "../../figures/compare-sides.ts";
import type { WirePassage, WireReport } from "../../presented-report.ts";
import { colourOf } from "../../source-colours.ts";
import { passageInWords } from "../../wording.ts";
import { type ComparePairs, comparedPairs } from "../compared-pairs.ts";
import { type NumberedPlace, numberedPassages, type WireFlag, type WireSource } from "../text-pieces.ts";
import { signs } from "./marked-text.ts";

/** Every passage beside its source, source by source. */
export async function* passagesBesideSources(
  report: WireReport,
  compare: ComparePairs,
  texts: Texts,
): AsyncGenerator<Html> {
  const passages = numberedPassages(report);
  if (passages.length === 0) return;
  yield html`<section class="passages" aria-labelledby="passages">
<h2 id="passages">${texts.say("export.beside")}</h2>
<p class="legend">${texts.say("advice.pairs")}</p>
`;
  let sourceBefore = 0;
  for await (const { one, sides } of comparedPairs(report, passages, compare)) {
    if (one.source.number !== sourceBefore) yield sourceHeading(one.source, texts);
    sourceBefore = one.source.number;
    yield pair(one, sides, report, texts);
  }
  yield html`</section>
`;
}

function sourceHeading({ number, title, similarity_pct: share }: WireSource, texts: Texts): Html {
  return html`<h3 id="source-${number}"><span class="number r${colourOf(number)}">${number}</span> <bdi>${title}</bdi> <span class="quiet">${texts.percent(share)}</span></h3>
`;
}

function pair(
  { number, source, passage }: NumberedPlace,
  sides: ComparedSides,
  report: WireReport,
  texts: Texts,
): Html {
  const { query_text: text, integrity_flags: flags } = report;
  // A passage may be in another language than the rest of its text.
  const language = passage.meaning?.query_language ?? report.language;
  const sourceLanguage = passage.meaning?.source_language ?? source.language;
  const length = codePointLength(text.slice(passage.query_start, passage.query_end));
  const { say } = texts;
  const sourceName =
    sourceLanguage === language
      ? say("export.source", { number: source.number })
      : say("export.sourceIn", { number: source.number, language: texts.languageName(sourceLanguage) });
  const continues = sides.isCut
    ? html`<span class="quiet">${texts.say("export.continues")}</span>`
    : undefined;
  return html`<article class="pair" id="passage-${number}" aria-label="${say("export.passage", { number })}">
<p class="about"><a href="#place-${number}">${say("export.passage", { number })}</a> <span class="quiet">${passageInWords(passage, source.language, texts)}${groupOf(passage, texts)} · ${texts.sayCount("count.characters", length)}</span></p>
<div class="sides">
<div class="side"><h4>${say("export.submittedText")}</h4>
<blockquote lang="${language}" dir="auto">${querySide(sides.query, passage.query_start, flags)}${continues}</blockquote></div>
<div class="side"><h4>${sourceName}</h4>
<blockquote lang="${sourceLanguage}" dir="auto">${sides.source.map((piece) => marked(piece, piece.text))}${continues}</blockquote></div>
</div>
${noteBox(passage.note, texts)}
</article>
`;
}

function groupOf({ match_group: group }: WirePassage, texts: Texts): string {
  return group === undefined ? "" : ` · ${texts.say(`group.${group}`)}`;
}

/** A reader's note on a passage. */
export function noteBox(note: string | null | undefined, { say }: Texts): Content {
  return note
    ? html`<p class="note" dir="auto"><strong>${say("export.note")}</strong> ${note}</p>`
    : undefined;
}

/** The query's side, which begins at `start` of the text, with invisible characters made visible. */
function querySide(pieces: readonly ComparedPiece[], start: number, flags: readonly WireFlag[]): Content {
  let at = start;
  return pieces.map((piece) => {
    const from = at;
    at += piece.text.length;
    return marked(piece, withSigns(piece.text, from, flags));
  });
}

function withSigns(text: string, start: number, flags: readonly WireFlag[]): Content {
  const parts: Content[] = [];
  let at = 0;
  for (const flag of flags) {
    const from = Math.max(at, flag.start - start);
    const to = Math.min(text.length, flag.end - start);
    if (from >= to) continue;
    parts.push(text.slice(at, from), signs(text.slice(from, to), [flag]));
    at = to;
  }
  return [...parts, text.slice(at)];
}

function marked({ mark }: ComparedPiece, content: Content): Content {
  if (mark === undefined) return content;
  return mark === "differs" ? html`<u>${content}</u>` : html`<b>${content}</b>`;
}

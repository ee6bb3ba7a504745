import type { ComparedSides } from "../../../core/report/compare-sides.ts";
import type { DiffPiece } from "../../../core/report/word-diff.ts";
import { codePointLength } from "../../../core/text/code-points.ts";
import { type Content, type Html, html } from "../../../http/html.ts";
import { colourOf } from "../../source-colours.ts";
import { counted, matchTypeLabel, percentage } from "../../wording.ts";
import type { ComparePassages } from "./compare-passages.ts";
import { type NumberedPassage, numberedPassages, type WireReport } from "./report-marks.ts";

/**
 * Passages that are read and compared in one go: about 1 MB of compressed text and 50 ms of a thread, so that the first of
 * a long report are there soon.
 */
const BATCH = 40;

/** Every passage beside its source, source by source. */
export async function* passagesBesideSources(
  report: WireReport,
  compare: ComparePassages,
): AsyncGenerator<Html> {
  const passages = numberedPassages(report);
  if (passages.length === 0) return;
  yield html`<section class="passages" aria-labelledby="passages">
<h2 id="passages">Passages beside their sources</h2>
<p class="legend">Words that the other side does not have are underlined.</p>
`;
  let sourceNumber = 0;
  for (let from = 0; from < passages.length; from += BATCH) {
    const batch = passages.slice(from, from + BATCH);
    const sides = await compare(
      batch.map((one) => sidesOf(one, report)),
      report.language,
    );
    for (const [at, one] of batch.entries()) {
      if (one.sourceNumber !== sourceNumber) yield sourceHeading(one);
      sourceNumber = one.sourceNumber;
      yield pair(one, sides[at], report);
    }
  }
  yield html`</section>
`;
}

function sidesOf({ source, passage }: NumberedPassage, { query_text: text }: WireReport) {
  const { source_document_start: start, source_document_end: end } = passage;
  return {
    queryText: text.slice(passage.query_start, passage.query_end),
    source: { documentId: source.source_document_id, start, end },
  };
}

function sourceHeading({ sourceNumber, source }: NumberedPassage): Html {
  return html`<h3 id="source-${sourceNumber}"><span class="number r${colourOf(sourceNumber)}">${sourceNumber}</span> <bdi>${source.title}</bdi> <span class="quiet">${percentage(source.similarity_pct)}</span></h3>
`;
}

function pair(
  { number, sourceNumber, passage }: NumberedPassage,
  sides: ComparedSides | undefined,
  { query_text: text, language }: WireReport,
): Html {
  const length = codePointLength(text.slice(passage.query_start, passage.query_end));
  return html`<article class="pair" id="passage-${number}" aria-label="Passage ${number}">
<p class="about"><a href="#place-${number}">Passage ${number}</a> <span class="quiet">${matchTypeLabel(passage.match_type)} · ${counted(length, "character")}</span></p>
<div class="sides">
<div class="side"><h4>Submitted text</h4>
<blockquote lang="${language}" dir="auto">${sides === undefined ? text.slice(passage.query_start, passage.query_end).slice(0, 200).toWellFormed() : diff(sides.query)}${sides?.isCut ? more() : undefined}</blockquote></div>
<div class="side"><h4>Source ${sourceNumber}</h4>
<blockquote dir="auto">${sides === undefined ? passage.overlap_text_preview : diff(sides.source)}${sides?.isCut ? more() : undefined}</blockquote></div>
</div>
</article>
`;
}

function diff(pieces: readonly DiffPiece[]): Content {
  return pieces.map(({ text, differs }) => (differs ? html`<u>${text}</u>` : text));
}

/** A longer passage shows its beginning. */
function more(): Html {
  return html`<span class="quiet"> … (the passage goes on)</span>`;
}

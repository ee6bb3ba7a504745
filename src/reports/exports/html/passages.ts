import type { DiffPiece, ComparedSides as Sides } from "../../../core/report/compare-sides.ts";
import { codePointLength } from "../../../core/text/code-points.ts";
import { type Content, type Html, html } from "../../../http/html.ts";
import { colourOf } from "../../source-colours.ts";
import { counted, matchTypeLabel, percentage } from "../../wording.ts";
import type { ComparePassages } from "./compare-passages.ts";
import { signs } from "./marked-text.ts";
import { type NumberedPassage, numberedPassages, type WireFlag, type WireReport } from "./report-marks.ts";

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
      yield pair(one, sides[at] ?? kept(one, report), report);
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

function pair({ number, sourceNumber, passage }: NumberedPassage, sides: Sides, report: WireReport): Html {
  const { query_text: text, language, integrity_flags: flags } = report;
  const length = codePointLength(text.slice(passage.query_start, passage.query_end));
  const goesOn = sides.isCut ? html`<span class="quiet"> … (the passage goes on)</span>` : undefined;
  return html`<article class="pair" id="passage-${number}" aria-label="Passage ${number}">
<p class="about"><a href="#place-${number}">Passage ${number}</a> <span class="quiet">${matchTypeLabel(passage.match_type)} · ${counted(length, "character")}</span></p>
<div class="sides">
<div class="side"><h4>Submitted text</h4>
<blockquote lang="${language}" dir="auto">${querySide(sides.query, passage.query_start, flags)}${goesOn}</blockquote></div>
<div class="side"><h4>Source ${sourceNumber}</h4>
<blockquote dir="auto">${sides.source.map((piece) => differing(piece, piece.text))}${goesOn}</blockquote></div>
</div>
</article>
`;
}

/** The text from `start` on in pieces, with what is hidden in it made visible. */
function querySide(pieces: readonly DiffPiece[], start: number, flags: readonly WireFlag[]): Content {
  let at = start;
  return pieces.map((piece) => {
    const from = at;
    at += piece.text.length;
    return differing(piece, withSigns(piece.text, from, flags));
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

function differing({ differs }: DiffPiece, content: Content): Content {
  return differs ? html`<u>${content}</u>` : content;
}

/** Of a source that has been deleted while the document was made, what the report kept of it. */
function kept({ passage }: NumberedPassage, { query_text: text }: WireReport): Sides {
  const query = text.slice(passage.query_start, passage.query_end);
  return {
    query: [{ text: query, differs: false }],
    source: [{ text: passage.overlap_text_preview, differs: false }],
    isCut: false,
  };
}

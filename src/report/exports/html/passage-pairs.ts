import type { CorpusStores } from "../../../corpus/index.ts";
import { type Content, type Html, html } from "../../../http/html.ts";
import type { TextRange } from "../../../matching/set.ts";
import type { Compute } from "../../../platform/compute-pool.ts";
import { codePointLength } from "../../../text/code-points.ts";
import { blankMargins } from "../../../text/margins.ts";
import { fromPairs } from "../../../text/span.ts";
import type { ComparedPiece, ComparedSides, RewordedParts } from "../../figures/compare-sides.ts";
import type { WireReport } from "../../presented-report.ts";
import { rewordedParts } from "../../reworded-parts.ts";
import { colourOf } from "../../source-colours.ts";
import type * as tasks from "../../tasks.ts";
import { counted, languageName, passageInWords, percentage } from "../../wording.ts";
import { type NumberedPlace, numberedPassages, type WireFlag, type WireSource } from "../text-pieces.ts";
import { signs } from "./marked-text.ts";

/** About 1 MB of compressed text and 50 ms of a thread, so that the first passages of a long report are sent early. */
const BATCH = 40;

/** Every passage beside its source, source by source. */
export async function* passagesBesideSources(
  report: WireReport,
  compare: ComparePairs,
): AsyncGenerator<Html> {
  const passages = numberedPassages(report);
  if (passages.length === 0) return;
  const comparedText = blankMargins(report.query_text, fromPairs(report.page_margins));
  yield html`<section class="passages" aria-labelledby="passages">
<h2 id="passages">Passages beside their sources</h2>
<p class="legend">Of copied text, the words that differ are underlined; of reworded text, the wording that both sides share is bold.</p>
`;
  let sourceBefore = 0;
  for (let from = 0; from < passages.length; from += BATCH) {
    const batch = passages.slice(from, from + BATCH);
    const compared = await compare(
      batch.map((one) => sidesOf(one, comparedText)),
      report.language,
    );
    for (const [at, one] of batch.entries()) {
      if (one.source.number !== sourceBefore) yield sourceHeading(one.source);
      sourceBefore = one.source.number;
      const sides = compared[at] ?? keptSides(one, report);
      // Words say nothing about a passage that was found by its meaning.
      yield pair(one, one.passage.meaning === null ? sides : undivided(sides), report);
    }
  }
  yield html`</section>
`;
}

/** A passage to compare: the query's text, and the place of the source's text in UTF-16 units. */
type SidesToCompare = {
  readonly queryText: string;
  readonly source: TextRange;
  readonly reworded: RewordedParts;
};

/** Compares the beginnings of both sides of each passage word by word; undefined if the source has been deleted meanwhile. */
export type ComparePairs = (
  passages: readonly SidesToCompare[],
  language: string,
) => Promise<readonly (ComparedSides | undefined)[]>;

/** A page of a book, in UTF-16 units: the time of a comparison grows quadratically. */
const SIDE_LENGTH_MAX = 1_500;

type PassagePairsParts = Pick<CorpusStores, "database" | "texts"> & {
  readonly compute: Compute<typeof tasks>;
};

export function createComparePassages({ database, texts, compute }: PassagePairsParts): ComparePairs {
  return async (passages, language) => {
    const heads = passages.map(({ queryText, source: { documentId, start, end }, reworded }) => ({
      query: queryText.slice(0, SIDE_LENGTH_MAX),
      source: { documentId, start, end: Math.min(end, start + SIDE_LENGTH_MAX) },
      isCut: queryText.length > SIDE_LENGTH_MAX || end - start > SIDE_LENGTH_MAX,
      reworded,
    }));
    const ranges = heads.map(({ source }) => source);
    const sections = await texts.findRanges(database, ranges);
    return compute.run("comparePackedSides", { sections, passages: heads, language });
  };
}

function sidesOf({ source, passage }: NumberedPlace, comparedText: string): SidesToCompare {
  const { source_document_start: start, source_document_end: end } = passage;
  return {
    queryText: comparedText.slice(passage.query_start, passage.query_end),
    source: { documentId: source.source_document_id, start, end },
    reworded: rewordedParts(passage),
  };
}

/** For a source that was deleted while the document was made: the excerpt that the report kept. */
function keptSides({ passage }: NumberedPlace, { query_text: text }: WireReport): ComparedSides {
  const query = text.slice(passage.query_start, passage.query_end);
  return {
    query: [{ text: query }],
    source: [{ text: passage.overlap_text_preview }],
    isCut: false,
  };
}

function undivided({ query, source, isCut }: ComparedSides): ComparedSides {
  const whole = (pieces: readonly ComparedPiece[]) => [{ text: pieces.map(({ text }) => text).join("") }];
  return { query: whole(query), source: whole(source), isCut };
}

function sourceHeading({ number, title, similarity_pct: share }: WireSource): Html {
  return html`<h3 id="source-${number}"><span class="number r${colourOf(number)}">${number}</span> <bdi>${title}</bdi> <span class="quiet">${percentage(share)}</span></h3>
`;
}

function pair({ number, source, passage }: NumberedPlace, sides: ComparedSides, report: WireReport): Html {
  const { query_text: text, integrity_flags: flags } = report;
  // A passage may be in another language than the rest of its text.
  const language = passage.meaning?.query_language ?? report.language;
  const sourceLanguage = passage.meaning?.source_language ?? source.language;
  const length = codePointLength(text.slice(passage.query_start, passage.query_end));
  const continues = sides.isCut ? html`<span class="quiet"> … (passage continues)</span>` : undefined;
  return html`<article class="pair" id="passage-${number}" aria-label="Passage ${number}">
<p class="about"><a href="#place-${number}">Passage ${number}</a> <span class="quiet">${passageInWords(passage, source.language)} · ${counted(length, "character")}</span></p>
<div class="sides">
<div class="side"><h4>Submitted text</h4>
<blockquote lang="${language}" dir="auto">${querySide(sides.query, passage.query_start, flags)}${continues}</blockquote></div>
<div class="side"><h4>Source ${source.number}${sourceLanguage === language ? undefined : `, in ${languageName(sourceLanguage)}`}</h4>
<blockquote lang="${sourceLanguage}" dir="auto">${sides.source.map((piece) => marked(piece, piece.text))}${continues}</blockquote></div>
</div>
${noteBox(passage.note)}
</article>
`;
}

/** A reader's note on a passage. */
export function noteBox(note: string | null | undefined): Content {
  return note ? html`<p class="note" dir="auto"><strong>Note:</strong> ${note}</p>` : undefined;
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

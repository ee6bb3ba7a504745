import type { Report } from "../../../client/index.ts";
import { codePointOffsets } from "../../../text/code-points.ts";
import { SmallButton } from "../shared/elements.tsx";
import { counted } from "../shared/wording.ts";
import { readReference } from "./report-address.ts";

const EXCERPT_CHARS = 70;

type ExcludedPassagesProps = {
  readonly report: Report;
  /** As the filter names them. */
  readonly excluded: readonly string[];
  readonly noteOf: (reference: string) => string;
  readonly onInclude: (reference: string) => void;
};

/** The passages that the reader has excluded, each with a way back. */
export function ExcludedPassages({ report, excluded, noteOf, onInclude }: ExcludedPassagesProps) {
  if (excluded.length === 0) return null;
  const { toUtf16 } = codePointOffsets(report.query_text);
  return (
    <section class="excluded-passages" aria-labelledby="excluded-passages">
      <h3 id="excluded-passages">{counted(excluded.length, "excluded passage")}</h3>
      <ul>
        {excluded.map((reference) => {
          const passage = readReference(reference);
          const source = report.sources.find(({ source_document_id: id }) => id === passage?.documentId);
          const text = report.query_text.slice(toUtf16(passage?.start ?? 0), toUtf16(passage?.end ?? 0));
          const isCut = text.length > EXCERPT_CHARS;
          return (
            <li key={reference}>
              <p>
                <bdi>
                  “{text.slice(0, EXCERPT_CHARS).toWellFormed()}
                  {isCut && "…"}”
                </bdi>{" "}
                <span class="quiet">
                  {source === undefined ? "a deleted source" : `source ${source.number}, ${source.title}`}
                </span>
              </p>
              {noteOf(reference) !== "" && (
                <p class="note" dir="auto">
                  Note: {noteOf(reference)}
                </p>
              )}
              <SmallButton onClick={() => onInclude(reference)}>Include again</SmallButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

import { type MeaningComparison, ProblemError, type Report } from "../../../client/index.ts";
import { ExternalLink } from "../shared/elements.tsx";
import { ErrorNotice } from "../shared/notice.tsx";
import { useLoaded } from "../shared/use-loaded.ts";
import { DeletedSource } from "./deleted-source.tsx";
import type { PlacedPassage } from "./passages.ts";
import { readSource } from "./read-source.ts";
import { SentenceTable } from "./sentence-table.tsx";

type CorrespondingSentencesProps = {
  readonly report: Report;
  readonly passage: PlacedPassage;
  readonly meaning: MeaningComparison;
};

/** The sentences of a report's passage and its source, whose text is read when they are shown. */
export function CorrespondingSentences({ report, passage, meaning }: CorrespondingSentencesProps) {
  const { source, start, end } = passage;
  const { source_document_start: sourceStart, source_document_end: sourceEnd } = passage.passage;
  const { value, error, reload } = useLoaded(
    `${report.check_id}/${source.source_document_id}/${sourceStart}-${sourceEnd}`,
    async (signal) =>
      (await readSource(report.check_id, source.source_document_id, sourceStart, sourceEnd, signal)).text,
  );
  if (error instanceof ProblemError && error.code === "source_not_found")
    return <DeletedSource excerpt={passage.passage.overlap_text_preview} />;
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (value === undefined) return <p class="quiet">Loading the source…</p>;
  const link = source.source_url !== null && (
    <span class="side-link">
      <ExternalLink href={source.source_url}>Open the source</ExternalLink>
    </span>
  );
  return (
    <SentenceTable
      meaning={meaning}
      isTranslated={passage.passage.match_type === "translated"}
      query={{
        ...{ text: report.query_text, at: 0, start, end },
        ...{ name: "this text", heading: "This text", language: report.language },
      }}
      source={{
        ...{ text: value, at: sourceStart, start: sourceStart, end: sourceEnd },
        ...{ name: "the source", heading: "Source", language: source.language, link },
      }}
    />
  );
}

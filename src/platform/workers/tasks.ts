import { type PreparedQuery, prepareQuery } from "../../core/alignment/prepared-query.ts";
import { type FingerprintedChunk, fingerprintText } from "../../core/fingerprint/fingerprint-text.ts";
import { sampledShingles } from "../../core/fingerprint/sampled-shingles.ts";
import { alignDocuments, type CandidateDocument } from "../../core/matching/align-documents.ts";
import { assemble } from "../../core/report/assemble.ts";
import {
  type ReadFigures,
  type ReadFiguresInput,
  readFigures as read,
} from "../../core/report/read-figures.ts";
import type { MatchedSource, ReportFigures } from "../../core/report/report.ts";
import { codePointLength } from "../../core/text/code-points.ts";
import { type IntegrityFlag, integrityFlags } from "../../core/text/integrity.ts";
import { tokenise } from "../../core/text/tokenise.ts";
import { wordCount } from "../../core/text/word-count.ts";

export type TextMeasure = { readonly charCount: number; readonly wordCount: number };

/** The lengths that metadata shows: characters are code points. */
export function measureText({ text, language }: { text: string; language: string }): TextMeasure {
  return { charCount: codePointLength(text), wordCount: wordCount(text, language) };
}

export function fingerprint({ text, language }: { text: string; language: string }): FingerprintedChunk[] {
  return fingerprintText(text, language);
}

/** The search terms of each narrow form, as the index has them. */
export function sampleForms(forms: readonly string[]): string[][] {
  return forms.map(sampledShingles);
}

export function findIntegrityFlags(text: string): IntegrityFlag[] {
  return integrityFlags(text);
}

export type AlignInput = {
  /** Names the query: the same key is the same text, prepared once and kept for the next call. */
  readonly queryKey: string;
  readonly queryText: string;
  readonly language: string;
  readonly documents: readonly CandidateDocument[];
};

export function align(input: AlignInput): MatchedSource[] {
  return alignDocuments(preparedQuery(input), input.documents);
}

export function assembleReport(input: {
  queryText: string;
  sources: readonly MatchedSource[];
}): ReportFigures {
  return assemble(input.queryText, input.sources);
}

export function readFigures(input: ReadFiguresInput): ReadFigures {
  return read(input);
}

/** Two checks at once keep their queries prepared in one thread; more of them prepare anew. */
const PREPARED_KEPT = 2;

/** One check sends its candidates in several calls, and preparing a long query takes longer than aligning a short source. */
const prepared = new Map<string, PreparedQuery>();

function preparedQuery({ queryKey, queryText, language }: AlignInput): PreparedQuery {
  const known = prepared.get(queryKey);
  prepared.delete(queryKey);
  const query = known ?? prepareQuery({ text: queryText, tokens: tokenise(queryText, language) });
  prepared.set(queryKey, query);
  for (const key of prepared.keys()) {
    if (prepared.size <= PREPARED_KEPT) break;
    prepared.delete(key);
  }
  return query;
}

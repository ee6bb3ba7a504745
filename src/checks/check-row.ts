import type { Check, CheckStage, CheckStatus, Coverage } from "./check.ts";

/** What a check is read from; its text is not. */
export const CHECK_COLUMNS = `check_id, status, stage, title, language, query_text_preview, char_count, word_count, chunks_done,
  chunks_total, total_matched_chars, coverage, error_message, created_at, started_at, completed_at, updated_at`;

export type CheckRow = {
  check_id: string;
  status: CheckStatus;
  stage: CheckStage | null;
  title: string | null;
  language: string;
  query_text_preview: string;
  char_count: number;
  word_count: number;
  chunks_done: number;
  chunks_total: number;
  total_matched_chars: number | null;
  coverage: Coverage | null;
  error_message: string | null;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
  updated_at: Date;
};

export function toCheck(row: CheckRow): Check {
  return {
    checkId: row.check_id,
    status: row.status,
    stage: row.stage,
    title: row.title,
    language: row.language,
    queryTextPreview: row.query_text_preview,
    charCount: row.char_count,
    wordCount: row.word_count,
    chunksDone: row.chunks_done,
    chunksTotal: row.chunks_total,
    totalMatchedChars: row.total_matched_chars,
    coverage: row.coverage,
    errorMessage: row.error_message,
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    updatedAt: row.updated_at,
  };
}

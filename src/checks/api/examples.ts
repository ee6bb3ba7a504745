import type { z } from "zod";
import { BYTE_ORDER_MARK, toCsv } from "../../http/csv.ts";
import type { Examples } from "../../http/routing/route.ts";
import { CHECK_COLUMNS } from "./presenter.ts";
import type {
  AddedToCorpus,
  CheckList,
  CheckMetadata,
  CheckStats,
  ProgressEnd,
  ProgressEvent,
  Submitted,
} from "./schema.ts";

/** One check in each of its states, so that all examples tell the same story. */
const CHECK_ID = "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf";

const urls = {
  status_url: `/v1/checks/${CHECK_ID}`,
  progress_url: `/v1/checks/${CHECK_ID}/progress`,
  report_url: `/v1/checks/${CHECK_ID}/report`,
};

const queryText =
  "We visited the coast last summer. Long before electric lamps were invented, keepers carried buckets of whale oil " +
  "up the stairs every evening to feed the flame. My sister liked the view best.";

const pending: z.output<typeof CheckMetadata> = {
  check_id: CHECK_ID,
  status: "pending",
  stage: null,
  title: "Summer essay",
  display_title: "Summer essay",
  language: "en",
  language_origin: "detected",
  overall_similarity_pct: null,
  original: null,
  char_count: 190,
  word_count: 33,
  chunks_done: 0,
  chunks_total: 0,
  coverage: null,
  created_at: "2026-11-20T09:30:00.000Z",
  started_at: null,
  completed_at: null,
  updated_at: "2026-11-20T09:30:00.000Z",
  error_message: null,
  ...urls,
};

const original: (typeof pending)["original"] = {
  filename: "essay.pdf",
  media_type: "application/pdf",
  size_bytes: 48_213,
};

const running: typeof pending = {
  ...pending,
  status: "running",
  stage: "retrieving",
  chunks_total: 1,
  started_at: "2026-11-20T09:30:00.040Z",
  updated_at: "2026-11-20T09:30:00.071Z",
};

const complete: typeof pending = {
  ...running,
  status: "complete",
  stage: null,
  overall_similarity_pct: 65.79,
  chunks_done: 1,
  coverage: "full",
  completed_at: "2026-11-20T09:30:00.152Z",
  updated_at: "2026-11-20T09:30:00.152Z",
};

const review: NonNullable<(typeof pending)["review"]> = {
  status: "to_be_discussed",
  comment: "The second paragraph is quoted in chapter 3.",
  filters: { exclude_quotes: true, min_words: 8 },
  reviewed_similarity_pct: 41.05,
  changed_at: "2026-11-20T10:15:31.200Z",
};

const failed: typeof pending = {
  ...running,
  status: "failed",
  stage: null,
  completed_at: "2026-11-20T09:30:09.311Z",
  updated_at: "2026-11-20T09:30:09.311Z",
  error_message:
    "The check failed 3 times because of an internal error. Submit the text again; if that fails too, ask your " +
    "administrator: the service's log has the cause under this check's identifier.",
};

const stats: z.output<typeof CheckStats> = {
  total_checks: 41,
  checks_this_month: 7,
  avg_similarity_pct: 12.4,
  avg_window_size: 39,
  total_words: 61_204,
  total_sources: 1_000,
};

const ended: z.output<typeof ProgressEnd> = {
  check_id: CHECK_ID,
  status: "complete",
  overall_similarity_pct: 65.79,
  error_message: null,
  report_url: urls.report_url,
};

const step = (stage: "chunking" | "retrieving" | null, chunks_done: number, chunks_total: number) => ({
  data: JSON.stringify({ stage, chunks_done, chunks_total } satisfies z.output<typeof ProgressEvent>),
});
const end = (event: "complete" | "failed", data: z.output<typeof ProgressEnd>) => ({
  event,
  data: JSON.stringify(data),
});

export const submitExamples: Examples = {
  text: { summary: "A text in English", value: { query_text: queryText } },
  titled: {
    summary: "With language and title",
    value: { query_text: "Wir waren im Sommer an der Küste.", language: "de", title: "Aufsatz" },
  },
  draft: {
    summary: "Without earlier drafts of the same person",
    value: { query_text: queryText, owner: "student 17", leave_out: "owner", collections: ["essays"] },
  },
};

export const uploadExamples: Examples = {
  pdf: {
    summary: "A PDF with a title",
    value: { file: "(the bytes of essay.pdf)", language: "en", title: "Essay" },
  },
};

export const acceptedExamples: Examples = {
  accepted: {
    summary: "Accepted",
    value: { check_id: CHECK_ID, ...urls } satisfies z.output<typeof Submitted>,
  },
};

const DOCUMENT_ID = "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd";

const added: z.output<typeof AddedToCorpus> = {
  document_id: DOCUMENT_ID,
  document_url: `/v1/corpus/documents/${DOCUMENT_ID}`,
  is_new: true,
};

export const addedExamples = {
  added: { added: { summary: "Added", value: added } },
  known: { known: { summary: "Added before", value: { ...added, is_new: false } } },
} as const satisfies Record<string, Examples>;

export const checkExamples: Examples = {
  pending: { summary: "Waiting", value: pending },
  running: { summary: "Running", value: running },
  complete: { summary: "Complete", value: complete },
  failed: { summary: "Failed", value: failed },
  uploaded: { summary: "Of a file that is kept", value: { ...complete, original } },
};

export const originalExamples: Examples = {
  file: { summary: "A file", value: "(the bytes of essay.pdf)" },
};

export const ocrPagesExamples: Examples = {
  pages: {
    summary: "A page of one line",
    value: {
      pages: [
        {
          page: 2,
          lines: [
            {
              direction: { x: 1, y: 0 },
              height: 10.8,
              words: [
                { text: "Summer", x: 72, y: 720.5, width: 41.2 },
                { text: "essay", x: 116.4, y: 720.5, width: 29.8 },
              ],
            },
          ],
        },
      ],
    },
  },
};

export const listExamples: Examples = {
  page: {
    summary: "The newest of 41 checks (limit=1)",
    value: {
      items: [{ ...complete, query_text_preview: queryText.slice(0, 120) }],
      ...{ total: 41, limit: 1, offset: 0 },
    } satisfies z.output<typeof CheckList>,
  },
};

const cells = {
  review_status: review.status,
  reviewed_similarity_pct: review.reviewed_similarity_pct,
  review_comment: review.comment,
  review_changed_at: review.changed_at,
};

export const exportExamples: Examples = {
  table: {
    summary: "One check",
    value: `${BYTE_ORDER_MARK}${toCsv(CHECK_COLUMNS, [{ ...complete, ...cells }])}`,
  },
};

const unused = {
  total_checks: 0,
  checks_this_month: 0,
  avg_similarity_pct: null,
  avg_window_size: 0,
  total_words: 0,
};

export const statsExamples: Examples = {
  used: { summary: "After some checks", value: stats },
  fresh: { summary: "Before the first check", value: { ...stats, ...unused } satisfies typeof stats },
};

const title = "Essay, second draft";

export const renameExamples: Examples = {
  rename: { summary: "Another title", value: { title } },
  remove: { summary: "No title", value: { title: null } },
  review: {
    summary: "A decision with its filters",
    value: { review: { status: review.status, comment: review.comment, filters: review.filters } },
  },
  reopen: { summary: "Another status alone", value: { review: { status: "open" } } },
};

export const renamedExamples: Examples = {
  renamed: {
    summary: "Renamed",
    value: { ...complete, title, display_title: title, updated_at: "2026-11-20T10:02:17.400Z" },
  },
  reviewed: { summary: "Reviewed", value: { ...complete, review, updated_at: review.changed_at } },
};

/** One event each. */
export const progressExamples: Examples = {
  waiting: { summary: "Before the first stage", value: step(null, 0, 0) },
  stage: { summary: "A stage begins", value: step("chunking", 0, 0) },
  chunks: { summary: "Chunks were searched for", value: step("retrieving", 16, 40) },
  complete: { summary: "event: complete", value: end("complete", ended) },
  failed: {
    summary: "event: failed",
    value: end("failed", {
      ...ended,
      status: "failed",
      overall_similarity_pct: null,
      error_message: failed.error_message,
    }),
  },
  deleted: {
    summary: "event: failed, of a check that was deleted",
    value: end("failed", { ...ended, status: "deleted", overall_similarity_pct: null }),
  },
};

import type { z } from "zod";
import type { Examples } from "../../http/routing/route.ts";
import type {
  AddedMembers,
  BatchGraphSchema,
  BatchList,
  BatchMember,
  BatchMetadata,
  BatchProgressEnd,
  BatchProgressEvent,
  BatchReportSchema,
  BatchWithMembers,
  PairViewSchema,
  SubmittedBatch,
} from "./schema.ts";

const BATCH_ID = "01a1fdd3-1c40-7711-9d2a-8f0a4c1be201";
const ANNA = "01a1fdd3-1c41-7001-8a52-0d9f7e34c001";
const BEN = "01a1fdd3-1c41-7002-8a52-0d9f7e34c002";
const SCAN = "01a1fdd3-1c41-7003-8a52-0d9f7e34c003";

const urls = {
  status_url: `/v1/batches/${BATCH_ID}`,
  progress_url: `/v1/batches/${BATCH_ID}/progress`,
  report_url: `/v1/batches/${BATCH_ID}/report`,
};

const done = { members_total: 3, members_read: 3, members_compared: 3, members_failed: 1, pairs_found: 1 };
const started = { members_total: 3, members_read: 1, members_compared: 0, members_failed: 0, pairs_found: 0 };

const complete: z.output<typeof BatchMetadata> = {
  batch_id: BATCH_ID,
  status: "complete",
  title: "Essays on lighthouses",
  language: null,
  compare_with: "members",
  add_to_corpus: false,
  common_share: 0.2,
  ...done,
  created_at: "2026-11-20T09:30:00.000Z",
  updated_at: "2026-11-20T09:30:01.204Z",
  completed_at: "2026-11-20T09:30:01.204Z",
  ...urls,
};

const unreadable: z.output<typeof BatchMember> = {
  member_id: SCAN,
  ordinal: 2,
  name: "scan.pdf",
  group: null,
  status: "failed",
  check_id: null,
  error_code: "no_extractable_text",
  error_message:
    "The PDF holds no text. It may be a scan without a text layer: run text recognition (OCR) over it first.",
};

const annaName = { member_id: ANNA, ordinal: 0, name: "anna.docx", group: null };
const benName = { member_id: BEN, ordinal: 1, name: "ben.pdf", group: null };
const SHARED =
  "Long before electric lamps were invented, keepers carried buckets of whale oil up the stairs every evening to feed the flame.";
const annaSide = { ...annaName, matched_chars: 125, similarity_pct: 65.79 };
const benSide = { ...benName, matched_chars: 125, similarity_pct: 89.29 };

const annaText = `We visited the coast last summer. ${SHARED} My sister liked the view best.`;
const benText = `${SHARED} Then ships came.`;

export const submitBatchExamples: Examples = {
  files: {
    summary: "Files with the assignment",
    value: {
      files: ["(the bytes of anna.docx)", "(the bytes of ben.pdf)", "(the bytes of scan.pdf)"],
      templates: ["(the bytes of assignment.docx)"],
      title: "Essays on lighthouses",
    },
  },
};

export const submitTextsExamples: Examples = {
  texts: {
    summary: "Two texts",
    value: {
      members: [
        { text: annaText, name: "anna" },
        { text: benText, name: "ben" },
      ],
      title: "Essays on lighthouses",
    },
  },
};

export const addMembersExamples: Examples = {
  late: { summary: "A late essay", value: { files: ["(the bytes of carl.docx)"], group: "late" } },
};

export const addTextsExamples: Examples = {
  late: { summary: "A late text", value: { members: [{ text: annaText, name: "carl", group: "late" }] } },
};

export const submittedExamples: Examples = {
  accepted: {
    summary: "Accepted",
    value: { batch_id: BATCH_ID, ...urls } satisfies z.output<typeof SubmittedBatch>,
  },
};

export const addedExamples: Examples = {
  added: {
    summary: "Added",
    value: { batch_id: BATCH_ID, members_added: 1, ...urls } satisfies z.output<typeof AddedMembers>,
  },
};

export const batchListExamples: Examples = {
  page: {
    summary: "The only batch",
    value: { items: [complete], total: 1, limit: 20, offset: 0 } satisfies z.output<typeof BatchList>,
  },
};

export const batchExamples: Examples = {
  complete: {
    summary: "Complete",
    value: {
      ...complete,
      members: [
        { ...annaName, status: "compared", check_id: ANNA, error_code: null, error_message: null },
        { ...benName, status: "compared", check_id: BEN, error_code: null, error_message: null },
        unreadable,
      ],
    } satisfies z.output<typeof BatchWithMembers>,
  },
};

const title = "Essays on lighthouses, spring";

export const renameBatchExamples: Examples = {
  rename: { summary: "Another title", value: { title } },
  remove: { summary: "No title", value: { title: null } },
};

export const renamedBatchExamples: Examples = {
  renamed: { summary: "Renamed", value: { ...complete, title } satisfies z.output<typeof BatchMetadata> },
};

const event = (data: z.output<typeof BatchProgressEvent>) => ({ data: JSON.stringify(data) });

export const batchProgressExamples: Examples = {
  reading: { summary: "Members are read", value: event({ status: "reading", ...started }) },
  complete: {
    summary: "event: complete",
    value: {
      event: "complete",
      data: JSON.stringify({
        ...{ batch_id: BATCH_ID, status: "complete", ...done, report_url: urls.report_url },
      } satisfies z.output<typeof BatchProgressEnd>),
    },
  },
};

const benRanked = {
  ...{ ...benName, check_id: BEN, char_count: 140, similarity_pct: 89.29, pairs: 1 },
  common_pct: 0,
  corpus_similarity_pct: null,
};
const annaRanked = {
  ...{ ...annaName, check_id: ANNA, char_count: 190, similarity_pct: 65.79, pairs: 1 },
  common_pct: 0,
  corpus_similarity_pct: null,
};

const NO_MATCHES = Array.from({ length: 10 }, (_, range) => ({
  ...{ from_pct: 10 * range, to_pct: 10 * (range + 1), members: 0, pairs: 0 },
}));

export const batchReportExamples: Examples = {
  report: {
    summary: "One pair",
    value: {
      batch_id: BATCH_ID,
      title: complete.title,
      status: "complete",
      ...done,
      min_similarity: 3,
      members: [
        { ...benRanked, nearest: annaName },
        { ...annaRanked, nearest: benName },
      ],
      pairs: [
        { a: annaSide, b: benSide, similarity_pct: 89.29, passage_count: 1, longest_passage_chars: 125 },
      ],
      pairs_total: 1,
      clusters: [{ members: [annaName, benName], pairs: 1 }],
      histogram: NO_MATCHES.map((range) => ({
        ...range,
        members: Number(range.from_pct === 60) + Number(range.from_pct === 80),
        pairs: Number(range.from_pct === 80),
      })),
      unreadable: [unreadable],
      offset: 0,
      limit: 100,
    } satisfies z.output<typeof BatchReportSchema>,
  },
};

export const batchGraphExamples: Examples = {
  graph: {
    summary: "One pair",
    value: {
      batch_id: BATCH_ID,
      status: "complete",
      ...done,
      min_similarity: 0,
      members: [
        { ...benRanked, nearest: annaName.ordinal },
        { ...annaRanked, nearest: benName.ordinal },
      ],
      pairs: {
        a: [annaName.ordinal],
        b: [benName.ordinal],
        a_similarity_pct: [65.79],
        b_similarity_pct: [89.29],
        passage_count: [1],
        longest_passage_chars: [125],
      },
      pairs_total: 1,
    } satisfies z.output<typeof BatchGraphSchema>,
  },
};

const shown = { language: "en", template_text: [], common_text: [], quotations: [] };

export const pairExamples: Examples = {
  pair: {
    summary: "A copied sentence",
    value: {
      batch_id: BATCH_ID,
      offset_unit: "code_point",
      a: { ...annaSide, ...shown, check_id: ANNA, text: annaText, char_count: 190, compared_chars: 190 },
      b: { ...benSide, ...shown, check_id: BEN, text: benText, char_count: 140, compared_chars: 140 },
      similarity_pct: 89.29,
      longest_passage_chars: 125,
      passages: [
        {
          ...{ query_start: 0, query_end: 125, source_document_start: 34, source_document_end: 159 },
          match_type: "identical",
          runs: [
            {
              ...{ query_start: 0, query_end: 125, source_document_start: 34, source_document_end: 159 },
              match_type: "identical",
            },
          ],
          meaning: null,
          is_quoted: false,
          is_common: false,
        },
      ],
    } satisfies z.output<typeof PairViewSchema>,
  },
};

export const pairsCsvExamples: Examples = {
  pairs: {
    summary: "One pair",
    value:
      "a_name,a_group,b_name,b_group,similarity_pct,a_similarity_pct,b_similarity_pct,a_matched_chars,b_matched_chars,passage_count,longest_passage_chars,a_member_id,b_member_id\r\n" +
      `anna.docx,,ben.pdf,,89.29,65.79,89.29,125,125,1,125,${ANNA},${BEN}\r\n`,
  },
};

export const membersCsvExamples: Examples = {
  members: {
    summary: "Two members",
    value:
      "name,group,similarity_pct,nearest,pairs,common_pct,corpus_similarity_pct,char_count,member_id,check_id,error\r\n" +
      `ben.pdf,,89.29,anna.docx,1,0,,140,${BEN},${BEN},\r\nanna.docx,,65.79,ben.pdf,1,0,,190,${ANNA},${ANNA},\r\n`,
  },
};

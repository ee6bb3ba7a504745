/** What was copied into, or how. */
export const CASE_TYPES = ["dissertation", "article", "book", "peer_review", "other"] as const;
export type CaseType = (typeof CASE_TYPES)[number];

/** The first that a text has decides: a thesis is often published as a book, and a book is reviewed in articles. */
const KEYWORDS: readonly (readonly [CaseType, RegExp])[] = [
  [
    "dissertation",
    /\b(?:dissertations?|thes[ei]s|habilitations?|doctoral (?:degree|work)|doctorates?|Ph\.?\s?D\.? (?:degree|work)|doktorarbeit)\b/i,
  ],
  ["peer_review", /\bpeer[- ]review(?:s|ed|er|ers|ing)?\b|\b(?:referee|reviewer)s?\b/i],
  [
    "book",
    /\b(?:books?|textbooks?|handbooks?|monographs?|novels?|biograph(?:y|ies)|memoirs?|encyclop(?:a)?edias?)\b/i,
  ],
  [
    "article",
    /\b(?:articles?|papers?|manuscripts?|publications?|journals?|preprints?|essays?|columns?|studies|study)\b/i,
  ],
];

/** The type of a case by the keywords of its text. */
export function caseType(text: string): CaseType {
  return KEYWORDS.find(([, pattern]) => pattern.test(text))?.[0] ?? "other";
}

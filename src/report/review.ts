import { z } from "zod";
import { optionalMember } from "../http/input/parse.ts";
import { Percentage, storableText, Timestamp } from "../http/input/wire-types.ts";
import { FiltersToKeep, KeptFilters } from "./asked-filters.ts";

/** The decision on a report: none yet, nothing to object to, a talk with the author, or reuse that was confirmed. */
const REVIEW_STATUSES = ["open", "cleared", "to_be_discussed", "confirmed"] as const;

const COMMENT_CHARS_MAX = 2_000;

/** Members that are left out stay as they are; `filters` is replaced as a whole. */
export const ReviewChanges = z
  .object({
    status: optionalMember(z.enum(REVIEW_STATUSES)).describe("`open` at first."),
    comment: storableText({ charsMin: 0, charsMax: COMMENT_CHARS_MAX })
      .nullable()
      .optional()
      .describe("Plain text of up to 2,000 characters; null or an empty text removes it."),
    filters: optionalMember(FiltersToKeep).describe("In place of the filters that were kept before."),
  })
  .meta({ id: "ReviewChanges" });

export type ReviewChanges = z.output<typeof ReviewChanges>;

/** What a reader has kept of a report, as it is stored. `similarityPct`: the score with the filters, at `changedAt` (ISO 8601). */
export type Review = {
  readonly status: (typeof REVIEW_STATUSES)[number];
  readonly comment: string | null;
  readonly filters: KeptFilters;
  readonly similarityPct: number;
  readonly changedAt: string;
};

export const ShownReview = z
  .object({
    status: z.enum(REVIEW_STATUSES),
    comment: z.string().nullable(),
    filters: KeptFilters,
    reviewed_similarity_pct: Percentage.describe(
      "The score with the kept filters, as of `changed_at`. `overall_similarity_pct` of the check stays the score without filters.",
    ),
    changed_at: Timestamp,
  })
  .meta({ id: "Review" });

/** A review in a list. */
export const ListedReview = ShownReview.omit({ filters: true }).meta({ id: "ListedReview" });

type Listed = Omit<Review, "filters">;

export function presentReview(review: Review): z.output<typeof ShownReview>;
export function presentReview(review: Listed): z.output<typeof ListedReview>;
export function presentReview({
  status,
  comment,
  filters,
  similarityPct,
  changedAt,
}: Listed & Partial<Pick<Review, "filters">>) {
  return {
    status,
    comment,
    ...(filters && { filters }),
    reviewed_similarity_pct: similarityPct,
    changed_at: changedAt,
  };
}

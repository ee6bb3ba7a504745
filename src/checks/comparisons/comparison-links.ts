import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import type { Compute } from "../../platform/compute-pool.ts";
import { DomainError } from "../../platform/domain-error.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type * as reportTasks from "../../report/tasks.ts";
import { type Comparison, type ComparisonOptions, type MatchedTexts, withFigures } from "./compare-texts.ts";

/** A comparison that is kept for a link. */
export type ComparisonLink = { readonly comparisonId: string; readonly expiresAt: Date };

type LinksParts = {
  readonly database: Database;
  readonly compute: Compute<typeof reportTasks>;
  /** How many days a link lasts; undefined allows none. */
  readonly linkDays: number | undefined;
};

export type ComparisonLinks = ReturnType<typeof createComparisonLinks>;

const DAY_MS = 86_400_000;

/** Two of the longest texts are some hundred rows of PostgreSQL's out-of-line storage. */
const DELETED_TOGETHER = 200;

/**
 * Keeps comparisons for their links. A link lasts as long as the setting says now, whatever it said when the link was made. Both
 * making and reading one reject with `comparison_links_off` when the operator allows no links; reading and deleting reject with
 * `comparison_not_found` for an unknown or expired one.
 */
export function createComparisonLinks({ database, compute, linkDays }: LinksParts) {
  function days(): number {
    if (linkDays === undefined) throw linksOff();
    return linkDays;
  }

  return {
    linkDays,

    /** @throws DomainError `comparison_links_off` */
    assertOn: () => void days(),

    /** Stores both texts with what was found. @throws DomainError `comparison_links_off` */
    async keep(matched: MatchedTexts): Promise<ComparisonLink> {
      const lasting = days();
      // Random as a whole, unlike the identifiers of checks, which are numbered by time: only those who have the link can read it.
      const comparisonId = randomUUID();
      const [row] = await database.query<{ createdAt: Date }>(
        `insert into comparison_links (comparison_id, content) values ($1, $2) returning created_at as "createdAt"`,
        [comparisonId, await packed(matched)],
      );
      if (row === undefined) throw new Error("the comparison was not stored");
      return { comparisonId, expiresAt: expiry(row.createdAt, lasting) };
    },

    /** The comparison of a link, in the requested units. @throws DomainError `comparison_links_off`, `comparison_not_found`; the signal's reason */
    async read(
      comparisonId: string,
      { units, signal }: ComparisonOptions,
    ): Promise<{ readonly comparison: Comparison; readonly link: ComparisonLink }> {
      const lasting = days();
      const [row] = await database.query<{ createdAt: Date; content: Buffer }>(
        `select created_at as "createdAt", content from comparison_links
          where comparison_id = $1 and created_at > now() - make_interval(days => $2)`,
        [comparisonId, lasting],
      );
      if (row === undefined) throw comparisonNotFound();
      const comparison = await withFigures(compute, await unpacked(row.content), units, signal);
      return { comparison, link: { comparisonId, expiresAt: expiry(row.createdAt, lasting) } };
    },

    /** Deletes a link with both texts, also when links are off by now. @throws DomainError `comparison_not_found` */
    async delete(comparisonId: string): Promise<void> {
      const rows = await database.query(
        "delete from comparison_links where comparison_id = $1 returning comparison_id",
        [comparisonId],
      );
      if (rows.length === 0) throw comparisonNotFound();
    },
  };
}

/** Deletes the comparisons whose links have expired, or all when the operator allows no links any more; returns their number. */
export function createDeleteOldComparisons({
  database,
  linkDays = 0,
  log,
}: Omit<LinksParts, "compute"> & { readonly log: Logger }) {
  return async (signal: AbortSignal): Promise<number> => {
    let deleted = 0;
    for (;;) {
      signal.throwIfAborted();
      const rows = await database.query(
        `delete from comparison_links where comparison_id in (
           select comparison_id from comparison_links where created_at <= now() - make_interval(days => $1) order by created_at limit $2)
         returning comparison_id`,
        [linkDays, DELETED_TOGETHER],
      );
      deleted += rows.length;
      if (rows.length < DELETED_TOGETHER) break;
    }
    if (deleted > 0) log.info({ deleted, linkDays }, "old comparisons deleted");
    return deleted;
  };
}

function expiry(createdAt: Date, days: number): Date {
  return new Date(createdAt.getTime() + days * DAY_MS);
}

/** Two of the longest texts take some 50 ms in a thread of the pool of zlib, and a quarter of their size. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The version of the stored format. A release that changes the type of `matched` raises it. */
const FORMAT = 1;

async function packed(matched: MatchedTexts): Promise<Buffer> {
  return promisify(brotliCompress)(JSON.stringify({ format: FORMAT, matched }), QUICK);
}

/** @throws DomainError `comparison_not_found` for what another release has stored */
async function unpacked(content: Buffer): Promise<MatchedTexts> {
  const { format, matched } = JSON.parse((await promisify(brotliDecompress)(content)).toString());
  if (format !== FORMAT) throw comparisonNotFound();
  return matched;
}

export function comparisonNotFound(): DomainError {
  return new DomainError(
    "comparison_not_found",
    "There is no comparison under this link: the link has expired, was deleted, or never existed. Compare the texts again.",
  );
}

function linksOff(): DomainError {
  return new DomainError(
    "comparison_links_off",
    "This service keeps no comparisons, so there are no links to them. Its operator can allow links with COMPARISON_LINK_DAYS.",
  );
}

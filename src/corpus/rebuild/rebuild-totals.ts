import { z } from "zod";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { assertWhole } from "../../platform/opensearch/whole-answer.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { RebuildMismatch } from "./rebuild-comparison.ts";

/** OpenSearch takes 65,536 terms in one clause of a query, and 1,024 clauses. */
const TERMS_MAX = 65_000;

/** What the rows say there is, and what the indices hold. */
export type ChunkTotals = {
  readonly documents: number;
  /** By the rows that stood when the new index was counted. */
  readonly chunks: number;
  /** Of the standing index, which a rebuild may be there to mend; undefined where there is none. */
  readonly chunksOfOld: number | undefined;
  readonly chunksOfNew: number;
};

type Input = {
  /** A connection without a limit to its answers: a look at all rows of a large corpus takes long. */
  readonly session: Queryable;
  readonly opensearch: OpenSearch;
  readonly old: string | undefined;
  /** It is refreshed, and nobody but the rebuild that asks writes to it. */
  readonly target: string;
  /** What was fingerprinted later is left out: it may be in the new index or not. */
  readonly since: Date;
};

/**
 * Counts rows and chunks while writers are at work and documents are deleted. The rows are counted before the index and
 * after it: what was deleted in between may be in it or not, so a right index has no more chunks than the first count, and no
 * fewer than the second. Chunks of documents that were gone before are left out where their removal is noted.
 * @throws RebuildMismatch; DomainError `store_unavailable`.
 */
export async function compareTotals({
  session,
  opensearch,
  old,
  target,
  since,
}: Input): Promise<ChunkTotals> {
  const { chunks, gone, recent } = await countRows(session, since);
  const chunksOfNew = await countWithout(opensearch, target, [...gone, ...recent]);
  const after = await countRows(session, since);
  const chunksOfOld = old === undefined ? undefined : await countWithout(opensearch, old, gone);
  if (chunksOfNew <= chunks && chunksOfNew >= after.chunks)
    return { documents: after.documents, chunks: chunksOfNew, chunksOfOld, chunksOfNew };
  const standing = chunksOfOld === undefined ? "" : ` (the standing index: ${chunksOfOld})`;
  throw new RebuildMismatch(
    `${target} holds ${chunksOfNew} chunks, and the database counts ${after.chunks}${standing}.`,
  );
}

type Rows = {
  readonly documents: number;
  readonly chunks: number;
  readonly gone: readonly string[];
  readonly recent: readonly string[];
};

/** In one statement, so that all of it is of the same moment. */
async function countRows(session: Queryable, since: Date): Promise<Rows> {
  const [rows] = await session.query<Rows>(
    `select count(*) as documents, coalesce(sum(chunk_count), 0) as chunks,
            (select coalesce(array_agg(distinct document_id), '{}') from removed_documents) as gone,
            (select coalesce(array_agg(document_id), '{}') from document_chunks where fingerprinted_at >= $1) as recent
       from document_chunks where fingerprinted_at < $1`,
    [since],
  );
  if (rows === undefined) throw new Error("PostgreSQL counted nothing");
  return rows;
}

async function countWithout(
  opensearch: OpenSearch,
  index: string,
  documentIds: readonly string[],
): Promise<number> {
  const pages = Array.from({ length: Math.ceil(documentIds.length / TERMS_MAX) }, (_, page) =>
    documentIds.slice(page * TERMS_MAX, (page + 1) * TERMS_MAX),
  );
  const query = { bool: { must_not: pages.map((page) => ({ terms: { document_id: page } })) } };
  const { body } = await askOpenSearch(() => opensearch.count({ index, body: { query } }));
  assertWhole(body);
  return Counted.parse(body).count;
}

const Counted = z.looseObject({ count: z.int() });

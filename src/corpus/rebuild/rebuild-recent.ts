import { COUNT_PAGE, countChunksOf } from "../reconciliation/chunk-counts.ts";
import type { Filling } from "./filling.ts";
import { RebuildMismatch } from "./rebuild-comparison.ts";
import { copyDocuments } from "./rebuild-copy.ts";

/** So few documents are copied in about a second, while writers wait: there is no need for another round before that. */
const FEW_DOCUMENTS = 200;

/** Each round copies what came during the one before: with an ingest beside it, a few bring that down to a batch. */
const ROUNDS_MAX = 5;

/**
 * A writer's row bears the time at which its transaction began, a moment before it went through the gate. This is what
 * that moment may take, in milliseconds, and the clock may be set back by.
 */
const MARGIN_MS = 60_000;

/**
 * Copies what came meanwhile, until that is little.
 * @param since what the index lacks was fingerprinted after it.
 * @returns such a time again, a later one.
 * @throws DomainError `store_unavailable` when a store stays away; the signal's reason; what a copy throws.
 */
export async function catchUp(filling: Filling, since: Date): Promise<Date> {
  let from = since;
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const next = await timeBeforeWriters(filling);
    const copied = await copySince(filling, from);
    from = next;
    if (copied <= FEW_DOCUMENTS) break;
  }
  return from;
}

/** Copies the documents that were fingerprinted since, as far as the index lacks them; gives their number. */
export async function copySince(filling: Filling, since: Date): Promise<number> {
  let copied = 0;
  for await (const { lacking } of recentPages(filling, since)) {
    await copyDocuments(filling, lacking, true);
    copied += lacking.length;
  }
  return copied;
}

/** What was fingerprinted since, and is whole in the index. */
export type Recent = { readonly documents: number; readonly chunks: number };

/**
 * Makes sure that the index has all chunks of the documents that were fingerprinted since. Nobody may write meanwhile; a
 * document that is deleted is left out.
 * @throws RebuildMismatch; DomainError `store_unavailable`.
 */
export async function confirmSince(filling: Filling, since: Date): Promise<Recent> {
  const { documents: store, database } = filling.parts;
  const sum = { documents: 0, chunks: 0 };
  for await (const { whole, lacking } of recentPages(filling, since)) {
    const [there] = await store.findMatchable(database, lacking);
    if (there !== undefined)
      throw new RebuildMismatch(
        `${filling.target.name} lacks chunks of document ${there.documentId}, which has just come.`,
      );
    sum.documents += whole.length;
    sum.chunks += whole.reduce((chunks, row) => chunks + row.chunk_count, 0);
  }
  return sum;
}

type RecentRow = { document_id: string; chunk_count: number };

/** Documents of which the index holds as many chunks as the rows say, and the others. */
type Page = { readonly whole: readonly RecentRow[]; readonly lacking: readonly string[] };

/** The documents that were fingerprinted since: what this takes depends on their number, and not on that of all. */
async function* recentPages(filling: Filling, since: Date): AsyncGenerator<Page> {
  const { parts, target, withPatience } = filling;
  const rows = await parts.database.query<RecentRow>(
    "select document_id, chunk_count from document_chunks where fingerprinted_at >= $1",
    [since],
  );
  for (let from = 0; from < rows.length; from += COUNT_PAGE) {
    const page = rows.slice(from, from + COUNT_PAGE);
    const ids = page.map((row) => row.document_id);
    const counts = await withPatience(() => countChunksOf(parts.opensearch, target.name, ids));
    const isWhole = (row: RecentRow) => (counts.get(row.document_id) ?? 0) === row.chunk_count;
    yield {
      whole: page.filter(isWhole),
      lacking: page.filter((row) => !isWhole(row)).map((row) => row.document_id),
    };
  }
}

/**
 * A time before which no writer has begun that is still at work: those that were inside the gate have left it when this
 * returns, and their rows can be seen.
 */
export async function timeBeforeWriters({ session, ...told }: Filling): Promise<Date> {
  const [row] = await session.query<{ since: Date }>(
    "select clock_timestamp() - $1 * interval '1 millisecond' as since",
    [MARGIN_MS],
  );
  if (row === undefined) throw new Error("PostgreSQL gave no time");
  await session.withGateClosed(async () => undefined, told);
  return row.since;
}

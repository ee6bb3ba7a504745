/**
 * Rows that go to PostgreSQL in one statement. Batches of 250 to 16,000 rows took the same time within the noise; these are
 * about a megabyte.
 */
const BATCH_ROWS = 4_000;

/** The items in arrays of up to 4,000; memory holds one of them at a time. */
export async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Rows that go to PostgreSQL in one statement: with 1,000 or 10,000 a file of publications took a tenth longer. */
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

import type { Queryable } from "../../../platform/postgres/database.ts";

type IngestedCollection = {
  readonly collection: string;
  readonly selection: string;
  /** How records become documents: a change means that all are read again. */
  readonly mapping: string;
};

/** The last runs that read indices and databases into collections. */
export class IngestedCollections {
  async find(db: Queryable, collection: string): Promise<IngestedCollection | undefined> {
    const [found] = await db.query<IngestedCollection>(
      "select collection, selection, mapping from ingested_collections where collection = $1",
      [collection],
    );
    return found;
  }

  /** Records the start of a run. Returns where it continues; undefined when it must read all records. */
  async begin(
    db: Queryable,
    { collection, selection, mapping }: IngestedCollection,
  ): Promise<string | undefined> {
    const [row] = await db.query<{ newest: string | null }>(
      `insert into ingested_collections as former (collection, selection, mapping) values ($1, $2, $3)
       on conflict (collection) do update set selection = excluded.selection, mapping = excluded.mapping,
         newest = case when (former.selection, former.mapping) = (excluded.selection, excluded.mapping) then former.newest end
       returning newest`,
      [collection, selection, mapping],
    );
    return row?.newest ?? undefined;
  }

  /** Records where the next run continues. */
  async finish(db: Queryable, collection: string, newest: string | undefined): Promise<void> {
    await db.query("update ingested_collections set newest = $2 where collection = $1", [
      collection,
      newest ?? null,
    ]);
  }
}

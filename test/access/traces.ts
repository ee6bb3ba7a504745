import { z } from "zod";
import type { OpenSearch } from "../../src/platform/opensearch/opensearch.ts";
import type { Queryable } from "../../src/platform/postgres/database.ts";

/** Where in PostgreSQL one of these texts stands: in any column of any table of these schemas, whatever its type. */
export async function tracesInPostgres(
  database: Queryable,
  texts: readonly string[],
  schemas: readonly string[] = ["similarity", "similarity_jobs"],
): Promise<string[]> {
  const tables = await database.query<{ name: string; columns: string }>(
    `select format('%I.%I', table_schema, table_name) as name,
            string_agg(case data_type when 'bytea' then format('encode(%I, ''escape'')', column_name)
                                      else format('%I::text', column_name) end, ', ') as columns
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = any($1) and table_type = 'BASE TABLE' group by 1`,
    [schemas],
  );
  const found: string[] = [];
  for (const { name, columns } of tables) {
    const rows = await database.query<{ value: string }>(
      `select value from ${name}, unnest(array[${columns}]) as value, unnest($1::text[]) as searched
        where position(lower(searched) in lower(value)) > 0 limit 1`,
      [texts],
    );
    found.push(...rows.map(({ value }) => `${name}: ${value.slice(0, 200)}`));
  }
  return found;
}

/** The same for every document of every index of an installation, as it stands in `_source` and as it is indexed. */
export async function tracesInOpenSearch(
  opensearch: OpenSearch,
  prefix: string,
  texts: readonly string[],
): Promise<string[]> {
  const index = `${prefix}*`;
  await opensearch.indices.refresh({ index });
  const found: string[] = [];
  for (let from: readonly (string | number)[] = []; ; ) {
    const body = {
      size: 1_000,
      query: { match_all: {} },
      sort: ["_index", "_doc"],
      ...(from.length > 0 && { search_after: from }),
    };
    const answer = Page.parse(
      (await opensearch.transport.request({ method: "POST", path: `/${index}/_search`, body })).body,
    );
    for (const { _id, _index, _source, sort } of answer.hits.hits) {
      const shown = JSON.stringify([_id, _source]).toLowerCase();
      if (texts.some((text) => shown.includes(text.toLowerCase()))) found.push(`${_index}: ${shown}`);
      from = sort;
    }
    if (answer.hits.hits.length === 0) return found;
  }
}

const Page = z.object({
  hits: z.object({
    hits: z.array(
      z.object({
        _id: z.string(),
        _index: z.string(),
        _source: z.unknown(),
        sort: z.array(z.union([z.string(), z.number()])),
      }),
    ),
  }),
});

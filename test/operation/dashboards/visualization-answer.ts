import { z } from "zod";

export const Aggregations = z.record(z.string(), z.looseObject({}));
const Buckets = z.looseObject({
  buckets: z.array(
    z.looseObject({
      key: z.union([z.string(), z.number()]),
      key_as_string: z.string().optional(),
      doc_count: z.number(),
    }),
  ),
});
const Value = z.looseObject({ value: z.number().nullable() });
const Percentiles = z.looseObject({ values: z.array(z.looseObject({ value: z.number() })) });
const TopHits = z.looseObject({
  hits: z.looseObject({
    hits: z.array(z.looseObject({ fields: z.record(z.string(), z.array(z.unknown())) })),
  }),
});

/** Buckets as rows of key, documents and what is inside; figures by the identifier of their aggregation. */
export function simplified(aggregations: z.output<typeof Aggregations>): unknown {
  const entries = Object.entries(aggregations);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined) {
    const only = simplifiedOne(first[1]);
    if (Array.isArray(only)) return only;
  }
  return Object.fromEntries(entries.map(([id, one]) => [id, simplifiedOne(one)]));
}

function simplifiedOne(aggregation: object): unknown {
  const buckets = Buckets.safeParse(aggregation).data?.buckets;
  if (buckets !== undefined) {
    return buckets.map(({ key, key_as_string, doc_count, ...inner }) => {
      const parts = Object.entries(inner).filter(([, part]) => typeof part === "object" && part !== null);
      const key_ = key_as_string?.slice(0, 10) ?? key;
      return [
        key_,
        doc_count,
        Object.fromEntries(parts.map(([id, part]) => [id, simplifiedOne(Object(part))])),
      ];
    });
  }
  const hits = TopHits.safeParse(aggregation).data?.hits.hits;
  if (hits !== undefined) return hits.flatMap(({ fields }) => Object.values(fields).flat());
  const percentiles = Percentiles.safeParse(aggregation).data?.values;
  if (percentiles !== undefined) return percentiles.map(({ value }) => value);
  return Value.parse(aggregation).value;
}

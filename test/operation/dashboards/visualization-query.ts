import type { Aggregation } from "./saved-objects.ts";

type Dsl = { readonly [name: string]: object };

/** As Dashboards would choose it for a range of weeks, where the visualization leaves it open. */
const AUTO_INTERVAL = "1d";

/**
 * The aggregations that Dashboards sends for a visualization: each bucket inside the one before it, the metrics inside
 * the innermost, and those by which a bucket is ordered inside that one as well.
 */
export function aggregationsOf(aggs: readonly Aggregation[]): Dsl {
  const metrics = aggs.filter(({ schema }) => schema === "metric");
  return nest(
    aggs.filter(({ schema }) => schema !== "metric"),
    metrics,
  );
}

function nest(buckets: readonly Aggregation[], metrics: readonly Aggregation[]): Dsl {
  const [bucket, ...inner] = buckets;
  if (bucket === undefined) return Object.assign({}, ...metrics.map(metricDsl));
  const orderedBy = metrics.filter(({ id }) => id === bucket.params.orderBy);
  const below = { ...Object.assign({}, ...orderedBy.map(metricDsl)), ...nest(inner, metrics) };
  return { [bucket.id]: { ...bucketDsl(bucket, orderedBy[0]), aggs: below } };
}

function bucketDsl({ type, params }: Aggregation, orderedBy: Aggregation | undefined): Dsl {
  const { field } = params;
  switch (type) {
    case "terms": {
      const key = orderedBy === undefined || orderedBy.type === "count" ? "_count" : orderedBy.id;
      const missing = params.missingBucket === true && { missing: "__missing__" };
      return { terms: { field, size: params.size, order: { [key]: params.order }, ...missing } };
    }
    case "histogram":
      return { histogram: { field, interval: params.interval, min_doc_count: 1 } };
    case "date_histogram": {
      const interval = params.interval === "auto" ? AUTO_INTERVAL : `1${params.interval}`;
      const { min_doc_count } = params;
      return { date_histogram: { field, calendar_interval: interval, time_zone: "UTC", min_doc_count } };
    }
    default:
      throw new Error(`a bucket that the tests do not know: ${type}`);
  }
}

function metricDsl({ id, type, params }: Aggregation): Dsl {
  const { field, customMetric } = params;
  switch (type) {
    case "count":
      return {};
    case "cardinality":
    case "sum":
    case "avg":
    case "max":
      return { [id]: { [type]: { field } } };
    case "percentiles":
      return { [id]: { percentiles: { field, percents: params.percents, keyed: false } } };
    case "top_hits": {
      const sort = [{ [String(params.sortField)]: { order: params.sortOrder } }];
      return {
        [id]: { top_hits: { docvalue_fields: [{ field }], _source: field, size: params.size, sort } },
      };
    }
    case "cumulative_sum": {
      if (customMetric === undefined) throw new Error("a cumulative sum of nothing");
      return {
        [customMetric.id]: { [customMetric.type]: { field: customMetric.params.field } },
        [id]: { cumulative_sum: { buckets_path: customMetric.id } },
      };
    }
    default:
      throw new Error(`a metric that the tests do not know: ${type}`);
  }
}

import { z } from "zod";

// The saved objects of OpenSearch Dashboards as far as the tests look into them: JSON, with JSON in strings inside it.

const Reference = z.strictObject({ name: z.string(), type: z.string(), id: z.string() });

const SavedObject = z.strictObject({
  id: z.string(),
  type: z.string(),
  attributes: z.looseObject({
    title: z.string(),
    timeFieldName: z.string().optional(),
    fieldFormatMap: z.string().optional(),
    visState: z.string().optional(),
    panelsJSON: z.string().optional(),
    columns: z.array(z.string()).optional(),
    sort: z.array(z.tuple([z.string(), z.enum(["asc", "desc"])])).optional(),
    kibanaSavedObjectMeta: z.strictObject({ searchSourceJSON: z.string() }).optional(),
  }),
  references: z.array(Reference),
  migrationVersion: z.record(z.string(), z.string()),
});
export type SavedObject = z.output<typeof SavedObject>;

const Aggregation = z.strictObject({
  id: z.string(),
  enabled: z.literal(true),
  type: z.string(),
  schema: z.enum(["metric", "segment", "group", "bucket"]),
  params: z.looseObject({
    field: z.string().optional(),
    customMetric: z
      .looseObject({ id: z.string(), type: z.string(), params: z.looseObject({ field: z.string() }) })
      .optional(),
  }),
});
export type Aggregation = z.output<typeof Aggregation>;

export const VisState = z.strictObject({
  title: z.string(),
  type: z.enum(["metric", "pie", "area", "line", "histogram", "table"]),
  aggs: z.array(Aggregation),
  params: z.looseObject({
    type: z.string().optional(),
    seriesParams: z
      .array(z.looseObject({ data: z.strictObject({ id: z.string(), label: z.string() }) }))
      .optional(),
  }),
});

const Panel = z.strictObject({
  version: z.string(),
  gridData: z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int(), i: z.string() }),
  panelIndex: z.string(),
  embeddableConfig: z.strictObject({}),
  panelRefName: z.string(),
});
export type Panel = z.output<typeof Panel>;

export const SearchSource = z.looseObject({
  indexRefName: z.string().optional(),
  filter: z.array(
    z.looseObject({
      meta: z.looseObject({ key: z.string(), disabled: z.boolean(), indexRefName: z.string() }),
    }),
  ),
});

export function parseSavedObjects(ndjson: string): SavedObject[] {
  return ndjson
    .trimEnd()
    .split("\n")
    .map((line) => SavedObject.parse(JSON.parse(line)));
}

export function visStateOf({ attributes }: SavedObject): z.output<typeof VisState> {
  return VisState.parse(JSON.parse(attributes.visState ?? "null"));
}

export function panelsOf({ attributes }: SavedObject): Panel[] {
  return z.array(Panel).parse(JSON.parse(attributes.panelsJSON ?? "null"));
}

export function searchSourceOf({ attributes }: SavedObject): z.output<typeof SearchSource> {
  return SearchSource.parse(JSON.parse(attributes.kibanaSavedObjectMeta?.searchSourceJSON ?? "null"));
}

import { expect } from "chai";
import { z } from "zod";
import { connectOpenSearch, type OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { readSavedObjects } from "../../../tools/dashboards/saved-objects.ts";
import { freshPrefix, testStores } from "../../support/stores.ts";
import { fillDashboards } from "./dashboard-data.ts";
import { parseSavedObjects, type SavedObject, searchSourceOf, visStateOf } from "./saved-objects.ts";
import { Aggregations, simplified } from "./visualization-answer.ts";
import { aggregationsOf } from "./visualization-query.ts";

describe("what Dashboards asks OpenSearch for", () => {
  const prefix = freshPrefix();
  let client: OpenSearch;
  let objects: SavedObject[];

  before(async function () {
    this.timeout(240_000);
    const { opensearchNodes } = await testStores();
    client = connectOpenSearch(opensearchNodes);
    objects = parseSavedObjects(await readSavedObjects(prefix));
    await fillDashboards(client, prefix);
  });
  after(() => client.close());

  it("every field that an object names is in its data view's mapping", async () => {
    for (const object of objects) {
      const named = [
        ...Object.keys(
          z.record(z.string(), z.unknown()).parse(JSON.parse(object.attributes.fieldFormatMap ?? "{}")),
        ),
        ...(object.attributes.columns ?? []),
        ...(object.attributes.sort ?? []).map(([field]) => field),
        ...(object.type === "visualization" ? visStateOf(object).aggs.flatMap(fieldsOf) : []),
        ...(object.type === "search" ? searchSourceOf(object).filter.map(({ meta }) => meta.key) : []),
      ];
      if (object.type === "dashboard") continue;
      expect(await fields(viewOf(object)), object.id).to.include.all.keys([...named, "_any"]);
    }
  });

  it("every data view's time is a date", async () => {
    for (const view of objects.filter(({ type }) => type === "index-pattern")) {
      const time = view.attributes.timeFieldName;
      if (time !== undefined) expect((await fields(view.attributes.title))[time]).to.equal("date");
    }
  });

  const expected: Readonly<Record<string, unknown>> = {
    "corpus-size": { "1": 3, "3": 1_050, "4": 6_300 },
    "corpus-stored": [1.2],
    "corpus-language": [
      ["en", 6, { "1": 2 }],
      ["de", 1, { "1": 1 }],
    ],
    "corpus-scope": [
      ["platform", 5, { "1": 2 }],
      ["uploaded", 2, { "1": 1 }],
    ],
    "corpus-media-type": [
      ["text/plain", 6, { "1": 2 }],
      ["application/pdf", 1, { "1": 1 }],
    ],
    "corpus-growth": [
      ["2026-11-18", 6, { "1": 2, "1-metric": 2 }],
      ["2026-11-19", 0, { "1": 2, "1-metric": 0 }],
      ["2026-11-20", 1, { "1": 3, "1-metric": 1 }],
    ],
    "corpus-bytes": [
      ["2026-11-19", 1, { "1": 1_000, "2": 300, "3": 700 }],
      ["2026-11-20", 2, { "1": 5_000, "2": 2_000, "3": 4_000 }],
    ],
    "corpus-chunk-words": [[140, 7, {}]],
    "corpus-largest": [
      ["b", 4, { "4": [["__missing__", 4, { "2": 600 }]] }],
      ["a", 2, { "4": [["Ferries", 2, { "2": 300 }]] }],
      ["c", 1, { "4": [["Fähren", 1, { "2": 150 }]] }],
    ],
    "checks-figures": { "2": 30, "3": 400 },
    "checks-per-day": [
      ["2026-11-19", 1, { "3": [["complete", 1, {}]] }],
      [
        "2026-11-20",
        3,
        {
          "3": [
            ["complete", 2, {}],
            ["failed", 1, {}],
          ],
        },
      ],
    ],
    "checks-scores": [
      [0, 1, {}],
      [40, 1, {}],
      [50, 1, {}],
    ],
    "checks-coverage": [
      ["full", 2, {}],
      ["__missing__", 1, {}],
      ["partial", 1, {}],
    ],
    "checks-by-meaning": [
      ["__missing__", 2, {}],
      ["full", 1, {}],
      ["none", 1, {}],
    ],
    "checks-match-types": [
      ["__missing__", 2, {}],
      ["identical", 2, {}],
      ["translated", 1, {}],
    ],
    "checks-duration": [
      ["2026-11-19", 1, { "1": [100, 100, 100] }],
      ["2026-11-20", 3, { "1": [200, 300, 300] }],
    ],
  };

  it("has an answer expected here for every visualization", () => {
    const ids = objects
      .filter(({ type }) => type === "visualization")
      .map(({ id }) => id.slice(prefix.length));
    expect(ids).to.have.members(Object.keys(expected));
  });

  for (const [id, answer] of Object.entries(expected)) {
    it(`${id}: its aggregations run on the mapping and give what is there`, async () => {
      const object = find(id);
      const { aggs } = visStateOf(object);
      const { body } = await client.transport.request({
        method: "POST",
        path: `/${viewOf(object)}/_search`,
        body: { size: 0, aggs: aggregationsOf(aggs) },
      });
      expect(body._shards.failed).to.equal(0);
      expect(simplified(Aggregations.parse(body.aggregations ?? {}))).to.deep.equal(answer);
    });
  }

  it("chunks of a document: in their order, once the filter has its document", async () => {
    const object = find("chunks-of-a-document");
    const [filter] = searchSourceOf(object).filter;
    expect(filter?.meta).to.include({ key: "document_id", disabled: true });
    const rows = await rowsOf(object, { match_phrase: { [filter?.meta.key ?? ""]: "b" } });
    expect(rows.map(({ chunk_index }) => chunk_index)).to.deep.equal([0, 1, 2, 3]);
    for (const row of rows) expect(row.fingerprint).to.equal("the ferry leaves at six");
  });

  function find(id: string): SavedObject {
    const found = objects.find((object) => object.id === `${prefix}${id}`);
    if (found === undefined) throw new Error(`no object ${id}`);
    return found;
  }

  /** The index or alias behind an object; Dashboards goes by the data view's title. */
  function viewOf(object: SavedObject): string {
    const id = object.references.find(({ type }) => type === "index-pattern")?.id ?? object.id;
    return objects.find((view) => view.type === "index-pattern" && view.id === id)?.attributes.title ?? "";
  }

  async function fields(view: string): Promise<Record<string, string | undefined>> {
    const { body } = await client.indices.getMapping({ index: view });
    const [mapping] = Object.values(body);
    const properties = Object.entries(mapping?.mappings?.properties ?? {});
    return { _any: "", ...Object.fromEntries(properties.map(([name, { type }]) => [name, type])) };
  }

  async function rowsOf(object: SavedObject, query: object): Promise<Record<string, unknown>[]> {
    const sort = (object.attributes.sort ?? []).map(([field, order]) => `${field}:${order}`);
    const { body } = await client.search({ index: viewOf(object), sort, body: { query } });
    return Rows.parse(body).hits.hits.map(({ _source }) => _source);
  }
});

function fieldsOf({ params }: ReturnType<typeof visStateOf>["aggs"][number]): string[] {
  const all = [params.field, params.sortField, params.customMetric?.params.field];
  return all.flatMap((field) => (field === undefined ? [] : [String(field)]));
}

const Rows = z.looseObject({
  hits: z.looseObject({ hits: z.array(z.looseObject({ _source: z.record(z.string(), z.unknown()) })) }),
});

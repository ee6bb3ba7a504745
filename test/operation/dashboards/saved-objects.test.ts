import { expect } from "chai";
import { readSavedObjects } from "../../../tools/dashboards/saved-objects.ts";
import {
  panelsOf,
  parseSavedObjects,
  type SavedObject,
  searchSourceOf,
  visStateOf,
} from "./saved-objects.ts";

const GRID_COLUMNS = 48;

describe("the saved objects for Dashboards", () => {
  let objects: SavedObject[];

  before(async () => {
    objects = parseSavedObjects(await readSavedObjects("similarity-"));
  });

  it("are data views, searches, visualizations and two dashboards, each with a title of its own", () => {
    const counts = Map.groupBy(objects, ({ type }) => type);
    expect([...counts.keys()]).to.have.members(["index-pattern", "search", "visualization", "dashboard"]);
    expect(counts.get("dashboard")?.map(({ attributes }) => attributes.title)).to.deep.equal([
      "Similarity Check: corpus",
      "Similarity Check: checks",
    ]);
    expect(new Set(objects.map(({ attributes }) => attributes.title)).size).to.equal(objects.length);
    expect(new Set(objects.map(({ id }) => id)).size).to.equal(objects.length);
  });

  it("refer only to one another, and to all that their parts name", () => {
    const known = new Set(objects.map(({ type, id }) => `${type}:${id}`));
    for (const object of objects) {
      for (const { type, id } of object.references) expect(known).to.include(`${type}:${id}`);
      const names = object.references.map(({ name }) => name);
      expect(named(object), object.id).to.have.members(names);
    }
  });

  it("leave no visualization out of the dashboards, and lay none over another", () => {
    const shown = objects.filter(({ type }) => type === "dashboard").flatMap(({ references }) => references);
    const visualizations = objects.filter(({ type }) => type === "visualization");
    expect(shown.map(({ id }) => id)).to.have.members(visualizations.map(({ id }) => id));
    for (const dashboard of objects.filter(({ type }) => type === "dashboard")) {
      const taken = new Set<string>();
      for (const { gridData } of panelsOf(dashboard)) {
        expect(gridData.x + gridData.w).to.be.at.most(GRID_COLUMNS);
        for (let x = gridData.x; x < gridData.x + gridData.w; x += 1) {
          for (let y = gridData.y; y < gridData.y + gridData.h; y += 1) {
            expect(taken.has(`${x},${y}`), `${dashboard.id} at ${x},${y}`).to.equal(false);
            taken.add(`${x},${y}`);
          }
        }
      }
    }
  });

  it("draw only series that are measured", () => {
    for (const object of objects.filter(({ type }) => type === "visualization")) {
      const { title, aggs, params } = visStateOf(object);
      expect(title).to.equal(object.attributes.title);
      const metrics = aggs.filter(({ schema }) => schema === "metric").map(({ id }) => id);
      if (params.seriesParams === undefined) continue;
      expect(params.seriesParams.map(({ data }) => data.id)).to.have.members(metrics);
    }
  });

  it("have only the fields that Dashboards declares for their types, and the last migration of each", () => {
    for (const { id, type, attributes, migrationVersion } of objects) {
      const declared = DECLARED[type];
      expect(migrationVersion, id).to.deep.equal({ [type]: declared?.lastMigration });
      if (declared?.fields === undefined) continue;
      for (const [field, value] of Object.entries(attributes)) {
        const kind = declared.fields[field];
        expect(kind === undefined ? undefined : KINDS[kind](value), `${id}: ${field}`).to.equal(true);
      }
    }
  });

  it("take the prefix of the installation in every name, and nowhere else", async () => {
    const renamed = await readSavedObjects("team_1.");
    expect(renamed).not.to.include("similarity-");
    expect(
      parseSavedObjects(renamed).map(({ attributes, type }) =>
        type === "index-pattern" ? "" : attributes.title,
      ),
    ).to.deep.equal(
      objects.map(({ attributes, type }) => (type === "index-pattern" ? "" : attributes.title)),
    );
    expect(renamed.replaceAll("team_1.", "similarity-")).to.equal(await readSavedObjects("similarity-"));
  });
});

/** How a field may be filled; `keyword` also with a list, or with a list of lists. */
const KINDS = {
  text: (value: unknown) => typeof value === "string",
  keyword: (value: unknown) => [value].flat(2).every((one) => typeof one === "string"),
  integer: Number.isInteger,
  boolean: (value: unknown) => typeof value === "boolean",
  search_source: (value: unknown) =>
    typeof value === "object" && value !== null && Object.keys(value).join() === "searchSourceJSON",
  refresh: (value: unknown) =>
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).every((key) => ["display", "pause", "section", "value"].includes(key)),
} as const;

type Declared = {
  readonly lastMigration: string;
  /** Undefined where any field is taken. */
  readonly fields?: Readonly<Record<string, keyof typeof KINDS>>;
};

const OF_ALL = { title: "text", description: "text", version: "integer" } as const;
const KEPT_SEARCH = { kibanaSavedObjectMeta: "search_source" } as const;

/**
 * The types of saved objects as OpenSearch Dashboards declares them in `server/saved_objects` of its plugins `data`, `discover`,
 * `visualizations` and `dashboard`. Its index takes no other field, and it refuses objects of a later migration than it knows.
 */
const DECLARED: Readonly<Record<string, Declared>> = {
  "index-pattern": { lastMigration: "7.6.0" },
  search: {
    lastMigration: "7.9.3",
    fields: { ...OF_ALL, ...KEPT_SEARCH, hits: "integer", columns: "keyword", sort: "keyword" },
  },
  visualization: {
    lastMigration: "7.10.0",
    fields: {
      ...OF_ALL,
      ...KEPT_SEARCH,
      savedSearchRefName: "keyword",
      uiStateJSON: "text",
      visState: "text",
    },
  },
  dashboard: {
    lastMigration: "7.9.3",
    fields: {
      ...OF_ALL,
      ...KEPT_SEARCH,
      hits: "integer",
      optionsJSON: "text",
      panelsJSON: "text",
      refreshInterval: "refresh",
      timeFrom: "keyword",
      timeTo: "keyword",
      timeRestore: "boolean",
    },
  },
};

/** The names of the references that the parts of an object ask for. */
function named(object: SavedObject): string[] {
  if (object.type === "index-pattern") return [];
  const source = searchSourceOf(object);
  return [
    ...(source.indexRefName === undefined ? [] : [source.indexRefName]),
    ...source.filter.map(({ meta }) => meta.indexRefName),
    ...(object.type === "dashboard" ? panelsOf(object).map(({ panelRefName }) => panelRefName) : []),
  ];
}

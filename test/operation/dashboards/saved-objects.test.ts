import { expect } from "chai";
import { readSavedObjects } from "../../../scripts/dashboards/saved-objects.ts";
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

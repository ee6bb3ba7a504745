// Writes the outlines of the countries for the map of the statistics, in the Equal Earth projection, which keeps areas in
// proportion: `npm install --no-save world-atlas topojson-client d3-geo && node tools/generate-world-map.mjs`. The geometry is Natural Earth's (public domain).
// It shows who governs a place, and says nothing about who should.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { geoCentroid, geoEqualEarth, geoPath } from "d3-geo";
import { feature, merge } from "topojson-client";

const OUTPUT = new URL("../src/web/browser/statistics/world-map.json", import.meta.url);

/** Places that Natural Earth shows without a code of ISO 3166-1, by the countries to which the standard assigns them. */
const ASSIGNED = { "N. Cyprus": "196", Somaliland: "706" };

const atlas = (scale) =>
  JSON.parse(readFileSync(fileURLToPath(import.meta.resolve(`world-atlas/countries-${scale}.json`)), "utf8"));
const codeOf = ({ id, properties }) => {
  // Its code is in use, and the statistics have it, but it is not in the standard.
  if (properties.name === "Kosovo") return "XK";
  const number = id ?? ASSIGNED[properties.name];
  if (number === undefined) return undefined;
  return Intl.getCanonicalLocales(`und-${number}`)[0].slice("und-".length);
};

const WIDTH = 1_000;
const coarse = atlas("110m");
const projection = geoEqualEarth().fitWidth(WIDTH, { type: "Sphere" });
const pathOf = geoPath(projection).digits(0);
const groups = Map.groupBy(
  coarse.objects.countries.geometries.filter((one) => codeOf(one) !== undefined),
  codeOf,
);
groups.delete("AQ");
const shapes = Object.fromEntries(
  [...groups]
    .map(([code, parts]) => [code, pathOf(merge(coarse, parts))])
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
);

/** Countries too small for the coarse outlines, as points. */
const fine = atlas("50m");
const points = Object.fromEntries(
  fine.objects.countries.geometries
    .map((one) => [codeOf(one), one])
    .filter(([code]) => code !== undefined && code !== "AQ" && !(code in shapes))
    .map(([code, one]) => [
      code,
      projection(geoCentroid(feature(fine, one)))
        .map(Math.round)
        .join(" "),
    ])
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
);

const height = Math.ceil(geoPath(projection).bounds(merge(coarse, [...groups.values()].flat()))[1][1]);
writeFileSync(OUTPUT, `${JSON.stringify({ width: WIDTH, height, shapes, points }, null, 2)}\n`);

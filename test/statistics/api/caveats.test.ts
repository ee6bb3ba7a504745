import { readFile, writeFile } from "node:fs/promises";
import { expect } from "chai";
import { z } from "zod";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { smallSet } from "./small-set.ts";
import { PATHS, readAnswer, untilServed, WireAnswers } from "./wire-answers.ts";

const WithMeta = z.object({
  meta: z.object({
    attribution: z.string(),
    dataset_version: z.string(),
    caveats: z.array(z.string()),
    sources: z.array(z.object({ name: z.string() })),
  }),
});

describe("decisions, Statistics: windows that are provisional, and what answers say of themselves", () => {
  const statistics = useStatistics();
  const metaOf = async (path: string) => WithMeta.parse(await (await statistics.request(path)).json()).meta;

  describe("when nothing but retractions and publications is loaded", () => {
    before(async () => {
      const { retractions, publications } = await smallSet(statistics.folder);
      await createLoadStatistics(statistics)({ retractions, publications });
    });

    it("an answer names the sources that are missing from it, and how to load them", async () => {
      expect((await metaOf("/v1/countries")).caveats.join()).not.to.match(/has been loaded|npm run/);
      const { caveats } = await metaOf("/v1/institutions");
      expect(caveats[0]).to.match(/OpenAlex .* has been loaded/);
      expect(caveats[1]).to.match(/Research Organization Registry has been loaded/);
      expect(caveats[2]).to.include("npm run statistics:load");
    });

    it("the attribution names the sources that the figures come from, and no other", async () => {
      const expected =
        "Similarity Check statistics, from: Retraction Watch Database (Crossref); Publication counts";
      for (const path of ["/v1/", "/v1/countries", "/v1/institutions", "/v1/disciplines"]) {
        expect((await metaOf(path)).attribution, path).to.equal(expected);
      }
      expect((await metaOf("/v1/news")).attribution).to.equal("Similarity Check statistics");
    });
  });

  describe("when the synthetic set is loaded", () => {
    before(async () => {
      const load = createLoadStatistics(statistics);
      const { datasetVersion } = await loadSyntheticSet((files, options) =>
        load(files, { ...options, replaceReal: true }),
      );
      await untilServed(statistics, datasetVersion);
    });

    it("every answer says that it is synthetic, in its version, caveats, sources and attribution", async () => {
      for (const path of PATHS) {
        const meta = await metaOf(path);
        expect(meta.dataset_version, path).to.match(/^demo-/);
        expect(meta.caveats[0], path).to.match(/synthetic .* quote none of it/);
        for (const { name } of meta.sources) expect(name, path).to.match(/^Synthetic data/);
        expect(meta.attribution).to.equal(
          "Similarity Check statistics, from: Synthetic data, made up by this program",
        );
      }
    });

    it("a table as CSV says so in its attribution and in the name of its file", async () => {
      const { headers } = await statistics.request("/v1/countries?format=csv");
      expect(headers.get("link")).to.include("Synthetic data");
      expect(headers.get("content-disposition")).to.equal(
        'attachment; filename="demo-countries-2013-2017.csv"',
      );
    });

    it("a window that ends less than 3 years before the newest retraction is provisional, and not the default", async () => {
      const { data, meta } = await readAnswer(statistics, WireAnswers.overview, "/v1/");
      expect(meta.window).to.equal(undefined);
      expect(data.freshness[0]?.newest_record).to.match(/^2024-/);
      expect(data.windows.map((window) => [window.id, window.provisional, window.default])).to.deep.equal([
        ["2018-2022", true, false],
        ["2013-2022", true, false],
        ["2013-2017", false, true],
      ]);
    });

    it("figures of a provisional window say so", async () => {
      for (const path of ["countries", "institutions", "disciplines", "country/DE"]) {
        expect((await metaOf(`/v1/${path}`)).caveats.join(), path).not.to.include("provisional");
        expect((await metaOf(`/v1/${path}?window=2018-2022`)).caveats.join(), path).to.include(
          "The window 2018-2022 is provisional",
        );
      }
    });
  });

  describe("when publications are counted whole, as by a refresh", () => {
    before(async () => {
      const { retractions, publications = "" } = await smallSet(statistics.folder);
      const counts = await readFile(publications, "utf8");
      // Of Germany, and of the institution and the discipline.
      const whole = counts.replaceAll(/^((?:country,DE|institution|discipline).*,)[\d.]+$/gm, "$1");
      await writeFile(publications, whole);
      const load = createLoadStatistics(statistics);
      const { datasetVersion } = await load({ retractions, publications });
      await untilServed(statistics, datasetVersion);
    });

    it("figures without fractional counts say so, and no others", async () => {
      for (const path of ["countries", "disciplines", "totals", "country/DE", "discipline/27"])
        expect((await metaOf(`/v1/${path}`)).caveats.join(), path).to.include("whole counts");
      for (const path of ["countries?region=eastern-asia", "country/CN", "papers"])
        expect((await metaOf(`/v1/${path}`)).caveats.join(), path).not.to.include("whole counts");
    });
  });
});

import { expect } from "chai";
import { z } from "zod";
import { expectProblem } from "../../support/expect-problem.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { PATHS, WireAnswers } from "./wire-answers.ts";

describe("decisions, Statistics: a fresh install serves empty data and says how to load", () => {
  const statistics = useStatistics();

  it("answers every endpoint with 200, no figures and a caveat with the commands", async () => {
    for (const path of PATHS) {
      const response = await statistics.request(path);
      expect(response.status, path).to.equal(200);
      const { meta } = z
        .object({ meta: z.object({ caveats: z.string().array() }) })
        .parse(await response.json());
      expect(meta.caveats.join(" "), path)
        .to.include("npm run statistics:load")
        .and.to.include("statistics:refresh");
    }
  });

  it("has no windows, and sources that were never loaded", async () => {
    const { data, meta } = WireAnswers.overview.parse(await (await statistics.request("/v1/")).json());
    expect(data.windows).to.deep.equal([]);
    expect(new Set(data.freshness.map(({ status }) => status))).to.deep.equal(new Set(["never loaded"]));
    expect([meta.generated_at, meta.dataset_version]).to.deep.equal([null, null]);
    expect(data.regions).to.have.length.above(20);
    expect(data.endpoints.map(({ path }) => path)).to.include("/v1/country/{code}");
  });

  it("has empty tables, CSV with a header alone, and a country of nulls", async () => {
    for (const path of ["/v1/countries", "/v1/institutions", "/v1/disciplines", "/v1/cases"]) {
      const { data } = z
        .object({ data: z.array(z.unknown()) })
        .parse(await (await statistics.request(path)).json());
      expect(data, path).to.deep.equal([]);
    }
    expect(await (await statistics.request("/v1/countries?format=csv")).text()).to.match(
      /^rank,rank_in_region,code,[^\n]*\r\n$/,
    );
    const { data } = WireAnswers.country.parse(await (await statistics.request("/v1/country/DE")).json());
    expect(data.country).to.include({
      code: "DE",
      subregion: "western-europe",
      papers: 0,
      rate: null,
      rank: null,
    });
    expect(data.series).to.deep.equal([]);
  });

  it("refuses a malformed window, and takes a well-formed one for which there is nothing yet", async () => {
    await expectProblem(await statistics.request("/v1/countries?window=banana"), 422, "invalid-input", [
      "window",
    ]);
    expect((await statistics.request("/v1/countries?window=2013-2017")).status).to.equal(200);
  });
});

import { expect } from "chai";
import { parse } from "csv-parse/sync";
import { envelope, PapersAnswer } from "../../../src/statistics/api/schema.ts";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { ReasonRow, TotalRow } from "../../../src/statistics/read-model/rows.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { hardSet } from "./hard-set.ts";
import { readAnswer, untilServed, WireAnswers } from "./wire-answers.ts";

const Totals = envelope("Totals", TotalRow.array());
const Reasons = envelope("Reasons", ReasonRow.array());

describe("totals and rates by reason", () => {
  const statistics = useStatistics();

  it("are empty before any load", async () => {
    for (const [path, schema] of [
      ["/v1/totals", Totals],
      ["/v1/reasons?country=DE", Reasons],
    ] as const)
      expect((await readAnswer(statistics, schema, path)).data).to.deep.equal([]);
  });

  describe("of a set with every difficulty", () => {
    before(async () => {
      const { datasetVersion } = await createLoadStatistics(statistics)(await hardSet(statistics.folder));
      await untilServed(statistics, datasetVersion);
    });

    it("add up to the rows of the countries, in any years", async () => {
      const { data: overview } = await readAnswer(statistics, WireAnswers.overview, "/v1/");
      for (const years of [`window=${overview.windows[0]?.id}`, "from=2011&to=2013", "to=2010"]) {
        const totals = (await readAnswer(statistics, Totals, `/v1/totals?${years}`)).data;
        expect(totals.map(({ region }) => region)).to.deep.equal([
          "world",
          ...overview.regions.map(({ slug }) => slug),
        ]);
        for (const { region, countries, papers, papers_by_country, publications_by_country } of totals) {
          const of = region === "world" ? "" : `&region=${region}`;
          const rows = await readAnswer(
            statistics,
            WireAnswers.countries,
            `/v1/countries?below=true&${years}${of}`,
          );
          const counted = rows.data.filter((row) => row.publications > 0);
          const sum = (name: "papers" | "publications") =>
            counted.reduce((total, row) => total + row[name], 0);
          expect([countries, papers_by_country, publications_by_country], region).to.deep.equal([
            counted.length,
            sum("papers"),
            sum("publications"),
          ]);
          const listed = await readAnswer(statistics, PapersAnswer, `/v1/papers?${years}`);
          const codes = counted.map(({ code }) => code);
          const once = listed.data.filter((one) =>
            one.countries.split(";").some((code) => codes.includes(code)),
          );
          expect(papers, region).to.equal(once.length);
        }
      }
    });

    it("pool a sub-region as the comparison of its countries does", async () => {
      const { data } = await readAnswer(statistics, WireAnswers.country, "/v1/country/DE");
      const totals = (await readAnswer(statistics, Totals, "/v1/totals")).data;
      const region = totals.find((row) => row.region === data.comparison.subregion);
      expect(region?.pooled_rate).to.be.a("number").and.equal(data.comparison.pooled_rate);
    });

    it("count the papers of each place by reason, as /v1/papers lists them", async () => {
      const { data: countries } = await readAnswer(
        statistics,
        WireAnswers.countries,
        "/v1/countries?below=true",
      );
      const places = ["", "discipline=27", ...countries.map(({ code }) => `country=${code}`)];
      let counted = 0;
      for (const place of places) {
        const { data: reasons } = await readAnswer(statistics, Reasons, `/v1/reasons?${place}`);
        const { data: papers } = await readAnswer(statistics, PapersAnswer, `/v1/papers?${place}`);
        for (const { reason, papers: count, share } of reasons) {
          const listed = papers.filter((one) =>
            one.reasons.toLowerCase().split(";").includes(reason.toLowerCase()),
          );
          expect(listed.length, `${place} ${reason}`).to.equal(count);
          expect(share).to.be.closeTo(count / papers.length, 1e-12);
          counted += count;
        }
        const row = countries.find(({ code }) => place === `country=${code}`);
        for (const { publications, rate } of row ? reasons : []) {
          expect(publications).to.equal(row?.publications);
          expect(rate === null).to.equal(publications === 0);
        }
      }
      expect(counted).to.be.above(10);
    });

    it("come as CSV with the same rows", async () => {
      for (const [path, schema] of [
        ["/v1/totals", Totals],
        ["/v1/reasons", Reasons],
      ] as const) {
        const { data } = await readAnswer(statistics, schema, path);
        const csv = await (await statistics.request(`${path}?format=csv`)).text();
        const rows: Record<string, string>[] = parse(csv, { columns: true });
        expect(rows).to.have.length(data.length);
        expect(Object.keys(rows[0] ?? {})).to.deep.equal(Object.keys(data[0] ?? {}));
      }
    });

    it("refuse two places at once, whose publications are not known, and a misspelt one", async () => {
      for (const [query, field] of [
        ["country=DE&discipline=27", "country"],
        ["contry=DE", "contry"],
      ] as const)
        await expectProblem(await statistics.request(`/v1/reasons?${query}`), 422, "invalid-input", [field]);
    });
  });
});

import { expect } from "chai";
import { parse } from "csv-parse/sync";
import { PapersAnswer } from "../../../src/statistics/api/schema.ts";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { type PaperRow, PaperRow as PaperSchema } from "../../../src/statistics/read-model/rows.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { hardSet } from "./hard-set.ts";
import { smallSet } from "./small-set.ts";
import { readAnswer, untilServed, WireAnswers } from "./wire-answers.ts";

describe("the papers behind the figures", () => {
  const statistics = useStatistics();
  const answerOf = (query: string) => readAnswer(statistics, PapersAnswer, `/v1/papers?${query}`);
  const papersOf = async (query: string) => {
    const { meta, data } = await answerOf(query);
    expect(meta.counts.total, query).to.equal(data.length);
    return data;
  };
  const places = (joined: string) => joined.split(";").filter((one) => one !== "");

  describe("of a set with every difficulty", () => {
    before(async () => {
      const { datasetVersion } = await createLoadStatistics(statistics)(await hardSet(statistics.folder));
      await untilServed(statistics, datasetVersion);
    });

    it("add up to every figure of every list in every window", async () => {
      const { data: overview } = await readAnswer(statistics, WireAnswers.overview, "/v1/");
      let compared = 0;
      const compare = (
        papers: readonly PaperRow[],
        row: { papers: number; papers_fractional: number },
        of: (one: PaperRow) => string,
      ) => {
        expect(papers).to.have.length(row.papers);
        const shares = papers.reduce((sum, one) => sum + 1 / places(of(one)).length, 0);
        expect(shares).to.be.closeTo(row.papers_fractional, 1e-9);
        compared += row.papers;
      };
      for (const { id } of overview.windows) {
        const countries = await readAnswer(
          statistics,
          WireAnswers.countries,
          `/v1/countries?below=true&window=${id}`,
        );
        for (const row of countries.data)
          compare(await papersOf(`window=${id}&country=${row.code}`), row, (one) => one.countries);
        const institutions = await readAnswer(
          statistics,
          WireAnswers.institutions,
          `/v1/institutions?below=true&window=${id}`,
        );
        for (const row of institutions.data)
          compare(await papersOf(`window=${id}&institution=${row.ror}`), row, (one) => one.institutions);
        const disciplines = await readAnswer(
          statistics,
          WireAnswers.disciplines,
          `/v1/disciplines?window=${id}`,
        );
        for (const row of disciplines.data)
          compare(await papersOf(`window=${id}&discipline=${row.field_id}`), row, (one) =>
            String(one.field_id),
          );
        const all = await papersOf(`window=${id}`);
        const unattributed = all.filter(({ countries: joined }) => joined === "").length;
        expect(unattributed).to.equal(countries.meta.counts?.unattributed);
      }
      expect(compared, "papers of the set, once for each of their places").to.equal(20);
    });

    it("come in pages of which each says how many there are", async () => {
      const all = await papersOf("");
      expect(all.length).to.be.above(5);
      const paged: PaperRow[] = [];
      for (let offset = 0; offset < all.length; offset += 2) {
        const { meta, data } = await answerOf(`limit=2&offset=${offset}`);
        expect(meta.counts).to.deep.equal({ total: all.length });
        paged.push(...data);
      }
      expect(paged).to.deep.equal(all);
      const beyond = await answerOf("offset=1000");
      expect([beyond.meta.counts.total, beyond.data]).to.deep.equal([all.length, []]);
    });

    it("are the same in CSV", async () => {
      const rows = await papersOf("");
      const response = await statistics.request("/v1/papers?format=csv");
      const cells: string[][] = parse(await response.text());
      expect(cells[0]).to.deep.equal(Object.keys(PaperSchema.shape));
      expect(cells).to.have.length(rows.length + 1);
    });
  });

  describe("of a small set", () => {
    before(async () => {
      const { datasetVersion } = await createLoadStatistics(statistics)(await smallSet(statistics.folder, 3));
      await untilServed(statistics, datasetVersion);
    });

    it("have what is needed to look a notice up", async () => {
      const [one] = await papersOf("country=at&window=2013-2017");
      expect(one).to.deep.equal({
        doi: "10.1000/p34",
        record_id: null,
        title: null,
        year: 2016,
        countries: "AT",
        institutions: "",
        field_id: null,
        notice_doi: "10.1000/r34",
        retracted_on: "2020-03-01",
        reasons: "Plagiarism of/in Article",
      });
      expect(await papersOf("institution=02mhbdp94")).to.have.length(1);
      expect(await papersOf("discipline=27&country=DE")).to.deep.equal([]);
    });

    it("are refused for a place that does not exist", async () => {
      for (const query of ["country=ZZ", "institution=ETH", "discipline=99", "window=1990"]) {
        const response = await statistics.request(`/v1/papers?${query}`);
        expect(response.status, query).to.equal(422);
      }
    });
  });
});

import { expect } from "chai";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { markedTexts } from "./report-laws.ts";

/** Queries with one wrong parameter, and the name that the answer must give it: an item of a list has its position. */
const WRONG = [
  ["exclude_quotes=yes", "exclude_quotes"],
  ["exclude_quotes=", "exclude_quotes"],
  ["exclude_quotes=TRUE", "exclude_quotes"],
  ["exclude_bibliography=1", "exclude_bibliography"],
  ["min_words=-1", "min_words"],
  ["min_words=", "min_words"],
  ["min_words=2.5", "min_words"],
  ["min_words=ten", "min_words"],
  ["min_words=1e3", "min_words"],
  ["exclude_sources=", "exclude_sources.0"],
  ["exclude_passages=", "exclude_passages.0"],
  ["exclude_passages=1-2-3", "exclude_passages.0"],
  ["exclude_passages=x-2-01920000-0000-7000-8000-000000000000", "exclude_passages.0"],
  ["exclude_sources=not-a-uuid", "exclude_sources.0"],
  ["exclude_sources=01920000-0000-7000-8000-000000000000,", "exclude_sources.1"],
  ["match_types=", "match_types.0"],
  ["match_types=copied", "match_types.0"],
  ["match_types=identical,", "match_types.1"],
  ["match_types=Identical", "match_types.0"],
  ["min_words=1&min_words=2", "min_words"],
] as const;

/** Headings that begin a bibliography, in the languages that the decisions name and some others. */
const HEADINGS = [
  "References",
  "Bibliography",
  "Works cited",
  "Literatur",
  "Bibliographie",
  "Список литературы",
  "参考文献",
] as const;

/** Pairs of quotation marks. */
const QUOTES = ["“”", "„“", "«»", "»«", "‹›", '""', "「」", "『』", "‘’"] as const;

describe("decisions, Engine: checks: what report filters take", () => {
  const engine = useEngine();
  let checkId: string;
  const copied = prose(1, 40);

  before(async () => {
    await engine.client.addDocument("source.txt", `${prose(2, 40)} ${copied} ${prose(3, 40)}`);
    checkId = await engine.client.submit(`${copied} And words of my own.`);
    await engine.client.ended(checkId);
  });

  for (const [query, field] of WRONG) {
    it(`${query} is 422 and names the parameter`, async () => {
      const response = await engine.client.request(`/v1/checks/${checkId}/report?${query}`);
      await expectProblem(response, 422, "invalid-input", [field]);
    });
  }

  it("several wrong parameters are named together", async () => {
    const response = await engine.client.request(
      `/v1/checks/${checkId}/report?exclude_quotes=si&min_words=x&offset_unit=bytes`,
    );
    const fields = ["exclude_quotes", "min_words", "offset_unit"];
    await expectProblem(response, 422, "invalid-input", fields);
  });

  it("unknown parameters are ignored and are no filters", async () => {
    const report = await engine.client.report(checkId, "?exclude_everything=true&colour=blue");
    expect(report.filters).to.equal(null);
    expect(markedTexts(report)).to.deep.equal([`${copied}`]);
  });

  it("min_words=0 filters nothing and is still named as given", async () => {
    const report = await engine.client.report(checkId, "?min_words=0");
    expect(report.filters?.applied).to.deep.equal({ min_words: 0 });
    expect(markedTexts(report)).to.deep.equal([copied]);
  });

  for (const [opening, closing] of QUOTES.map((pair) => [...pair])) {
    it(`a quotation in ${opening} and ${closing} is one, and the marks go with it`, async () => {
      const own = `${prose(60, 20)} `;
      const report = await quotesExcluded(`${own}${opening}${copied}${closing} ${prose(61, 20)}`);
      expect(report.sources).to.deep.equal([]);
      expect(report.overall_similarity_pct).to.equal(0);
    });
  }

  it("a quotation has at most 1,500 characters between its marks", async () => {
    const padding = (length: number) =>
      `${copied} ${prose(62, 400)}`.slice(0, length - 1).padEnd(length, "a");
    expect((await quotesExcluded(`Now: “${padding(1_500)}” so it is.`)).sources).to.have.lengthOf(0);
    expect((await quotesExcluded(`Now: “${padding(1_501)}” so it is.`)).sources).to.have.lengthOf(1);
  });

  it("apostrophes and a mark that nobody closed quote nothing", async () => {
    const report = await quotesExcluded(`It's “open. ${copied}\n\nThat's all, isn't it?`);
    expect(markedTexts(report).join("")).to.include(copied);
  });

  it("lines that begin with > are block quotes", async () => {
    const report = await quotesExcluded(
      `${prose(63, 20)}\n\n> ${copied.replace(". ", ".\n> ")}\n\n${prose(64, 20)}`,
    );
    expect(report.sources).to.deep.equal([]);
  });

  for (const heading of HEADINGS) {
    it(`a bibliography begins with the heading ${heading} and ends with the next heading`, async () => {
      const list = `${prose(70, 20)}\n\n${heading}\n\n${copied}\n`;
      const excluded = await engine.client.checked(list);
      expect(
        (await engine.client.report(excluded.check_id, "?exclude_bibliography=true")).sources,
      ).to.deep.equal([]);
      const closed = await engine.client.checked(
        `${heading}\n\nSomeone (1999), A book.\n\n# Appendix\n\n${copied}\n`,
      );
      expect(
        (await engine.client.report(closed.check_id, "?exclude_bibliography=true")).sources,
      ).to.have.lengthOf(1);
    });
  }

  it("when all text is excluded every percentage is 0", async () => {
    const { check_id } = await engine.client.checked(`> ${copied}`);
    const report = await engine.client.report(check_id, "?exclude_quotes=true");
    expect(report).to.deep.include({
      overall_similarity_pct: 0,
      total_matched_chars: 0,
      sources: [],
      unique_passages: [],
    });
    expect(report.filters?.unfiltered_similarity_pct).to.equal(100);
  });

  async function quotesExcluded(text: string) {
    const { check_id, sources } = await engine.client.checked(text);
    expect(sources, "without the filter").to.have.lengthOf(1);
    return engine.client.report(check_id, "?exclude_quotes=true");
  }
});

import { expect } from "chai";
import { publicationCounts } from "../../../src/statistics/sources/publications/publication-counts.ts";
import { parsed, refusal } from "../written-file.ts";

const HEADER = "dimension,key,year,publications,publications_fractional";
const read = (...rows: string[]) => parsed(publicationCounts, [HEADER, ...rows].join("\n"), "P.csv");

describe("decisions, Running it: the file of publication counts", () => {
  it("has keys of three dimensions, each in one form", async () => {
    const counts = await read(
      "country,de,2008,12,3.50",
      "Country,XK,2008,12,",
      "institution,05A28RW58,2008,0,0",
      "institution,https://ror.org/05a28rw58,2009,12.0,1e1",
      "discipline,https://openalex.org/fields/27,2008,12,.5",
      "discipline,27,2009,12,12",
    );
    expect(counts.map(({ dimension, key }) => `${dimension} ${key}`)).to.deep.equal([
      "country DE",
      "country XK",
      "institution https://ror.org/05a28rw58",
      "institution https://ror.org/05a28rw58",
      "discipline 27",
      "discipline 27",
    ]);
    expect(counts.map(({ publications }) => publications)).to.deep.equal([12, 12, 0, 12, 12, 12]);
    expect(counts.map((one) => one.publicationsFractional)).to.deep.equal([
      "3.50",
      undefined,
      "0",
      "1e1",
      ".5",
      "12",
    ]);
  });

  it("says where a value is wrong", async () => {
    const good = "country,DE,2008,12,3.5";
    const wrong = [
      ["region,DE,2008,12,3.5", "dimension"],
      ["country,ZZ,2008,12,3.5", "key"],
      ["country,Germany,2008,12,3.5", "key"],
      ["institution,https://ror.org/05a28ru58,2008,12,3.5", "key"],
      ["discipline,37,2008,12,3.5", "key"],
      ["country,DE,08,12,3.5", "year"],
      ["country,DE,2008,-1,3.5", "publications"],
      ["country,DE,2008,1.5,3.5", "publications"],
      ["country,DE,2008,,3.5", "publications"],
      ['country,DE,2008,"1,200",3.5', "publications"],
      ["country,DE,2008,12,many", "publications_fractional"],
      ["country,DE,2008,12,-3.5", "publications_fractional"],
      ["country,DE,2008,12", "publications_fractional"],
    ] as const;
    for (const [row, column] of wrong) {
      expect(await refusal(read(good, row)), row).to.match(new RegExp(`^P\\.csv, row 3, column ${column}: `));
    }
    expect(await refusal(read(good, "country,DE,2008,12,3.5,7"))).to.match(/^P\.csv, row 3, column 6: /);
  });

  it("needs its header, once", async () => {
    const parse = (text: string) => refusal(parsed(publicationCounts, text, "P.csv"));
    expect(await parse("country,DE,2008,12,3.5\n")).to.match(
      /^P\.csv, row 1, column dimension: the header has no column/,
    );
    expect(await parse(`${HEADER},year\n`)).to.equal(
      "P.csv, row 1, column year: the header has this column twice.",
    );
    expect(await parse("\n\n")).to.match(/^P\.csv, row 1: there is no header/);
    expect(await parse("<!DOCTYPE html><html>404</html>")).to.match(/^P\.csv, row 1, column dimension: /);
  });
});

import { expect } from "chai";
import { retractedWorks } from "../../../src/statistics/sources/openalex/retracted-works.ts";
import { parsed, refusal } from "../written-file.ts";

const ETH = "https://ror.org/05a28rw58";
const EPFL = "https://ror.org/02s376052";

const WORK = {
  doi: "https://doi.org/10.1000/ABC",
  publication_year: 2015,
  authorships: [
    {
      institutions: [
        { ror: ETH, display_name: "ETH Zurich", country_code: "ch" },
        { ror: null, display_name: "A clinic" },
      ],
    },
    { institutions: [] },
    { institutions: [{ ror: EPFL }, { ror: ETH, display_name: "ETH" }] },
    {},
  ],
  primary_topic: { id: "t", field: { id: "https://openalex.org/fields/27", display_name: "Medicine" } },
};

const read = (...works: object[]) =>
  parsed(retractedWorks, works.map((one) => JSON.stringify(one)).join("\n"), "W.jsonl");

describe("decisions, Running it: OpenAlex's works", () => {
  it("give DOI, field and each institution with a ROR id once", async () => {
    expect(await read(WORK)).to.deep.equal([
      {
        doi: "10.1000/abc",
        publicationYear: 2015,
        fieldId: 27,
        institutions: [
          { ror: ETH, name: "ETH Zurich", countryCode: "CH" },
          { ror: EPFL, name: undefined, countryCode: undefined },
        ],
      },
    ]);
  });

  it("may lack anything but are left out without a DOI", async () => {
    const bare = { doi: "10.1000/x", authorships: null, primary_topic: null };
    expect(await read({ ...WORK, doi: null }, { ...WORK, doi: "none" }, bare)).to.deep.equal([
      { doi: "10.1000/x", publicationYear: undefined, fieldId: undefined, institutions: [] },
    ]);
  });

  it("are refused when they are records of something else, which would leave no paper with a work", async () => {
    const organisation = { id: ETH, status: "active", names: [] };
    expect(await refusal(read(WORK, organisation))).to.match(/^W\.jsonl, row 2, column doi: /);
  });

  it("are refused in another shape and with an unknown field", async () => {
    const field = { ...WORK, primary_topic: { field: { id: "https://openalex.org/fields/99" } } };
    expect(await refusal(read(WORK, field))).to.match(
      /^W\.jsonl, row 2, column primary_topic\.field\.id: .*99/,
    );
    const shape = { ...WORK, authorships: [{ institutions: "ETH" }] };
    expect(await refusal(read(shape))).to.match(/^W\.jsonl, row 1, column authorships\.0\.institutions: /);
    expect(await refusal(read(["a"]))).to.match(/^W\.jsonl, row 1/);
  });
});

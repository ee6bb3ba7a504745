import { expect } from "chai";
import { useStatistics } from "../loaded-statistics.ts";

const OLD = "https://ror.org/00be8mn93";
const MIDDLE = "https://ror.org/01e92na05";
const NEW = "https://ror.org/05a28rw58";
const UNLISTED = "https://ror.org/02t3p7e85";
const WINDOW = "2015-2015";

const record = (id: string, name: string, status: string, ...successors: string[]) => ({
  id,
  status,
  names: [{ value: name, types: ["ror_display"] }],
  locations: [{ geonames_details: { country_code: "CH" } }],
  relationships: successors.map((successor) => ({ type: "successor", id: successor })),
});

const jsonLines = (records: readonly object[]) => records.map((one) => JSON.stringify(one)).join("\n");

describe("decisions, Statistics: institutions and disciplines", () => {
  const statistics = useStatistics();
  const { load, write, store } = statistics;

  before(async () => {
    const notices = ["a", "b", "c"].map(
      (name, id) => `${id},Italy,1/2/2020,5/6/2015,10.1000/${name},Retraction,+Plagiarism of Data;`,
    );
    const works = [
      {
        doi: "https://doi.org/10.1000/A",
        authorships: [at(OLD), at(NEW), at(UNLISTED, "Unlisted Institute")],
        primary_topic: { field: { id: 27 } },
      },
      { doi: "10.1000/b", publication_year: 1999, authorships: [at(MIDDLE)], primary_topic: null },
      { doi: "10.1000/other", authorships: [at(NEW)], primary_topic: { field: { id: 11 } } },
    ];
    await load({
      retractions: await write(
        "RW.csv",
        [
          "Record ID,Country,RetractionDate,OriginalPaperDate,OriginalPaperDOI,RetractionNature,Reason",
          ...notices,
        ].join("\n"),
      ),
      publications: await write(
        "P.csv",
        [
          "dimension,key,year,publications,publications_fractional",
          `institution,${OLD},2015,600,300`,
          `institution,${NEW},2015,700,350`,
          "discipline,27,2015,5000,2500",
          "discipline,11,2015,0,0",
        ].join("\n"),
      ),
      works: await write("W.jsonl", jsonLines(works)),
      organisations: await write(
        "ROR.jsonl",
        jsonLines([
          record(OLD, "Old", "withdrawn", MIDDLE),
          record(MIDDLE, "Middle", "withdrawn", NEW),
          record(NEW, "New", "active"),
        ]),
      ),
    });
  });

  it("give the papers and publications of a withdrawn institution to its last successor, once", async () => {
    const rows = await store.institutions(statistics.database, WINDOW, { below: true });
    expect(
      rows.map(({ ror, name, country_code, papers, papers_fractional, publications, rank }) => ({
        ror,
        name,
        country_code,
        papers,
        papers_fractional,
        publications,
        rank,
      })),
    ).to.deep.equal([
      {
        ror: NEW,
        name: "New",
        country_code: "CH",
        papers: 2,
        papers_fractional: 1.5,
        publications: 1300,
        rank: 1,
      },
      {
        ror: UNLISTED,
        name: "Unlisted Institute",
        country_code: "IT",
        papers: 1,
        papers_fractional: 0.5,
        publications: 0,
        rank: null,
      },
    ]);
    expect(await store.institutions(statistics.database, WINDOW, { below: false })).to.deep.equal(
      rows.slice(0, 1),
    );
    const counts = await store.counts(statistics.database, WINDOW, "institution");
    expect(counts).to.deep.equal({ total: 2, ranked: 1, below: 1, unattributed: 1 });
  });

  it("list all 26 disciplines, those without publications unranked", async () => {
    const rows = await store.disciplines(statistics.database, WINDOW);
    expect(rows).to.have.length(26);
    expect(rows[0]).to.deep.include({
      field_id: 27,
      name: "Medicine",
      domain: "Health Sciences",
      papers: 1,
      rank: 1,
      rate: 20,
    });
    expect(
      rows.slice(1).map(({ field_id, rank, below, rate }) => ({ field_id, rank, below, rate })),
    ).to.deep.equal(
      Array.from({ length: 26 }, (_, index) => index + 11)
        .filter((field_id) => field_id !== 27)
        .map((field_id) => ({ field_id, rank: null, below: true, rate: null })),
    );
    const counts = await store.counts(statistics.database, WINDOW, "discipline");
    expect(counts).to.deep.equal({ total: 26, ranked: 1, below: 25, unattributed: 2 });
  });
});

function at(ror: string, display_name = "As OpenAlex has it") {
  return { institutions: [{ ror, display_name, country_code: "IT" }] };
}

import { readFileSync } from "node:fs";
import { expect } from "chai";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { readUsDate } from "../../../src/statistics/sources/dates.ts";
import {
  hasPlagiarismReason,
  retractions,
  UnknownRetractions,
} from "../../../src/statistics/sources/retractions.ts";
import { needsSharedData, SHARED } from "../shared-statistics.ts";
import { parsed, refusal } from "../written-file.ts";

const HEADER =
  "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,Reason,Paywalled,Notes";

type Cells = {
  readonly id?: string;
  readonly country?: string;
  readonly retracted?: string;
  readonly published?: string;
  readonly doi?: string;
  readonly nature?: string;
  readonly reason?: string;
};

function row({
  id = "7",
  country = "Germany;",
  retracted = "2/1/2012 0:00",
  published = "5/22/2008 0:00",
  doi = "10.1000/x",
  nature = "Retraction",
  reason = "+Plagiarism of Text;",
}: Cells): string {
  return `${id},"A, ""title""",,"Dept, City",J,P,${country},A;B,,,${retracted},10.1000/r,0,${published},${doi},0,${nature},${reason},No,`;
}

const read = (text: string | Uint8Array) => parsed(retractions, text, "RW.csv");

describe("decisions, Statistics and Running it: the Retraction Watch file", () => {
  it("is read with 20 columns, with 21 of which the last is empty, and in any order of the columns", async () => {
    const [plain] = await read(`${HEADER}\n${row({})}\n`);
    expect(plain).to.deep.equal({
      paperKey: "doi:10.1000/x",
      publishedOn: "2008-05-22",
      retractedOn: "2012-02-01",
      isPlagiarism: true,
      countries: ["DE"],
      unknownCountries: [],
      title: 'A, "title"',
      noticeDoi: "10.1000/r",
      reasons: ["Plagiarism of Text"],
    });
    expect(await read(`${HEADER},\r\n${row({})},\r\n`)).to.deep.equal([plain]);
    expect(await read(`${HEADER}\r\n${row({})},\r\n`)).to.deep.equal([plain]);
    const shuffled =
      "Reason,RetractionNature,OriginalPaperDOI,Extra,Country,OriginalPaperDate,RetractionDate,Record ID";
    const cells = "+Plagiarism of Text;,Retraction,10.1000/x,?,Germany;,5/22/2008 0:00,2/1/2012 0:00,7";
    const bare = { ...plain, title: undefined, noticeDoi: undefined };
    expect(await read(`${shuffled}\n${cells}`), "without a title and the notice").to.deep.equal([bare]);
  });

  it("leaves out blank rows, repeated headers and what is no retraction", async () => {
    const others = ["Correction", "Expression of concern", "Reinstatement"].map((nature) => row({ nature }));
    const text = [HEADER, "", ",".repeat(19), ...others, HEADER, row({ nature: "retraction " }), " "].join(
      "\r\n",
    );
    expect(await read(text)).to.have.length(1);
  });

  it("knows a paper without a usable DOI by its Record ID", async () => {
    for (const doi of ["", "unavailable", "Unavailable"]) {
      const [one] = await read(`${HEADER}\n${row({ doi })}`);
      expect(one?.paperKey).to.equal("record:7");
    }
    expect(await refusal(read(`${HEADER}\n${row({ doi: "", id: "" })}`))).to.match(
      /^RW\.csv, row 2, column Record ID: /,
    );
  });

  it("takes each country once, and Unknown for none", async () => {
    const country = "United Kingdom;Unknown; South Korea ;UK;Atlantis;";
    const [one] = await read(`${HEADER}\n${row({ country })}`);
    expect(one?.countries).to.deep.equal(["GB", "KR"]);
    expect(one?.unknownCountries).to.deep.equal(["Atlantis"]);
  });

  it("is read in any encoding that spreadsheets write", async () => {
    const text = `${HEADER}\r\n${row({ country: "Réunion Island;Turkey" })}\r\n`;
    const expected = await read(text);
    expect(expected[0]?.countries).to.deep.equal(["RE", "TR"]);
    const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
    const written = [
      Buffer.from(`\ufeff${text}`),
      utf16,
      Buffer.from(utf16).swap16(),
      utf16.subarray(2),
      Buffer.from(text, "latin1"),
    ];
    for (const bytes of written) expect(await read(bytes)).to.deep.equal(expected);
  });

  it("says where a date is none, where a nature is unknown and where a row is cut off", async () => {
    const place = async (...rows: string[]) => refusal(read([HEADER, ...rows].join("\n")));
    expect(await place(row({}), row({ published: "22/5/2008 0:00" }))).to.equal(
      'RW.csv, row 3, column OriginalPaperDate: must be a date as in 5/22/2008 0:00, not "22/5/2008 0:00".',
    );
    expect(await place(row({ retracted: "2/30/2012 0:00" }))).to.match(
      /^RW\.csv, row 2, column RetractionDate: /,
    );
    expect(await place(row({ nature: "10.1000/y" }))).to.match(/^RW\.csv, row 2, column RetractionNature: /);
    expect(await place(row({}), row({}).slice(0, 60))).to.match(
      /^RW\.csv, row 3, column RetractionDOI: the row has 11 cells and the header 20/,
    );
    expect(await place(row({}), '8,"never closed,,,')).to.match(/^RW\.csv, row 3, .*quotation mark/);
    expect(await refusal(read(`${HEADER.replace("Reason", "Cause")}\n${row({})}`))).to.equal(
      "RW.csv, row 1, column Reason: the header has no column Reason.",
    );
  });

  it("leaves out a few rows of an unknown nature, and collects reasons with the word plagiarism that do not count", async () => {
    const reason = "+Plagiarism of Text;+Plagiarism of Idea;+Paper Mill;";
    const rows = Array.from({ length: 19 }, (_, index) => row({ doi: `10.1000/${index}`, reason }));
    const unknown = new UnknownRetractions();
    const text = [HEADER, ...rows, row({ nature: "Withdrawal" })].join("\n");
    const found = await parsed((input, onBytes) => retractions(input, onBytes, unknown), text, "RW.csv");
    expect(found).to.have.length(19);
    expect(unknown.natures.notes()).to.deep.equal([
      'left out: 1 with an unknown RetractionNature: "Withdrawal"',
    ]);
    expect([...unknown.papersOfReason].map(([name, papers]) => [name, papers.size])).to.deep.equal([
      ["Plagiarism of Idea", 19],
    ]);
    const many = [
      HEADER,
      ...rows,
      row({ nature: "Withdrawal" }),
      row({ nature: "Withdrawn" }),
      row({ nature: "?" }),
    ];
    expect(await refusal(read(many.join("\n")))).to.match(
      /^RW\.csv, row 21, column RetractionNature: .*"Withdrawal"/,
    );
  });

  it("counts the lines of cells that run over several", async () => {
    const long = row({}).replace("Dept, City", "Dept,\nCity,\n\nCountry");
    const text = `${HEADER}\n${long}\n${row({ published: "soon" })}\n`;
    expect(await refusal(read(text))).to.match(/^RW\.csv, row 3 \(line 6\), column OriginalPaperDate: /);
  });
});

describe("decisions, Statistics: the dates of the Retraction Watch file", () => {
  it("are read with any time of the day, or none", () => {
    const written = ["5/22/2008 0:00", "05/22/2008", "5/22/2008 12:00:00 AM", "2008-05-22"];
    expect(new Set(written.map(readUsDate))).to.deep.equal(new Set(["2008-05-22"]));
  });

  it("exist", () => {
    for (const text of ["2/29/2011 0:00", "13/1/2011 0:00", "5/22/08 0:00", "0/0/0000", "5-22-2008"]) {
      expect(readUsDate(text), text).to.equal(undefined);
    }
  });
});

describe("decisions, Statistics: the core plagiarism reasons, by the shared table", () => {
  before(function () {
    needsSharedData(this);
  });

  it("count when they are core, in either vocabulary, and not otherwise", () => {
    const Row = z.object({ reason: z.string(), class: z.string(), old_vocabulary: z.string() });
    const rows = z.array(Row).parse(
      parse(readFileSync(SHARED.reasons), {
        columns: true,
        delimiter: "\t",
        quote: false,
        relax_column_count: true,
      }),
    );
    expect(rows).to.have.length(16);
    for (const { reason, class: kind, old_vocabulary } of rows) {
      for (const list of [
        `+${reason};`,
        `+Paper Mill;+${reason};`,
        `${old_vocabulary};Paper Mill`,
        ` + ${reason} `,
      ]) {
        expect(hasPlagiarismReason(list), list).to.equal(kind === "core");
      }
    }
  });

  it("are found in the real rows", async () => {
    const six = await parsed(retractions, readFileSync(SHARED.sixRetractions));
    expect(six).to.have.length(6);
    expect(six.filter(({ isPlagiarism }) => isPlagiarism)).to.deep.equal([]);
    expect(
      six.every(({ countries, publishedOn }) => countries.length > 0 && publishedOn !== undefined),
    ).to.equal(true);
  });
});

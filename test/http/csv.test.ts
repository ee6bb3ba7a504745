import { expect } from "chai";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { type Cell, toCsv } from "../../src/http/csv.ts";

function cell(value: Cell): string {
  return toCsv(["a"], [{ a: value }])
    .split("\r\n")
    .slice(1, -1)
    .join("\r\n");
}

describe("decisions, Statistics: a table as CSV", () => {
  it("writes a header with the columns, in their order, and CRLF after each line", () => {
    const text = toCsv(["b", "a"], [{ a: 1, b: "x" }]);
    expect(text).to.equal("b,a\r\nx,1\r\n");
    expect(toCsv(["b", "a"], [])).to.equal("b,a\r\n");
  });

  it("writes numbers as in JSON, booleans as words, and null as an empty cell", () => {
    expect([cell(0.1 + 0.2), cell(1e-7), cell(-3), cell(true), cell(false), cell(null)]).to.deep.equal([
      "0.30000000000000004",
      "1e-7",
      "-3",
      "true",
      "false",
      "",
    ]);
  });

  it("quotes cells with a comma, a quote or a line end", () => {
    expect(cell("a,b")).to.equal('"a,b"');
    expect(cell('say "x"')).to.equal('"say ""x"""');
    expect(cell("a\nb")).to.equal('"a\nb"');
    expect(cell("Côte d’Ivoire")).to.equal("Côte d’Ivoire");
  });

  it("puts an apostrophe before texts that look like formulas, but not before numbers", () => {
    for (const text of ["=1+1", "+a", "-a", "@x", "-", "=1", "--1", "＝1", "＠x", "\t=1"])
      expect(cell(text), text).to.equal(`'${text}`);
    expect(cell("=a,b")).to.equal('"\'=a,b"');
    for (const text of ["-1", "+1.5", "-1e-7", "-.5", "a=b", "1-2"]) expect(cell(text), text).to.equal(text);
  });

  it("handles half a million digits that are no number in linear time", () => {
    const digits = `+${"0".repeat(500_000)}x`;
    expect(toCsv(["a"], [{ a: digits }])).to.equal(`a\r\n'${digits}\r\n`);
  });

  it("is read by another program without changes", () => {
    const text = fc.string({ unit: "binary" }).filter((value) => !/^[=+\-@\t\r\n＝＋－＠]/.test(value));
    const rows = fc.array(fc.record({ a: text, b: fc.double({ noNaN: true, noDefaultInfinity: true }) }));
    fc.assert(
      fc.property(rows, (given) => {
        const read: unknown = parse(toCsv(["a", "b"], given), { columns: true, record_delimiter: "\r\n" });
        expect(read).to.deep.equal(given.map(({ a, b }) => ({ a, b: String(b) })));
      }),
      { seed: 51, numRuns: 100 },
    );
  });
});

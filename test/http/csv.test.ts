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
    for (const text of ["=1+1", "+a", "-a", "@x", "-", "=1", "--1", "＝1", "＠x"])
      expect(cell(text), text).to.equal(`'${text}`);
    for (const text of [" =1+1", "\u00a0+1+1", "\u3000@x", "\u200b=1", "\ufeff-a", "\u0000=1", "﹦1", " ＝1"])
      expect(cell(text), text).to.equal(`'${text}`);
    expect(cell("=a,b")).to.equal('"\'=a,b"');
    for (const text of ["-1", "+1.5", "-1e-7", "-.5", "a=b", "1-2"]) expect(cell(text), text).to.equal(text);
  });

  it("quotes and defuses a formula after a separator that a spreadsheet may use instead of the comma", () => {
    expect(cell("a;=1+1;b")).to.equal('"a;\'=1+1;b"');
    expect(cell("\t=1")).to.equal("\"'\t'=1\"");
    expect(cell('a\t"@x')).to.equal('"a\t""\'@x"');
    expect(cell("one\r\n-2+3")).to.equal('"one\r\n\'-2+3"');
    expect(cell("a; =1+1")).to.equal('"a; \'=1+1"');
    expect(cell('a\n\u00a0"\u200b＝1')).to.equal('"a\n\u00a0""\u200b\'＝1"');
    expect(cell("a; b\tc")).to.equal('"a; b\tc"');
    const sign = fc.constantFrom(..."=+-@;\t\n\"', 1a\u3000");
    fc.assert(
      fc.property(fc.string({ unit: sign }), fc.constantFrom(",", ";", "\t"), (text, separator) => {
        const rows = toCsv(["a", "b"], [{ a: "x", b: text }]);
        const fields = rows.split("\n").flatMap((line) => line.split(separator));
        const formulas = fields.filter((field) => /^["\s]*[=+\-@]/.test(field));
        const isOwnNumber = /^[+-]?\d+$/.test(text);
        if (separator !== "," && !isOwnNumber) expect(formulas, JSON.stringify(text)).to.deep.equal([]);
      }),
      { seed: 52, numRuns: 2_000 },
    );
  });

  it("handles half a million digits that are no number in linear time", () => {
    const digits = `+${"0".repeat(500_000)}x`;
    expect(toCsv(["a"], [{ a: digits }])).to.equal(`a\r\n'${digits}\r\n`);
    for (const run of ["\n", ";", " ", '"', "\n=", "; "]) {
      const text = `x${run.repeat(500_000 / run.length)}x`;
      expect(cell(text).replaceAll("'", "").replaceAll('""', '"')).to.equal(
        `"${text}"`.replace(/^"(x +x)"$/, "$1"),
      );
    }
  });

  it("is read by another program without changes", () => {
    const isFormula =
      /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|^[\t\r\n]|[;\t\r\n][";\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]/u;
    const text = fc.string({ unit: "binary" }).filter((value) => !isFormula.test(value));
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

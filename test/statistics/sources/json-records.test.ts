import { expect } from "chai";
import fc from "fast-check";
import { jsonRecords, repairedJson } from "../../../src/statistics/sources/input/json-records.ts";
import { parsed, refusal } from "../written-file.ts";

const read = async (text: string) => (await parsed(jsonRecords, text, "ROR.json")).map(({ value }) => value);

describe("decisions, Running it: a file of JSON records", () => {
  it("has the same records as lines, as an array, and as an array over several lines", async () => {
    const record = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()), fc.constant(null)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), async (records) => {
        const expected: unknown = JSON.parse(JSON.stringify(records));
        const lines = records.map((one) => JSON.stringify(one)).join("\r\n");
        expect(await read(lines)).to.deep.equal(expected);
        expect(await read(`\ufeff\n${lines}\n\n`)).to.deep.equal(expected);
        expect(await read(JSON.stringify(records))).to.deep.equal(expected);
        expect(await read(`\n${JSON.stringify(records, null, 2)}\n`)).to.deep.equal(expected);
      }),
      { seed: 6, numRuns: 60 },
    );
  });

  it("is cut in the same way wherever the pieces of the file end", async () => {
    const records = Array.from({ length: 3_000 }, (_, index) => ({
      id: index,
      text: `\\"[{,}]"\\ ${"é".repeat(index % 120)}`,
    }));
    expect(await read(JSON.stringify(records, null, 1))).to.deep.equal(records);
    expect(await read(records.map((one) => JSON.stringify(one)).join("\n"))).to.deep.equal(records);
  });

  it("names the place at which it is invalid or cut off", async () => {
    expect(await refusal(read('{"a":1}\n\n{"a":\n{"a":2}'))).to.match(
      /^ROR\.json, row 2 \(line 3\): this is not valid JSON/,
    );
    expect(await refusal(read('[{"a":1},\n{"a":}]'))).to.match(/^ROR\.json, row 2/);
    expect(await refusal(read('[{"a":1},\n{"a":'))).to.match(/^ROR\.json, line \d: the array is not closed/);
    expect(await refusal(read("[]"))).to.equal("ROR.json: the file contains no records.");
    expect(await refusal(read("<html>"))).to.match(/^ROR\.json, row 1: this is not valid JSON/);
  });
});

describe("invalid JSON that GDELT sends", () => {
  it("may contain control characters and backslashes that escape nothing", () => {
    expect(
      repairedJson('{"a": "one\u0001\ttwo\nthree", "b": "C:\\data \\u12 \\" \\\\ \\u00e9"}'),
    ).to.deep.equal({
      a: "one  two three",
      b: 'C:\\data \\u12 " \\ é',
    });
  });

  it("is refused when it is not JSON at all", () => {
    expect(() => repairedJson("The query was too short.")).to.throw(SyntaxError);
  });
});

import { expect } from "chai";
import fc from "fast-check";
import { z } from "zod";
import { boundedText, optionalMember, parse } from "../../../src/http/input/parse.ts";
import {
  commaList,
  PaginationQuery,
  queryBoolean,
  queryInteger,
  uuidList,
  wordList,
} from "../../../src/http/input/wire-types.ts";
import { DomainError } from "../../../src/platform/domain-error.ts";

/** The fields and messages with which a value is refused; empty when it is taken. */
function faults(schema: z.ZodType, value: unknown): string[] {
  try {
    parse(schema, value);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).to.equal("invalid_input");
    return error.fields.map(({ field, message }) => `${field}: ${message}`);
  }
}

describe("parse", () => {
  const Body = z.object({
    text: boundedText({ charsMin: 1, charsMax: 5 }),
    kind: z.enum(["a", "b"]),
    nested: z.object({ list: z.array(z.number()) }).optional(),
  });

  it("names each fault by its dotted wire name, with the expected value", () => {
    expect(faults(Body, { text: "", kind: "c", nested: { list: [1, "2"] } })).to.deep.equal([
      "text: must have 1 to 5 characters",
      "kind: must be one of a, b",
      "nested.list.1: must be a number",
    ]);
    expect(faults(Body, {})).to.deep.equal(["text: is required", "kind: is required"]);
    expect(faults(Body, { text: 1, kind: "a" })).to.deep.equal(["text: must be a string"]);
    expect(faults(Body, [])).to.deep.equal(["body: must be a JSON object"]);
  });

  it("ignores unknown members", () => {
    expect(parse(Body, { text: "x", kind: "a", more: 1 })).to.deep.equal({ text: "x", kind: "a" });
  });

  it("keeps the message of a schema", () => {
    expect(faults(z.object({ a: z.string("is a must") }), {})).to.deep.equal(["a: is a must"]);
  });

  it("treats null for an optional member as missing, and returns the fallback", () => {
    const Options = z.object({
      title: optionalMember(z.string()),
      language: optionalMember(z.string(), "en"),
    });
    for (const input of [{}, { title: null, language: null }]) {
      const { title, language } = parse(Options, input);
      expect([title, language]).to.deep.equal([undefined, "en"]);
    }
    expect(parse(Options, { title: "T", language: "de" })).to.deep.equal({ title: "T", language: "de" });
    expect(faults(Options, { title: 3 })).to.have.length(1);
  });

  it("counts characters as code points, for any text", () => {
    const law = fc.property(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.nat(6),
      fc.nat(6),
      (text, a, b) => {
        const [charsMin, charsMax] = a < b ? [a, b] : [b, a];
        const count = [...text].length;
        const taken = faults(boundedText({ charsMin, charsMax }), text).length === 0;
        expect(taken).to.equal(count >= charsMin && count <= charsMax);
      },
    );
    fc.assert(law, { seed: 7, numRuns: 200 });
  });

  it("refuses a text of the wrong length without quoting it", () => {
    expect(faults(boundedText({ charsMin: 1, charsMax: 500_000 }), "x".repeat(500_001))).to.deep.equal([
      "body: must have 1 to 500,000 characters",
    ]);
  });
});

describe("query parameters", () => {
  it("accept true and false and no other word", () => {
    const Flag = z.object({ flag: queryBoolean() });
    expect(parse(Flag, { flag: "true" })).to.deep.equal({ flag: true });
    expect(parse(Flag, { flag: "false" })).to.deep.equal({ flag: false });
    for (const flag of ["1", "", "TRUE", "yes", ["true", "true"]])
      expect(faults(Flag, { flag })).to.have.length(1);
  });

  it("accept whole numbers in plain digits within their bounds", () => {
    const N = z.object({ n: queryInteger({ min: 1, max: 100 }) });
    expect(parse(N, { n: "42" })).to.deep.equal({ n: 42 });
    for (const n of ["0", "101", "-1", "1.5", "1e2", " 1", "0x10", "", "NaN", "99999999999999999999"]) {
      expect(faults(N, { n }), n).to.deep.equal(["n: must be a whole number from 1 to 100"]);
    }
    expect(faults(N, { n: ["1", "2"] })).to.deep.equal(["n: must be given only once"]);
  });

  it("accept comma-separated lists and name the wrong item", () => {
    const id = "018F3A52-6C1E-7B60-9D2A-5F0C4E8B7A11";
    const Lists = z.object({ ids: uuidList(), types: wordList(["identical", "minor_changes"]).optional() });
    expect(parse(Lists, { ids: `${id},${id}`, types: "identical" })).to.deep.equal({
      ids: [id.toLowerCase(), id.toLowerCase()],
      types: ["identical"],
    });
    expect(faults(Lists, { ids: `${id},x` })).to.deep.equal(["ids.1: must be a UUID"]);
    expect(faults(Lists, { ids: "" })).to.deep.equal(["ids.0: must be a UUID"]);
    expect(faults(Lists, { ids: id, types: "identical,other" })).to.deep.equal([
      "types.1: must be one of identical, minor_changes",
    ]);
    expect(faults(Lists, { ids: id, types: "identical,minor_changes,identical" })).to.deep.equal([
      "types: must have at most 2 items",
    ]);
    const flood = "a,".repeat(500);
    expect(faults(z.object({ l: commaList(z.string()) }), { l: flood })).to.deep.equal([
      "l: must have at most 300 items",
    ]);
  });

  it("page by 20 from 0, at most 100, and ignore unknown parameters", () => {
    expect(parse(PaginationQuery, { sort: "up" })).to.deep.equal({ limit: 20, offset: 0 });
    expect(parse(PaginationQuery, { limit: "100", offset: "9007199254740991" })).to.deep.equal({
      limit: 100,
      offset: Number.MAX_SAFE_INTEGER,
    });
    for (const query of [
      { limit: "0" },
      { limit: "101" },
      { offset: "-1" },
      { offset: "9007199254740992" },
    ]) {
      expect(faults(PaginationQuery, query), JSON.stringify(query)).to.have.length(1);
    }
  });
});

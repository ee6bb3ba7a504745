import { expect } from "chai";
import fc from "fast-check";
import { normaliseRor } from "../../../src/statistics/sources/identifiers.ts";
import { inspectFile } from "../../../src/statistics/sources/input/text-file.ts";
import { followSuccessors, organisations } from "../../../src/statistics/sources/ror/organisations.ts";
import { needsSharedData, SHARED } from "../shared-statistics.ts";
import { parsed, refusal } from "../written-file.ts";

const SELF = "https://ror.org/05a28rw58";
const OTHER = "https://ror.org/02t3p7e85";
const THIRD = "https://ror.org/00be8mn93";

function record(status: string, successors: readonly string[]) {
  return {
    id: SELF,
    status,
    names: [
      { value: "ETH", types: ["acronym"] },
      { value: "ETH Zürich", types: ["label", "ror_display"] },
    ],
    locations: [{ geonames_details: { country_code: "CH" } }],
    relationships: [{ type: "parent", id: THIRD }, ...successors.map((id) => ({ type: "successor", id }))],
    admin: { last_modified: { date: "2026-01-15" } },
  };
}

async function successorOf(status: string, ...successors: readonly string[]) {
  const [one] = await parsed(organisations, JSON.stringify(record(status, successors)));
  return one?.successor;
}

describe("decisions, Running it: ROR's records", () => {
  it("give the displayed name and the country", async () => {
    const [one] = await parsed(organisations, JSON.stringify(record("active", [])));
    expect(one).to.deep.equal({
      row: 1,
      ror: SELF,
      name: "ETH Zürich",
      countryCode: "CH",
      successor: undefined,
      modifiedOn: "2026-01-15",
    });
  });

  it("name a successor when they are withdrawn and point to exactly one", async () => {
    expect(await successorOf("withdrawn", OTHER)).to.equal(OTHER);
    expect(await successorOf("withdrawn", OTHER, OTHER.toUpperCase())).to.equal(OTHER);
    expect(await successorOf("withdrawn", OTHER, THIRD)).to.equal(undefined);
    expect(await successorOf("withdrawn")).to.equal(undefined);
    expect(await successorOf("inactive", OTHER)).to.equal(undefined);
    expect(await successorOf("active", OTHER)).to.equal(undefined);
  });

  it("are refused in the shape of ROR v1, and with an identifier that is none", async () => {
    const old = { id: SELF, name: "ETH Zurich", status: "active", country: { country_code: "CH" } };
    expect(await refusal(parsed(organisations, JSON.stringify(old), "ROR.jsonl"))).to.match(
      /^ROR\.jsonl, row 1, column names: /,
    );
    const wrong = { ...record("active", []), id: "https://ror.org/x" };
    expect(await refusal(parsed(organisations, JSON.stringify(wrong), "ROR.jsonl"))).to.match(
      /^ROR\.jsonl, row 1, column id: /,
    );
  });
});

describe("the real ROR records", () => {
  before(function () {
    needsSharedData(this);
  });

  it("are all read", async () => {
    const input = await inspectFile(SHARED.organisations);
    const all = await Array.fromAsync(organisations(input, () => undefined));
    expect(all).to.have.length(1989);
    expect(all.filter(({ successor }) => successor !== undefined)).to.have.length(41);
    expect(all.every(({ name, countryCode }) => name !== "" && countryCode?.length === 2)).to.equal(true);
  });
});

describe("decisions, Statistics: successions of withdrawn records", () => {
  it("are followed to the last, and not in circles", () => {
    const direct = new Map([
      ["a", "b"],
      ["b", "c"],
      ["x", "y"],
      ["y", "x"],
      ["z", "x"],
    ]);
    expect([...followSuccessors(direct)]).to.deep.equal([
      ["a", "c"],
      ["b", "c"],
    ]);
  });

  it("end where there is no successor", () => {
    const name = fc.constantFrom("a", "b", "c", "d", "e");
    fc.assert(
      fc.property(fc.dictionary(name, name), (direct) => {
        const map = new Map(Object.entries(direct));
        for (const end of followSuccessors(map).values()) expect(map.has(end)).to.equal(false);
      }),
      { seed: 6 },
    );
  });
});

describe("a ROR id", () => {
  it("has one form", () => {
    const written = [
      SELF,
      "ror.org/05a28rw58",
      "05A28RW58",
      "http://ror.org/05a28rw58/",
      " https://ror.org/05a28rw58 ",
    ];
    expect(new Set(written.map(normaliseRor))).to.deep.equal(new Set([SELF]));
    for (const text of ["", "15a28rw58", "05a28ri58", "05a28rw5", "https://ror.org/", "grid.5801.c"]) {
      expect(normaliseRor(text), text).to.equal(undefined);
    }
  });
});

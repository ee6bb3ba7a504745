import { expect } from "chai";
import { CHECK_STAGES } from "../../../src/checks/check.ts";
import { changedQuery, pageNumber } from "../../../src/web/browser/shared/use-list.ts";
import {
  age,
  bytes,
  date,
  fractionDone,
  isolated,
  percent,
  STAGES,
  searchedParts,
} from "../../../src/web/browser/shared/wording.ts";

describe("the wording of the pages", () => {
  it("names every stage of the engine, in order", () => {
    expect(STAGES.map(({ stage }) => stage)).to.deep.equal(CHECK_STAGES);
  });

  it("never decreases the progress of a check", () => {
    const events = [
      { stage: null, chunks_done: 0, chunks_total: 0 },
      ...CHECK_STAGES.flatMap((stage) =>
        [0, 1, 7].map((done) => ({
          stage,
          chunks_done: stage === "retrieving" ? done : stage < "retrieving" ? 0 : 7,
          chunks_total: 7,
        })),
      ),
    ];
    const fractions = events.map(fractionDone);
    expect(fractions).to.deep.equal(fractions.toSorted((a, b) => a - b));
    expect(Math.max(...fractions)).to.be.below(1);
    expect(searchedParts({ stage: "retrieving", chunks_done: 3, chunks_total: 7 })).to.equal(
      "3 of 7 parts searched",
    );
  });

  it("writes sizes and counts for people", () => {
    // As the machine's own locale writes them.
    const number = (value: number) => new Intl.NumberFormat().format(value);
    expect([0, 1, 1_023, 1_024, 9.5 * 1024 ** 2, 10 * 1024 ** 2].map(bytes)).to.deep.equal([
      "0 bytes",
      "1 byte",
      `${number(1_023)} bytes`,
      "1 KiB",
      `${number(9.5)} MiB`,
      "10 MiB",
    ]);
    expect(percent(12.3)).to.match(/12.30/);
  });

  it("keeps the direction of a name within a sentence of the other direction", () => {
    expect(isolated("Anna Keller")).to.match(/^\u2068Anna Keller\u2069$/);
  });

  it("shows ages up to a week, then dates", () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    const ages = ["2026-11-21T12:00:03Z", "2026-11-21T11:58:00Z", "2026-11-20T12:00:00Z"].map((at) =>
      age(at, now),
    );
    expect(ages).to.deep.equal(["just now", "2 minutes ago", "yesterday"]);
    expect(age("2026-10-01T12:00:00Z", now)).to.equal(date("2026-10-01T12:00:00Z"));
  });

  it("changes one part of an address and keeps the others", () => {
    expect(changedQuery("?title=a%26b&page=3", { page: "" })).to.equal("?title=a%26b");
    expect(changedQuery("", { title: "ä & ö" })).to.equal("?title=%C3%A4+%26+%C3%B6");
    expect(changedQuery("?page=2", { page: "" })).to.equal("");
    const pages = ["", "page=7", "page=-1", "page=x", "page=0", "page=99999999999"];
    expect(pages.map((query) => pageNumber(new URLSearchParams(query)))).to.deep.equal([1, 7, 1, 1, 1, 1]);
  });
});

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import fc from "fast-check";
import {
  currentTrace,
  newTrace,
  parseTraceparent,
  toTraceparent,
  withinTrace,
} from "../../src/platform/tracing.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("the traceparent header (W3C Trace Context)", () => {
  it("names a trace, the calling step and whether the trace is recorded", () => {
    const trace = { traceId: TRACE, spanId: SPAN };
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).to.deep.equal({ ...trace, sampled: true });
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`)).to.deep.equal({ ...trace, sampled: false });
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-03`), "other flags").to.deep.equal({
      ...trace,
      sampled: true,
    });
  });

  it("may be of a later version with more fields", () => {
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes`)?.traceId).to.equal(TRACE);
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-01`)?.traceId).to.equal(TRACE);
  });

  for (const [fault, header] of [
    ["missing", undefined],
    ["empty", ""],
    ["of the version that is none", `ff-${TRACE}-${SPAN}-01`],
    ["a trace of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["a step of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["in upper case", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["too short", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["longer than its version allows", `00-${TRACE}-${SPAN}-01-more`],
    ["a text", "the quick brown fox"],
    ["with a line behind it", `00-${TRACE}-${SPAN}-01\nforged`],
  ] as const) {
    it(`is ignored when it is ${fault}`, () => {
      expect(parseTraceparent(header)).to.equal(undefined);
    });
  }

  it("is read as it was written, and no other text is accepted", () => {
    for (let turn = 0; turn < 50; turn += 1) {
      const trace = newTrace();
      expect(parseTraceparent(toTraceparent(trace))).to.deep.equal(trace);
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        const trace = parseTraceparent(text);
        return trace === undefined || text.includes(trace.traceId);
      }),
      { seed: 8 },
    );
  });
});

describe("the current trace", () => {
  it("is known to all called and awaited functions, and to no others", async () => {
    const seen = async () => {
      await sleep(1);
      return currentTrace();
    };
    const [one, other] = [newTrace(), newTrace()];
    const found = await Promise.all([withinTrace(one, seen), withinTrace(other, seen), seen()]);
    expect(found).to.deep.equal([one, other, undefined]);
  });
});

import { expect } from "chai";
import { ProblemError, UnreachableError } from "../../../src/client/index.ts";
import { failureLine, failureOf } from "../../../src/web/browser/shared/failure.ts";

describe("errors, as the pages say them", () => {
  const problem = (
    status: number,
    about: { retryAfter?: number; requestId?: string } = {},
    errors = FAULTS,
  ) =>
    new ProblemError(
      { status, title: "Invalid input", detail: "2 values are invalid.", errors },
      { code: "invalid_input", requestId: about.requestId, retryAfter: about.retryAfter },
    );

  it("names each fault of an input after what the reader sees", () => {
    const failure = failureOf(problem(422), true);
    expect(failure.faults).to.deep.equal([
      "The title must have 1 to 200 characters.",
      "“other” is not known.",
    ]);
    expect(failure.isTemporary).to.equal(false);
    expect(failureLine(failure)).to.equal("The title must have 1 to 200 characters. “other” is not known.");
  });

  it("says the detail where there is no list of faults", () => {
    expect(failureOf(problem(415, {}, []), true).detail).to.equal("2 values are invalid.");
  });

  it("says when to try again, and offers it", () => {
    expect(failureOf(problem(503, { retryAfter: 5 }), true)).to.include({
      advice: "Try again in 5 seconds.",
      isTemporary: true,
    });
    expect(failureOf(problem(503, { retryAfter: 1 }), true).advice).to.equal("Try again in 1 second.");
    expect(failureOf(problem(429), true).advice).to.equal("Try again in a moment.");
  });

  it("gives what the operator needs to look for after an error of the service itself", () => {
    expect(failureOf(problem(500, { requestId: "abc" }), true).advice).to.include("reference abc");
  });

  it("tells a service that does not answer from a device that is offline", () => {
    const error = new UnreachableError("No answer");
    expect(failureOf(error, false).title).to.equal("You’re offline");
    expect(failureOf(error, true).title).to.equal("Can’t reach the service");
  });
});

const FAULTS = [
  { field: "title", message: "must have 1 to 200 characters" },
  { field: "other", message: "is not known" },
];

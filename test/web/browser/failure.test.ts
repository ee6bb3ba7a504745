import { expect } from "chai";
import { ProblemError, UnreachableError } from "../../../src/client/index.ts";
import { failureLine, failureOf } from "../../../src/web/browser/shared/engine.ts";

describe("error messages of the pages", () => {
  const problem = (
    status: number,
    about: { retryAfter?: number; requestId?: string } = {},
    errors = FAULTS,
  ) =>
    new ProblemError(
      { status, title: "Invalid input", detail: "2 values are invalid.", errors },
      { code: "invalid_input", requestId: about.requestId, retryAfter: about.retryAfter },
    );

  it("name each invalid field as the reader sees it", () => {
    const failure = failureOf(problem(422), true);
    expect(failure.faults).to.deep.equal([
      "The title must have 1 to 200 characters.",
      "“other” is not known.",
    ]);
    expect(failure.isTemporary).to.equal(false);
    expect(failureLine(failure)).to.equal("The title must have 1 to 200 characters. “other” is not known.");
  });

  it("show the detail if there is no list of faults", () => {
    expect(failureOf(problem(415, {}, []), true).detail).to.equal("2 values are invalid.");
  });

  it("say when to try again, and offer it", () => {
    expect(failureOf(problem(503, { retryAfter: 5 }), true)).to.include({
      advice: "Try again in 5 seconds.",
      isTemporary: true,
    });
    expect(failureOf(problem(503, { retryAfter: 1 }), true).advice).to.equal("Try again in 1 second.");
    expect(failureOf(problem(429), true).advice).to.equal("Try again in a moment.");
  });

  it("include the reference that the operator needs after an internal error", () => {
    expect(failureOf(problem(500, { requestId: "abc" }), true).advice).to.include("reference abc");
  });

  it("distinguish an unreachable service from an offline device", () => {
    const error = new UnreachableError("No answer");
    expect(failureOf(error, false).title).to.equal("You’re offline");
    expect(failureOf(error, true).title).to.equal("Can’t reach the service");
  });
});

const FAULTS = [
  { field: "title", message: "must have 1 to 200 characters" },
  { field: "other", message: "is not known" },
];

import { expect } from "chai";
import { dropReason } from "../../../../src/web/browser/report/model/report-wording.ts";

describe("what is said about a report's matches", () => {
  it("has words for reasons that it does not know yet", () => {
    expect(dropReason("set_phrase")).to.include("phrases");
    expect(dropReason("some_new_reason")).to.equal("some new reason");
  });
});

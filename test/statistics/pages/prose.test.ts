import { expect } from "chai";
import { prose } from "../../../src/statistics/pages/texts.ts";

describe("the prose of the page", () => {
  it("marks what stands between backticks as code that is not translated and runs left to right", () => {
    expect(prose("Say `a<b` & `c`.").toString()).to.equal(
      'Say <code dir="ltr" translate="no">a&lt;b</code> &amp; <code dir="ltr" translate="no">c</code>.',
    );
  });
});

import { expect } from "chai";
import { html } from "../../../src/statistics/developers/html.ts";
import { prose } from "../../../src/statistics/developers/prose.ts";

describe("markup from templates", () => {
  it("escapes every text, in content and in attributes", () => {
    const text = `<script>alert("1")</script> & 'it'`;
    const escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;it&#39;";
    expect(html`<p title="${text}">${text}</p>`.toString()).to.equal(`<p title="${escaped}">${escaped}</p>`);
  });

  it("puts markup in as it is, lists one after the other, and nothing for what is undefined", () => {
    const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}${undefined}</ul>${0}`.toString()).to.equal(
      "<ul><li>a</li><li>&lt;b&gt;</li></ul>0",
    );
  });

  it("marks what stands between backticks as code that is not translated and runs left to right", () => {
    expect(prose("Say `a<b` & `c`.").toString()).to.equal(
      'Say <code dir="ltr" translate="no">a&lt;b</code> &amp; <code dir="ltr" translate="no">c</code>.',
    );
  });
});

import { expect } from "chai";
import { html } from "../../src/http/html.ts";

describe("markup from templates", () => {
  it("escapes every text, in content and in attributes", () => {
    const text = `<script>alert("1")</script> & 'it'`;
    const escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;it&#39;";
    expect(html`<p title="${text}">${text}</p>`.toString()).to.equal(`<p title="${escaped}">${escaped}</p>`);
  });

  it("inserts markup unchanged, joins lists, and omits undefined values", () => {
    const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}${undefined}</ul>${0}`.toString()).to.equal(
      "<ul><li>a</li><li>&lt;b&gt;</li></ul>0",
    );
  });
});

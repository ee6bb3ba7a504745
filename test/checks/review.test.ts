import { expect } from "chai";
import { CheckList } from "../../src/checks/api/schema.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { WebhookReceiver } from "../support/servers/webhook-receiver.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

let receiver: WebhookReceiver;
const webhookUrls: string[] = [];

describe("reviews, told to a program", () => {
  before(async () => {
    receiver = await WebhookReceiver.start(SECRET);
    webhookUrls.push(receiver.url);
  });
  after(() => receiver?.stop());
  describe("a review of a report", reviews);
});

function reviews() {
  const engine = useEngine({ webhookUrls, webhookSecret: [SECRET] });
  const [quoted, copied, own] = [prose(801, 60), prose(802, 90), prose(803, 100)];
  let checkId: string;
  let sourceId: string;

  const patch = (review: unknown, id = checkId) =>
    engine.client.json("PATCH", `/v1/checks/${id}`, { review });
  const text = async (path: string) => (await engine.client.request(`/v1/checks/${checkId}/${path}`)).text();

  before(async () => {
    sourceId = (await engine.client.addDocument("source.txt", `${quoted} ${copied}`)).document_id;
    checkId = await engine.client.submit(`“${quoted}”\n\n${copied}\n\n${own}`, { title: "Essay" });
    await engine.client.ended(checkId);
  });

  it("is kept with the score of its filters, beside the score without them, which stays", async () => {
    const before = await engine.client.check(checkId);
    expect(before).to.not.have.property("review");
    const response = await patch({
      status: "cleared",
      comment: "Quoted.",
      filters: { exclude_quotes: true },
    });
    expect(response.status).to.equal(200);
    const check = await engine.client.check(checkId);
    const filtered = await engine.client.report(checkId, "?exclude_quotes=true");
    expect(check.overall_similarity_pct).to.equal(before.overall_similarity_pct);
    expect(check.review).to.deep.include({ status: "cleared", comment: "Quoted." });
    expect(check.review?.filters).to.deep.equal({ exclude_quotes: true });
    expect(check.review?.reviewed_similarity_pct).to.equal(filtered.overall_similarity_pct);
    expect(filtered.overall_similarity_pct).to.be.below(before.overall_similarity_pct ?? 0);
    expect(await response.json()).to.deep.equal(check);
  });

  it("leaves the report without parameters as it was, and is applied with review=true", async () => {
    await patch(null);
    const plain = await engine.client.report(checkId);
    await patch({ status: "confirmed", filters: { exclude_quotes: true, min_words: 5 } });
    expect(await engine.client.report(checkId)).to.deep.equal(plain);
    const { review, ...shown } = await engine.client.report(checkId, "?review=true");
    expect(shown).to.deep.equal(await engine.client.report(checkId, "?exclude_quotes=true&min_words=5"));
    expect(review).to.deep.equal((await engine.client.check(checkId)).review);
    expect(shown.filters?.unfiltered_similarity_pct).to.equal(plain.overall_similarity_pct);
  });

  it("gives way to any filter of the address, even to one that filters nothing", async () => {
    await patch({ filters: { exclude_quotes: true } });
    const other = await engine.client.report(checkId, "?review=true&min_words=7");
    expect(other.filters?.applied).to.deep.equal({ min_words: 7 });
    const none = await engine.client.report(checkId, "?review=true&exclude_quotes=false");
    expect(none.filters).to.equal(null);
    expect(none.review?.filters).to.deep.equal({ exclude_quotes: true });
  });

  it("keeps the members that a change leaves out, and replaces filters as a whole", async () => {
    await patch(null);
    await patch({ status: "to_be_discussed", comment: "Ask her.", filters: { exclude_sources: [sourceId] } });
    const first = (await engine.client.check(checkId)).review;
    expect(first?.reviewed_similarity_pct).to.equal(0);
    await patch({ status: "open" });
    const second = (await engine.client.check(checkId)).review;
    expect({ ...second, changed_at: "" }).to.deep.equal({ ...first, status: "open", changed_at: "" });
    expect(Date.parse(second?.changed_at ?? "")).to.be.at.least(Date.parse(first?.changed_at ?? ""));
    const { passages: [passage] = [] } = (await engine.client.report(checkId)).sources[0] ?? {};
    const excluded = `${passage?.query_start}-${passage?.query_end}-${sourceId}`;
    await patch({ comment: "", filters: { exclude_passages: [excluded], match_types: ["identical"] } });
    const { review } = await engine.client.check(checkId);
    expect(review?.comment).to.equal(null);
    expect(review?.filters).to.deep.equal({ exclude_passages: [excluded], match_types: ["identical"] });
    await patch(null);
    expect(await engine.client.check(checkId)).to.not.have.property("review");
  });

  it("reads null as left out, and keeps neither empty lists nor repeats", async () => {
    await patch(null);
    const none = { exclude_quotes: null, min_words: null, exclude_sources: null, match_types: null };
    const id = sourceId.toUpperCase();
    const passage = `0-5-${sourceId}`;
    const filtersOf = async (filters: object) => {
      expect((await patch({ filters })).status, JSON.stringify(filters)).to.equal(200);
      return (await engine.client.check(checkId)).review?.filters;
    };
    expect(await filtersOf({ ...none, exclude_bibliography: null, exclude_passages: null })).to.deep.equal(
      {},
    );
    expect(
      await filtersOf({ ...none, min_words: 3, exclude_sources: [], exclude_passages: [] }),
    ).to.deep.equal({ min_words: 3 });
    expect(
      await filtersOf({
        exclude_sources: [sourceId, id],
        exclude_passages: [passage, passage],
        match_types: ["translated", "identical", "translated"],
      }),
    ).to.deep.equal({
      exclude_sources: [sourceId],
      exclude_passages: [passage],
      match_types: ["translated", "identical"],
    });
  });

  it("keeps changes of different members at the same moment", async () => {
    for (let round = 0; round < 10; round += 1) {
      await patch(null);
      const filters = { exclude_quotes: true };
      await Promise.all([patch({ status: "confirmed" }), patch({ comment: "Both." }), patch({ filters })]);
      const { review } = await engine.client.check(checkId);
      expect(review).to.deep.include({ status: "confirmed", comment: "Both.", filters });
      const filtered = await engine.client.report(checkId, "?exclude_quotes=true");
      expect(review?.reviewed_similarity_pct).to.equal(filtered.overall_similarity_pct);
    }
  });

  it("is in the list, which it restricts, and in its table; a check without one is open", async () => {
    const other = await engine.client.submit(own, { title: "Another" });
    await engine.client.ended(other);
    await patch({ status: "to_be_discussed", comment: "=SUM(1)", filters: { exclude_quotes: true } });
    const list = async (status: string) =>
      CheckList.parse(await (await engine.client.request(`/v1/checks?review_status=${status}`)).json()).items;
    const ids = async (status: string) => (await list(status)).map(({ check_id }) => check_id);
    expect(await ids("to_be_discussed")).to.deep.equal([checkId]);
    expect(await ids("open")).to.deep.equal([other]);
    expect(await ids("cleared")).to.deep.equal([]);
    const { review } = await engine.client.check(checkId);
    const { filters, ...listed } = review ?? {};
    expect(filters).to.deep.equal({ exclude_quotes: true });
    const sent = await (await engine.client.request("/v1/checks?review_status=to_be_discussed")).text();
    expect(JSON.parse(sent).items[0].review, "without the filters").to.deep.equal(listed);
    const table = await (await engine.client.request("/v1/checks.csv")).text();
    const [head = "", ...rows] = table.trimEnd().split("\r\n");
    expect(head).to.match(/,review_status,reviewed_similarity_pct,review_comment,review_changed_at$/);
    expect(rows.find((row) => row.includes(checkId))).to.match(
      new RegExp(`,to_be_discussed,${review?.reviewed_similarity_pct},'=SUM\\(1\\),${review?.changed_at}$`),
    );
    expect(rows.find((row) => row.includes(other))).to.match(/,,,,$/);
  });

  it("is shown in the exports that ask for it, and in no other", async () => {
    await patch({ status: "confirmed", comment: "See <page 3>.", filters: { exclude_quotes: true } });
    const html = await text("report.html?review=true");
    expect(html).to.include("Decision: Confirmed").and.to.include("See &lt;page 3&gt;.");
    expect(html).to.include("quotations excluded");
    expect(await text("report.html")).to.not.include("Decision");
    expect(await text("passages.csv?review=true")).to.equal(await text("passages.csv?exclude_quotes=true"));
  });

  it("is told to other programs, without its comment", async () => {
    await patch({ status: "cleared", comment: "A private remark" });
    for (;;) {
      const found = receiver.received.findLast(({ type }) => type === "check.reviewed");
      if (found?.data.review_status !== "cleared") {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      const { review } = await engine.client.check(checkId);
      expect(found.data).to.include({
        check_id: checkId,
        reviewed_similarity_pct: review?.reviewed_similarity_pct,
        review_changed_at: review?.changed_at,
      });
      expect(found.body).to.not.include("private remark");
      return;
    }
  });

  for (const [review, field] of [
    [{ status: "guilty" }, "review.status"],
    [{ comment: "c".repeat(2_001) }, "review.comment"],
    [{ filters: { min_words: -1 } }, "review.filters.min_words"],
    [{ filters: { exclude_sources: ["x"] } }, "review.filters.exclude_sources.0"],
    [{ filters: { exclude_passages: ["1-2-x"] } }, "review.filters.exclude_passages.0"],
    [{ filters: { match_types: [] } }, "review.filters.match_types"],
    [{ filters: { match_types: Array(5).fill("identical") } }, "review.filters.match_types"],
  ] as const) {
    it(`is refused for ${field}`, async () => {
      await expectProblem(await patch(review), 422, "invalid-input", [field]);
    });
  }

  it("needs a title or a review, and both may be given", async () => {
    const change = (body: object) => engine.client.json("PATCH", `/v1/checks/${checkId}`, body);
    const { errors } = await expectProblem(await change({}), 422, "invalid-input", ["title"]);
    expect(errors).to.deep.equal([{ field: "title", message: "is required" }]);
    expect((await change({ title: "Both", review: { status: "open" } })).status).to.equal(200);
    const check = await engine.client.check(checkId);
    expect([check.title, check.review?.status]).to.deep.equal(["Both", "open"]);
  });

  it("is 404 for an unknown check", async () => {
    const unknown = "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf";
    await expectProblem(await patch({ status: "open" }, unknown), 404, "check-not-found");
  });
}

describe("a check that is not complete", () => {
  const engine = useEngine({ roles: ["engine"] });

  it("has no report to review", async () => {
    const checkId = await engine.client.submit("A text.");
    const response = await engine.client.json("PATCH", `/v1/checks/${checkId}`, {
      review: { status: "open" },
    });
    await expectProblem(response, 409, "check-not-complete");
  });
});

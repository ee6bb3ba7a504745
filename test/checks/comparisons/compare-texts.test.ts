import { expect } from "chai";
import { ComparisonAnswer } from "../../../src/checks/comparisons/api/schema.ts";
import { abandon } from "../../http/http-fixture.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { compare, expectComparisonLaws, sidesOf } from "./comparison-laws.ts";

describe("POST /v1/comparisons", () => {
  const engine = useEngine();
  const copied = prose(801, 60);
  const source = `${prose(802, 40)} ${copied} ${prose(803, 40)}`;
  const query = `${prose(804, 50)} ${copied} ${prose(805, 50)}`;

  it("answers with both texts and the passage that they share, with its place on both sides", async () => {
    const comparison = await compare(engine.client, query, source);
    expectComparisonLaws(comparison);
    expect([comparison.query.text, comparison.source.text]).to.deep.equal([query, source]);
    const [passage, ...others] = comparison.passages;
    expect(others).to.deep.equal([]);
    expect(passage?.match_type).to.equal("identical");
    expect(passage && sidesOf(comparison, passage)).to.deep.equal([copied, copied]);
    expect(comparison).to.include({
      coverage: "full",
      coverage_reason: null,
      semantic_coverage: "none",
      semantic_coverage_reason: "off",
      offset_unit: "code_point",
    });
    expect(comparison.query).to.include({ filename: null, language: "en", language_origin: "default" });
  });

  it("gives the share of each text that the other contains", async () => {
    const comparison = await compare(engine.client, copied, source);
    expect(comparison.query.overall_similarity_pct).to.equal(100);
    expect(comparison.source.overall_similarity_pct).to.be.within(30, 60);
    const swapped = await compare(engine.client, source, copied);
    expect(swapped.source.overall_similarity_pct).to.equal(100);
    expect(swapped.query.overall_similarity_pct).to.equal(comparison.source.overall_similarity_pct);
  });

  it("counts source text once that several passages use", async () => {
    const comparison = await compare(engine.client, `${copied}\n\n${prose(806, 60)}\n\n${copied}`, source);
    expectComparisonLaws(comparison);
    expect(comparison.passages).to.have.length(2);
    expect(comparison.source.total_matched_chars).to.equal(copied.length);
    expect(comparison.query.total_matched_chars).to.be.at.least(2 * copied.length);
  });

  it("says so when nothing is shared, and when a text has no word", async () => {
    for (const [one, other] of [
      [prose(807, 80), prose(808, 80)],
      ["—", source],
      [query, "…"],
    ] as const) {
      const comparison = await compare(engine.client, one, other);
      expectComparisonLaws(comparison);
      expect(comparison.passages).to.deep.equal([]);
      expect(comparison.query.overall_similarity_pct).to.equal(0);
    }
  });

  it("counts offsets and lengths in the units that are asked for, on both sides", async () => {
    const clef = "\u{1d11e}";
    const one = `${clef}${clef} ${query} ${clef}`;
    const other = `${clef} ${source}`;
    const points = await compare(engine.client, one, other);
    const units = await compare(engine.client, one, other, { query: "?offset_unit=utf16" });
    const mixed = await compare(engine.client, one, other, {
      query: "?offset_unit=utf16&length_unit=code_point",
    });
    expectComparisonLaws(points);
    expectComparisonLaws(units);
    expect(units.passages.map((passage) => sidesOf(units, passage))).to.deep.equal(
      points.passages.map((passage) => sidesOf(points, passage)),
    );
    expect(units.query.char_count).to.equal(points.query.char_count + 3);
    expect(mixed.query.char_count).to.equal(points.query.char_count);
    expect(mixed.passages).to.deep.equal(units.passages);
  });

  it("takes the languages of both texts in any case, and detects those that are not stated", async () => {
    const german = "Die Wärter trugen jeden Abend das Öl über zweihundert Stufen hinauf. ".repeat(5);
    const comparison = await compare(engine.client, german, source, { source_language: "FR" });
    expect(comparison.query).to.include({ language: "de", language_origin: "detected" });
    expect(comparison.source).to.include({ language: "fr", language_origin: "stated" });
  });

  it("flags disguised text on both sides and ignores the disguise", async () => {
    const disguised = copied.replaceAll("a", "\u0430");
    const comparison = await compare(engine.client, disguised, source);
    expect(comparison.query.integrity_flags.map(({ kind }) => kind)).to.include("homoglyphs");
    expect(comparison.source.integrity_flags).to.deep.equal([]);
    expect(comparison.query.overall_similarity_pct).to.equal(100);
    const swapped = await compare(engine.client, source, disguised);
    expect(swapped.source.integrity_flags).to.deep.equal(comparison.query.integrity_flags);
  });

  it("stores nothing: no check, no document, and neither text in any table", async () => {
    await compare(engine.client, `${query} Zanzibarophone.`, `${source} Zanzibarophone.`);
    const tables = await engine.database.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).to.be.above(10);
    for (const { name } of tables) {
      const rows = await engine.database.query(
        `select 1 from ${name} as one where one::text like '%Zanzibarophone%'`,
      );
      expect(rows, name).to.deep.equal([]);
    }
    const checks = await engine.client.request("/v1/checks");
    expect(await checks.json()).to.include({ total: 0 });
  });

  it("is 422 without a text, with an empty one, or one that is too long, and names the member", async () => {
    const send = (body: unknown) => engine.client.json("POST", "/v1/comparisons", body);
    const cases = [
      [{ query_text: "a" }, ["source_text"]],
      [{ query_text: "", source_text: "a" }, ["query_text"]],
      [{ query_text: "a", source_text: "é".repeat(500_001) }, ["source_text"]],
      [{ query_text: "a", source_text: "b", source_language: "klingon" }, ["source_language"]],
    ] as const;
    for (const [body, fields] of cases) {
      await expectProblem(await send(body), 422, "invalid-input", fields);
    }
    const response = await engine.client.json("POST", "/v1/comparisons?offset_unit=bytes", {
      query_text: "a",
      source_text: "b",
    });
    await expectProblem(response, 422, "invalid-input", ["offset_unit"]);
  });

  it("takes two texts of 500,000 characters whose letters are all written as escapes", async () => {
    const text = "\u{1d11e} ".repeat(250_000);
    const escaped = `"${"\\ud834\\udd1e ".repeat(250_000)}"`;
    const body = `{"query_text":${escaped},"source_text":${escaped},"language":"en","source_language":"en"}`;
    const response = await engine.client.json("POST", "/v1/comparisons", body);
    expect(response.status).to.equal(200);
    expect(ComparisonAnswer.parse(await response.json()).query.text).to.equal(text);
  }).timeout(120_000);

  it("serves the next client when one disconnects", async () => {
    const long = prose(809, 30_000);
    const body = JSON.stringify({ query_text: long, source_text: long.split(". ").toReversed().join(". ") });
    const { port, hostname } = new URL(engine.client.base);
    const head = `POST /v1/comparisons HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    await abandon(Number(port), head, Buffer.from(body));
    expect((await compare(engine.client, query, source)).passages).to.have.length(1);
  }).timeout(120_000);
});

describe("a comparison whose time is over before all of its words are compared", () => {
  const engine = useEngine({ checkTimeBudgetMs: 0 });

  it("has the verbatim copies, and says that its coverage is partial", async () => {
    const text = prose(810, 50);
    const comparison = await compare(engine.client, text, text);
    expect(comparison).to.include({ coverage: "partial", coverage_reason: "time_cap" });
    expect(comparison.query.overall_similarity_pct).to.equal(100);

    const longer = await compare(engine.client, `${prose(811, 50)} ${text}`, text);
    expect(longer.source.overall_similarity_pct).to.equal(100);
  });
});

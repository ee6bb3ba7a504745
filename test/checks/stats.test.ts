import { expect } from "chai";
import { v7 as uuidv7 } from "uuid";
import { CheckStats } from "../../src/checks/api/schema.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

describe("specification 2.1 and 4.1: GET /v1/checks/stats", () => {
  const engine = useEngine();
  afterEach(() => engine.database.query("delete from checks"));

  async function stats() {
    const response = await engine.client.request("/v1/checks/stats");
    expect(response.status).to.equal(200);
    return CheckStats.strict().parse(await response.json());
  }

  /** A complete check that stands in the table as if it had run; the completed one `secondsAgo` is the later one. */
  async function insertComplete(matchedChars: number, charCount: number, secondsAgo: number): Promise<void> {
    await engine.database.query(
      `insert into checks (check_id, status, language, language_origin, page_margins, template_spans, query_text, query_text_preview,
         char_count, word_count, total_matched_chars, coverage, completed_at)
       values ($1, 'complete', 'en', 'stated', '{}', '{}', 'x', 'x', $2, 0, $3, 'full', now() - make_interval(secs => $4))`,
      [uuidv7(), charCount, matchedChars, secondsAgo],
    );
  }

  it("counts nothing and has a null average when there are no checks", async () => {
    expect(await stats()).to.deep.equal({
      total_checks: 0,
      checks_this_month: 0,
      avg_similarity_pct: null,
      avg_window_size: 0,
      total_words: 0,
      total_sources: 0,
    });
  });

  it("counts all checks with their words, complete or not, and the documents of the corpus", async () => {
    const text = prose(301, 50);
    await engine.client.addDocument("source.txt", text);
    const complete = await engine.client.submit(text);
    await engine.client.ended(complete);
    await engine.database.query(
      `insert into checks (check_id, status, language, language_origin, page_margins, template_spans, query_text, query_text_preview,
         char_count, word_count, error_message)
       values ($1, 'failed', 'en', 'stated', '{}', '{}', 'x', 'x', 1, 7, 'It broke.')`,
      [uuidv7()],
    );
    expect(await stats()).to.deep.equal({
      total_checks: 2,
      checks_this_month: 2,
      avg_similarity_pct: 100,
      avg_window_size: 1,
      total_words: 57,
      total_sources: 1,
    });
  });

  it("decisions, Engine: checks: averages the exact values, and rounds once", async () => {
    // Exactly, (33.333… + 0.125 + 0.125) / 3 = 11.194…; the mean of the rounded 33.33, 0.13 and 0.13 would be 11.20.
    await insertComplete(1, 3, 30);
    await insertComplete(1, 800, 20);
    await insertComplete(1, 800, 10);
    expect(await stats()).to.include({ avg_similarity_pct: 11.19, avg_window_size: 3 });
  });

  it("decisions, Engine: checks: averages over the 100 checks completed last, at most", async () => {
    await insertComplete(100, 100, 1_000);
    for (let number = 0; number < 100; number += 1) await insertComplete(10, 100, number);
    expect(await stats()).to.include({ total_checks: 101, avg_similarity_pct: 10, avg_window_size: 100 });
    await insertComplete(60, 100, -5);
    expect(await stats()).to.include({ avg_similarity_pct: 10.5, avg_window_size: 100 });
  });

  it("decisions, Engine: checks: counts the checks of this month in UTC", async () => {
    const [inMonth, before] = [await engine.client.submit("A text."), await engine.client.submit("A text.")];
    const monthStart = new Date();
    monthStart.setUTCDate(1);
    monthStart.setUTCHours(0, 0, 0, 0);
    const move = (checkId: string, time: number) =>
      engine.database.query("update checks set created_at = $2 where check_id = $1", [
        checkId,
        new Date(time),
      ]);
    await move(inMonth, monthStart.getTime());
    await move(before, monthStart.getTime() - 1);
    expect(await stats()).to.include({ total_checks: 2, checks_this_month: 1 });
  });
});

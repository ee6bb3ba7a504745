import { expect } from "chai";
import { CheckMetadata } from "../../src/checks/api/schema.ts";
import { CHECK_STAGES } from "../../src/checks/check.ts";
import type { WireCheck } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";
import { DrivenCheck } from "./driven-check.ts";

describe("GET /v1/checks/{id}", () => {
  // Without a worker a check stays in the state that a test has brought it to.
  const engine = useEngine({ roles: ["engine"] });

  it("decisions, Engine: checks: has exactly the members of the decisions", async () => {
    const response = await engine.client.request(`/v1/checks/${await engine.client.submit("A text.")}`);
    expect(response.status).to.equal(200);
    expect(Object.keys(CheckMetadata.parse(await response.json()))).to.have.members([
      "check_id",
      "status",
      "stage",
      "title",
      "display_title",
      "language",
      "language_origin",
      "overall_similarity_pct",
      "char_count",
      "word_count",
      "original",
      "chunks_done",
      "chunks_total",
      "coverage",
      "created_at",
      "started_at",
      "completed_at",
      "updated_at",
      "error_message",
      "status_url",
      "progress_url",
      "report_url",
    ]);
  });

  it("specification 2.1 and 3: is pending after its submission, with null for all that is not known yet", async () => {
    const checkId = await engine.client.submit("Five words of plain 😀.", { title: "T" });
    const { created_at, updated_at, ...check } = await engine.client.check(checkId);
    expect(updated_at).to.equal(created_at);
    expect(check).to.deep.equal({
      check_id: checkId,
      status: "pending",
      stage: null,
      title: "T",
      display_title: "T",
      language: "en",
      language_origin: "default",
      overall_similarity_pct: null,
      char_count: 22,
      word_count: 4,
      original: null,
      chunks_done: 0,
      chunks_total: 0,
      coverage: null,
      started_at: null,
      completed_at: null,
      error_message: null,
      status_url: `/v1/checks/${checkId}`,
      progress_url: `/v1/checks/${checkId}/progress`,
      report_url: `/v1/checks/${checkId}/report`,
    });
  });

  it("specification 3: is running while it goes from chunking to assembling, and says in which stage", async () => {
    const checkId = await engine.client.submit("A text.");
    const run = await DrivenCheck.start(engine.database, checkId);
    expect(await engine.client.check(checkId)).to.include({ status: "running", stage: null });
    for (const stage of ["chunking", "fingerprinting", "retrieving", "aligning", "assembling"] as const) {
      await run.reach(stage, 2, 5);
      const check = await engine.client.check(checkId);
      expect(check).to.include({ status: "running", stage, chunks_done: 2, chunks_total: 5 });
      expect(check.started_at).to.be.a("string");
      expect([check.overall_similarity_pct, check.coverage, check.completed_at]).to.deep.equal([
        null,
        null,
        null,
      ]);
    }
    expect(CHECK_STAGES).to.have.lengthOf(5);
  });

  it("specification 2.1: is complete with its score, its coverage and no stage", async () => {
    const checkId = await engine.client.submit("x".repeat(300));
    const run = await DrivenCheck.start(engine.database, checkId);
    await run.reach("assembling", 1, 1);
    await run.complete(100);
    const check = await engine.client.check(checkId);
    expect(check).to.include({
      status: "complete",
      stage: null,
      overall_similarity_pct: 33.33,
      coverage: "full",
    });
    expect(check.error_message).to.equal(null);
    expect(Date.parse(check.completed_at ?? "")).to.be.at.least(Date.parse(check.started_at ?? ""));
  });

  it("decisions, Engine: checks: overall_similarity_pct has two decimals, rounded half up from exact counts", async () => {
    for (const [matched, chars, percentage] of [
      [1, 800, 0.13],
      [3, 800, 0.38],
      [2, 3, 66.67],
      [29_999, 30_000, 100],
      [1, 30_000, 0],
    ] as const) {
      const checkId = await engine.client.submit("x".repeat(chars));
      const run = await DrivenCheck.start(engine.database, checkId);
      await run.complete(matched);
      const { overall_similarity_pct } = await engine.client.check(checkId);
      expect(overall_similarity_pct, `${matched} of ${chars}`).to.equal(percentage);
    }
  });

  it("specification 2.1 and 7: exposes error_message on failure", async () => {
    const checkId = await engine.client.submit("A text.");
    const run = await DrivenCheck.start(engine.database, checkId);
    await run.reach("aligning", 1, 1);
    await run.fail("Submit the text again.");
    const check = await engine.client.check(checkId);
    expect(check).to.include({ status: "failed", stage: null, error_message: "Submit the text again." });
    expect([check.overall_similarity_pct, check.coverage]).to.deep.equal([null, null]);
  });

  it("decisions, Engine: checks: a status never moves back: what has ended is not run or ended again", async () => {
    const complete = await engine.client.submit("A text.");
    const run = await DrivenCheck.start(engine.database, complete);
    await run.complete(0);
    const failed = await engine.client.submit("A text.");
    const otherRun = await DrivenCheck.start(engine.database, failed);
    await otherRun.fail("It broke.");
    const states = [await engine.client.check(complete), await engine.client.check(failed)];

    expect(await run.fail("Too late.")).to.equal(false);
    expect(await run.reach("chunking")).to.equal(false);
    expect(await otherRun.complete(3)).to.equal(false);
    for (const checkId of [complete, failed]) {
      expect(await DrivenCheck.start(engine.database, checkId).catch(() => "refused")).to.equal("refused");
    }
    expect([await engine.client.check(complete), await engine.client.check(failed)]).to.deep.equal(states);
  });

  it("decisions, Engine: checks: a check that is taken up again stays running, and only the new run may go on", async () => {
    const checkId = await engine.client.submit("A text.");
    const first = await DrivenCheck.start(engine.database, checkId);
    await first.reach("retrieving", 3, 5);
    const { started_at } = await engine.client.check(checkId);
    const second = await DrivenCheck.start(engine.database, checkId);
    expect(await engine.client.check(checkId)).to.include({ status: "running", started_at });
    expect(await first.reach("aligning", 5, 5)).to.equal(false);
    expect(await first.complete(0)).to.equal(false);
    expect(await second.reach("chunking")).to.equal(true);
    expect(await engine.client.check(checkId)).to.include({
      stage: "chunking",
      chunks_done: 3,
      chunks_total: 5,
    });
  });

  it("specification 7: its report is 409 until the check is complete", async () => {
    const checkId = await engine.client.submit("A text.");
    const report = () => engine.client.request(`/v1/checks/${checkId}/report`);
    await expectProblem(await report(), 409, "check-not-complete");
    const run = await DrivenCheck.start(engine.database, checkId);
    await expectProblem(await report(), 409, "check-not-complete");
    await run.fail("It broke.");
    await expectProblem(await report(), 409, "check-not-complete");
  });

  it("decisions, Both interfaces: an identifier is taken in any case", async () => {
    const checkId = await engine.client.submit("A text.");
    const check: WireCheck = await engine.client.check(checkId.toUpperCase());
    expect(check.check_id).to.equal(checkId);
  });
});

describe("a check that can't be run", () => {
  const engine = useEngine();

  it("decisions, Engine: checks: is failed after 3 attempts, with a message for people and no stack trace", async () => {
    await engine.database.query("alter table reports add constraint takes_none check (false) not valid");
    const check = await engine.client.ended(
      await engine.client.submit("A text whose report can't be written."),
    );
    expect(check).to.include({ status: "failed", stage: null, overall_similarity_pct: null });
    expect(check.error_message)
      .to.match(/3 times/)
      .and.match(/Submit the text again/);
    expect(check.error_message).not.to.match(/\n|\bat .*:\d+|Error:/);
    await expectProblem(await engine.client.request(check.report_url), 409, "check-not-complete");
  });
});
